// For each kind of fault, the number of lines or jobs that a reader repaired, dropped or rejected.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace slotwise {

// The faults and notes, in the order in which a report lists them. `fault_info` returns the name,
// the kind and the rule of each.
enum class Fault : std::uint8_t {
    processors_from_allocated,
    processors_from_descriptor,
    requested_time_from_run_time,
    decimals_rounded,
    fields_missing,
    fields_ignored,
    value_out_of_range,
    submit_unsorted,
    header_text_after_number,
    header_number_unreadable,
    machine_from_max_nodes,
    cell_unreadable,
    processors_from_nodes,
    end_from_elapsed,
    submit_after_start,
    eligible_before_submit,
    malformed,
    too_few_fields,
    negative_submit,
    negative_run_time,
    no_processors,
    other_field_count,
    not_ended,
    never_started,
    unknown_state,
    before_1990,
    end_before_start,
    repeated_row,
    repeated_line,
    wider_than_machine,
    duplicate_job_id,
    step,
    zone_assumed,
};
inline constexpr std::size_t kFaultCount = static_cast<std::size_t>(Fault::zone_assumed) + 1;

struct FaultInfo {
    const char* name;
    const char* kind; // "repaired", "dropped", "rejected" or "note"; a note is not a fault
    const char* rule; // for users: the fault, and what the reader did
};

const FaultInfo& fault_info(Fault fault);

class TraceReport {
  public:
    static constexpr std::size_t kLinesKept = 10;

    struct Entry {
        std::int64_t count = 0;
        std::vector<std::int64_t> lines; // the first kLinesKept line numbers, counted from 1
        std::string example;             // text of the first faulty line, or empty
    };

    // `line` is 0 for a row that was not read from a file.
    void add(Fault fault, std::int64_t line, std::string_view text = {}) {
        Entry& entry = entries_[static_cast<std::size_t>(fault)];
        if (entry.count++ == 0) entry.example = text;
        if (entry.lines.size() < kLinesKept) entry.lines.push_back(line);
    }

    const Entry& operator[](Fault fault) const { return entries_[static_cast<std::size_t>(fault)]; }

  private:
    std::array<Entry, kFaultCount> entries_;
};

// An error in a trace that makes the trace unusable. `line` is 0 if the error does not concern one
// particular line.
class TraceError : public std::runtime_error {
  public:
    explicit TraceError(const std::string& message, std::int64_t line = 0)
        : std::runtime_error(message), line_(line) {}
    std::int64_t line() const { return line_; }

  private:
    std::int64_t line_;
};

} // namespace slotwise
