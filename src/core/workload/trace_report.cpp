#include "workload/trace_report.hpp"

namespace slotwise {

namespace {

constexpr std::array<FaultInfo, kFaultCount> kFaults{{
    {"processors_from_allocated", "repaired",
     "no processors requested: the allocated ones are used"},
    {"processors_from_descriptor", "repaired",
     "field 21 is NxM (N nodes of M cores), and sizes mix nodes and cores: N is used"},
    {"requested_time_from_run_time", "repaired", "no time requested: the run time is used"},
    {"decimals_rounded", "repaired", "a decimal in an integer field: rounded half up"},
    {"fields_missing", "repaired", "5 to 17 fields: the missing ones are unknown (-1)"},
    {"fields_ignored", "repaired", "more than 18 fields: the first 18 are used"},
    {"value_out_of_range", "repaired",
     "a number too large for a column that no replay needs: set to unknown (-1)"},
    {"submit_unsorted", "repaired", "a submit time out of order: lines sorted by submit time"},
    {"header_text_after_number", "repaired",
     "text after a number in the header: the number is used"},
    {"header_number_unreadable", "repaired",
     "no usable number in the header where one is expected: set to unknown"},
    {"machine_from_max_nodes", "repaired",
     "no MaxProcs in the header, or sizes in nodes: MaxNodes is used"},
    {"cell_unreadable", "repaired", "a cell that is not valid in its column: read as unknown"},
    {"processors_from_nodes", "repaired", "no processors in the log: each node counts as one"},
    {"end_from_elapsed", "repaired", "no end in the log: computed from start and run time"},
    {"submit_after_start", "repaired",
     "a submit time after the start: the start is used as the submit time"},
    {"eligible_before_submit", "repaired",
     "an eligible time before the submit time: the submit time is used"},
    {"malformed", "dropped", "a field is not a number"},
    {"too_few_fields", "dropped", "fewer than 5 fields"},
    {"negative_submit", "dropped", "submit < 0"},
    {"negative_run_time", "dropped", "run_time < 0"},
    {"no_processors", "dropped", "neither requested nor allocated processors"},
    {"other_field_count", "dropped",
     "the number of fields differs from that in the header or the format"},
    {"not_ended", "dropped", "pending or running when the log was written"},
    {"never_started", "dropped", "cancelled before it started: no start time"},
    {"unknown_state", "dropped", "a state that the format does not define"},
    {"before_1990", "dropped", "a time before 1990"},
    {"end_before_start", "dropped", "ended before its start, or a negative run time"},
    {"repeated_row", "dropped", "the same job, submit time, start and end as an earlier row"},
    {"repeated_line", "dropped", "identical to an earlier line"},
    {"wider_than_machine", "rejected",
     "more processors than the machine has according to the header"},
    {"duplicate_job_id", "note", "the same job number as on an earlier line: both jobs are kept"},
    {"step", "note", "a job step: ignored"},
    {"zone_assumed", "note", "times without a zone: read as UTC, unless --zone names another"},
}};

} // namespace

const FaultInfo& fault_info(Fault fault) {
    return kFaults[static_cast<std::size_t>(fault)];
}

} // namespace slotwise
