"""Readers of logs that are not delimited text: each yields records of named text fields."""

from slotwise.formats.records.batsim import batsim_records, begins_batsim
from slotwise.formats.records.lsf import lsf_records
from slotwise.formats.records.pbs import pbs_records
from slotwise.formats.records.record_reader import RecordReader
from slotwise.formats.records.sacct_json import begins_sacct_json, sacct_json_records

READERS = {
    "pbs": RecordReader(pbs_records),
    "lsf": RecordReader(lsf_records),
    "sacct-json": RecordReader(sacct_json_records, begins_sacct_json),
    "batsim": RecordReader(batsim_records, begins_batsim),
}
"""Readers by the name that a profile uses."""

__all__ = ["READERS", "RecordReader"]
