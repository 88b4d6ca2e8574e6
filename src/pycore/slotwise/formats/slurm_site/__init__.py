"""Sites from the files of Slurm: ``slurm.conf``, ``gres.conf``, events of ``sacctmgr``.

Example: ``NodeName=g[1-2] CPUs=64 Gres=gpu:a100:4`` becomes a type of two nodes of 64 cores and 4
GPUs with the feature a100; ``PartitionName=gpu Nodes=g[1-2] MaxTime=1-0`` a queue over both nodes.
"""

from slotwise.formats.slurm_site.described import DescribedSite, describe_site

__all__ = ["DescribedSite", "describe_site"]
