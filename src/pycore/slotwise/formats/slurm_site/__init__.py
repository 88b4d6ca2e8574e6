"""Sites from Slurm's files: ``slurm.conf``, ``gres.conf``, events from ``sacctmgr``.

Example: ``NodeName=g[1-2] CPUs=64 Gres=gpu:a100:4`` becomes a type of two nodes with 64 cores, 4
GPUs and the feature a100; ``PartitionName=gpu Nodes=g[1-2] MaxTime=1-0`` becomes a queue on these
two nodes.
"""

from slotwise.formats.slurm_site.described import DescribedSite, describe_site

__all__ = ["DescribedSite", "describe_site"]
