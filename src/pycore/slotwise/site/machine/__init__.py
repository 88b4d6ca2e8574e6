"""Machines: processors, a torus, nodes with several resources, and what goes with each."""

from slotwise.site.machine.machine import Processors, SiteMachine

__all__ = ["Processors", "SiteMachine"]
