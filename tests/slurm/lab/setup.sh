#!/bin/sh
# Installs Debian's Slurm (22.05 on Debian 12), libfaketime and a database, and adds the users that the workloads name.
# The package slurm-wlm-emulator must stay away: its binaries refuse FrontendName and take over the name slurmctld.
set -e
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    slurmctld slurmd slurm-client slurm-wlm-basic-plugins faketime libfaketime \
    slurmdbd slurm-wlm-mysql-plugin mariadb-server
for i in 1 2 3 4; do
    id -u "lab$i" >/dev/null 2>&1 || useradd -M -u $((21000 + i)) -s /bin/sh "lab$i"
done
slurmctld -V
