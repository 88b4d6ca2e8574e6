#include "workload/trace_report.hpp"

namespace slotwise {

namespace {

constexpr std::array<FaultInfo, kFaultCount> kFaults{{
    {"processors_from_allocated", "repaired", "no processors requested: the allocated ones count"},
    {"processors_from_descriptor", "repaired",
     "field 21 says NxM (N nodes of M cores) and the processors are neither or by turns: N counts"},
    {"requested_time_from_run_time", "repaired", "no time requested: the run time counts"},
    {"decimals_rounded", "repaired", "a decimal in an integer field: rounded half up"},
    {"fields_missing", "repaired", "5 to 17 fields: the missing ones are unknown (-1)"},
    {"fields_ignored", "repaired", "more than 18 fields: the first 18 count"},
    {"value_out_of_range", "repaired",
     "a number too large for its column, which no replay needs: unknown (-1)"},
    {"submit_unsorted", "repaired", "submitted before a line above it: sorted by submit, stably"},
    {"header_text_after_number", "repaired",
     "text after a number in the header: the number counts"},
    {"header_number_unreadable", "repaired",
     "no usable number in the header where one is expected: unknown"},
    {"machine_from_max_nodes", "repaired",
     "no MaxProcs in the header, or sizes in nodes: MaxNodes counts"},
    {"malformed", "dropped", "a field is not a number"},
    {"too_few_fields", "dropped", "fewer than 5 fields"},
    {"negative_submit", "dropped", "submit < 0"},
    {"negative_run_time", "dropped", "run_time < 0"},
    {"no_processors", "dropped", "neither requested nor allocated processors"},
    {"wider_than_machine", "rejected", "more processors than the header's machine has"},
    {"duplicate_job_id", "note", "job number used by a line above: kept"},
}};

} // namespace

const FaultInfo& fault_info(Fault fault) {
    return kFaults[static_cast<std::size_t>(fault)];
}

} // namespace slotwise
