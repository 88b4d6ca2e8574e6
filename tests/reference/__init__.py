"""A slow, simple simulator of batch scheduling: the oracle with which the core is compared.

It follows the rules of a replay step by step, rebuilds whatever it needs at every pass, and shares
no code with the core. If it and the core differ, one of them breaks a rule.
"""

from reference.jobs import Job, Outcome, Running
from reference.policy import Policy
from reference.simulate import simulate

__all__ = ["Job", "Outcome", "Policy", "Running", "simulate"]
