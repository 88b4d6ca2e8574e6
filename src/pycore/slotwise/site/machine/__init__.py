"""Machines: processors, a torus, nodes with several resources, and the code for each."""

from slotwise.site.machine.machine import Processors, SiteMachine

__all__ = ["Processors", "SiteMachine"]
