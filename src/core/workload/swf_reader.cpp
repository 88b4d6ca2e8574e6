#include "workload/swf_reader.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

namespace slotwise {

namespace {

constexpr std::int64_t kUnknown = -1;
constexpr auto kLongest = static_cast<std::int64_t>(kMaxDuration);
constexpr auto kWidest = static_cast<std::int64_t>(std::numeric_limits<ProcCount>::max());
constexpr std::size_t kNeededFields = 5;

template <class Value> bool fits(std::int64_t value) {
    return value != kTooLarge && value != kTooSmall && value == static_cast<Value>(value);
}

void refuse_binary(std::string_view text) {
    if (std::memchr(text.data(), 0, text.size()) == nullptr) return;
    throw TraceError("the file is binary (it contains NUL bytes); an SWF trace is plain text, one "
                     "job per line: use the text file, compressed (.gz) or not",
                     0);
}

[[noreturn]] void refuse_large(std::string_view line, SwfField field, const char* name,
                               const char* rule, std::int64_t number) {
    throw TraceError("field " + std::to_string(field + 1) + " (" + name + ") is " +
                         std::string(field_text(line, field)) + "; " + rule +
                         ": correct or remove the line",
                     number);
}

} // namespace

void SwfReader::feed(std::string_view text) {
    if (text.empty()) return;
    refuse_binary(text);
    bytes_ += text.size();
    if (!carry_.empty()) {
        const std::size_t end = text.find('\n');
        carry_ += text.substr(0, end == text.npos ? end : end + 1);
        if (end == text.npos) return check_length(carry_.size(), line_ + 1);
        text.remove_prefix(end + 1);
        read_lines(carry_);
        carry_.clear();
    }
    const std::size_t last = text.rfind('\n');
    const std::size_t whole = last == text.npos ? 0 : last + 1;
    read_lines(text.substr(0, whole));
    carry_ = text.substr(whole);
    check_length(carry_.size(), line_ + 1);
}

SwfContents SwfReader::finish() {
    if (!carry_.empty()) {
        carry_ += '\n';
        read_lines(carry_);
    }
    flush();
    JobTable& jobs = contents_.jobs;
    if (jobs.size() == 0) refuse_without_jobs();
    refuse_other_format();
    described_.correct(jobs, contents_.report);
    later_.move_into(jobs);
    note_duplicates();
    if (contents_.report[Fault::submit_unsorted].count > 0) {
        std::vector<std::size_t> rows(jobs.size());
        std::iota(rows.begin(), rows.end(), std::size_t{0});
        jobs = take(jobs, rows);
    }
    for_each_column(jobs, [](const char*, auto& column) {
        if (column.capacity() > column.size() + column.size() / 4) column.shrink_to_fit();
    });
    return std::move(contents_);
}

void SwfReader::check_length(std::size_t length, std::int64_t number) const {
    if (length <= kLongestLine) return;
    throw TraceError(
        "the line has more than " + std::to_string(kLongestLine) +
            " bytes; an SWF trace has one job per line, with 18 numbers each: correct or "
            "remove the line",
        number);
}

// `lines` must end in '\n'.
void SwfReader::read_lines(std::string_view lines) {
    SwfRow row;
    SwfLineFaults faults;
    std::size_t at = 0;
    while (at < lines.size()) {
        ++line_;
        std::string_view line;
        if (at >= kPlainMargin) line = parse_plain_line(lines.substr(at), row, faults);
        if (!line.empty()) {
            read_job(row, faults, line);
            at += line.size();
        } else {
            line = lines.substr(at, lines.find('\n', at) - at);
            at += line.size();
            check_length(line.size(), line_);
            while (line.ends_with('\r'))
                line.remove_suffix(1);
            if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
            read_odd_line(line);
        }
        at += lines[at] == '\r' ? 2 : 1;
    }
}

void SwfReader::read_odd_line(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == line.npos) return;
    if (line[first] == ';') {
        add_comment(line);
        return;
    }
    SwfRow row;
    const SwfLineFaults faults = parse_line(line, row);
    if (faults.malformed) return contents_.report.add(Fault::malformed, line_, line);
    if (faults.fields < kNeededFields)
        return contents_.report.add(Fault::too_few_fields, line_, line);
    read_job(row, faults, line);
}

void SwfReader::add_comment(std::string_view line) {
    comment_bytes_ += line.size() + sizeof(HeaderLine);
    if (comment_bytes_ > kMostComments)
        throw TraceError(
            "the comments up to this line have more than " + std::to_string(kMostComments) +
                " bytes; a header usually has a few dozen lines: remove most of the comments",
            line_);
    contents_.header.push_back({std::string(line), line_});
}

void SwfReader::read_job(SwfRow& row, const SwfLineFaults& faults, std::string_view line) {
    TraceReport& report = contents_.report;
    const std::int64_t requested = row[kRequestedProcessors];
    const std::int64_t processors = requested > 0 ? requested : row[kAllocatedProcessors];
    if (row[kRunTime] < 0) return report.add(Fault::negative_run_time, line_, line);
    if (processors <= 0) return report.add(Fault::no_processors, line_, line);
    if (row[kSubmit] < 0) return report.add(Fault::negative_submit, line_, line);
    if (requested <= 0) report.add(Fault::processors_from_allocated, line_, line);
    const bool has_request = row[kRequestedTime] > 0;
    if (!has_request && row[kRequestedTime] != row[kRunTime]) {
        report.add(Fault::requested_time_from_run_time, line_, line);
        row[kRequestedTime] = row[kRunTime];
    }
    if (faults.decimals) report.add(Fault::decimals_rounded, line_, line);
    if (faults.fields < kSwfFields) report.add(Fault::fields_missing, line_, line);
    if (faults.fields > kSwfFields) report.add(Fault::fields_ignored, line_, line);
    if (row[kSubmit] < latest_submit_) report.add(Fault::submit_unsorted, line_, line);
    latest_submit_ = std::max(latest_submit_, row[kSubmit]);
    check_limits(row, processors, line);

    const std::string_view descriptor =
        faults.fields == kDescriptorField + 1 ? field_text(line, kDescriptorField) : "";
    const DescribedSize size = described_size(descriptor);
    described_.add(contents_.jobs.size() + block_.rows, size, processors);
    later_.add(contents_.jobs.size() + block_.rows, line, size);
    const std::size_t i = block_.rows++;
    for (std::size_t field = 0; field < kSwfFields; ++field)
        block_.fields[field][i] = row[field];
    block_.processors[i] = processors;
    block_.lines[i] = line_;
    block_.has_request[i] = has_request ? 1 : 0;
    block_.any_without_request |= !has_request;
    block_.saturated |= faults.saturated;
    if (block_.rows < kBlockRows) return;
    if (contents_.jobs.size() == 0) reserve(expected_bytes_ / line.size());
    flush();
}

void SwfReader::check_limits(const SwfRow& row, std::int64_t processors,
                             std::string_view line) const {
    if (row[kSubmit] > kMaxTime)
        refuse_large(line, kSubmit, "submit", "it must lie between 0 and 2^53 seconds", line_);
    if (row[kRunTime] > kLongest)
        refuse_large(line, kRunTime, "run_time", "it must lie between 0 and 2^32 - 2 seconds",
                     line_);
    if (row[kRequestedTime] > kLongest)
        refuse_large(line, kRequestedTime, "requested_time",
                     "it must lie between 0 and 2^32 - 2 seconds", line_);
    if (processors > kWidest)
        refuse_large(line,
                     row[kRequestedProcessors] > 0 ? kRequestedProcessors : kAllocatedProcessors,
                     "processors", "it must lie between 1 and 2^31 - 1", line_);
}

// A column whose value is unknown in every row is never filled, so it takes no memory.
template <class Value> void SwfReader::flush_into(std::vector<Value>& column, SwfField field) {
    const std::size_t before = contents_.jobs.size();
    std::int64_t* const values = block_.fields[field].data();
    std::uint64_t known = 0;
    std::uint64_t large = block_.saturated ? 1 : 0;
    constexpr std::uint64_t kHalf = std::uint64_t{1} << (8 * sizeof(Value) - 1);
    for (std::size_t i = 0; i < block_.rows; ++i) {
        const auto value = static_cast<std::uint64_t>(values[i]);
        known |= ~value;
        if (sizeof(Value) < sizeof value) large |= (value + kHalf) >> 32;
    }
    if (large != 0) {
        for (std::size_t i = 0; i < block_.rows; ++i) {
            if (fits<Value>(values[i])) continue;
            contents_.report.add(Fault::value_out_of_range, block_.lines[i]);
            values[i] = kUnknown;
        }
        known = std::any_of(values, values + block_.rows, [](auto v) { return v != kUnknown; });
    }
    if (column.empty()) {
        if (known == 0) return;
        column.reserve(contents_.jobs.run_time.capacity());
        column.assign(before, static_cast<Value>(kUnknown));
    }
    column.resize(before + block_.rows);
    for (std::size_t i = 0; i < block_.rows; ++i)
        column[before + i] = static_cast<Value>(values[i]);
}

// The column stays empty as long as every row so far has a number of requested processors, because
// `processors` then has the same values.
void SwfReader::flush_requested_processors() {
    JobTable& jobs = contents_.jobs;
    const auto& values = block_.fields[kRequestedProcessors];
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(block_.rows);
    if (jobs.requested_processors.empty()) {
        if (std::equal(values.begin(), end, block_.processors.begin())) return;
        jobs.requested_processors.reserve(jobs.run_time.capacity());
        jobs.requested_processors = jobs.processors;
    }
    jobs.requested_processors.insert(jobs.requested_processors.end(), values.begin(), end);
}

// The column stays empty as long as every row so far has a requested time.
void SwfReader::flush_has_request() {
    std::vector<std::int32_t>& column = contents_.jobs.has_request;
    if (column.empty() && !block_.any_without_request) return;
    column.resize(contents_.jobs.size(), 1);
    column.insert(column.end(), block_.has_request.begin(),
                  block_.has_request.begin() + static_cast<std::ptrdiff_t>(block_.rows));
}

void SwfReader::flush() {
    if (block_.rows == 0) return;
    JobTable& jobs = contents_.jobs;
    const std::size_t rows = block_.rows;
    flush_requested_processors();
    flush_has_request();
    const auto append = [&](std::vector<std::int64_t>& column, const auto& values) {
        column.insert(column.end(), values.begin(),
                      values.begin() + static_cast<std::ptrdiff_t>(rows));
    };
    append(jobs.processors, block_.processors);
    append(jobs.line, block_.lines);
    append(jobs.run_time, block_.fields[kRunTime]);
    append(jobs.requested_time, block_.fields[kRequestedTime]);
    append(jobs.job_id, block_.fields[kJobId]);
    flush_into(jobs.wait, kWait);
    flush_into(jobs.allocated_processors, kAllocatedProcessors);
    flush_into(jobs.cpu_time, kCpuTime);
    flush_into(jobs.used_memory, kUsedMemory);
    flush_into(jobs.requested_memory, kRequestedMemory);
    flush_into(jobs.status, kStatus);
    flush_into(jobs.user, kUser);
    flush_into(jobs.group, kGroup);
    flush_into(jobs.executable, kExecutable);
    flush_into(jobs.queue, kQueue);
    flush_into(jobs.partition, kPartition);
    flush_into(jobs.preceding_job, kPrecedingJob);
    flush_into(jobs.think_time, kThinkTime);
    append(jobs.submit, block_.fields[kSubmit]);
    block_.rows = 0;
    block_.saturated = false;
    block_.any_without_request = false;
}

void SwfReader::reserve(std::size_t rows) {
    JobTable& jobs = contents_.jobs;
    for (auto* column : {&jobs.submit, &jobs.run_time, &jobs.requested_time, &jobs.processors,
                         &jobs.job_id, &jobs.line})
        column->reserve(rows + rows / 16);
}

void SwfReader::note_duplicates() {
    const std::vector<std::int64_t>& ids = contents_.jobs.job_id;
    const auto not_rising = [](std::int64_t a, std::int64_t b) { return a >= b; };
    if (std::adjacent_find(ids.begin(), ids.end(), not_rising) == ids.end()) return;
    std::vector<std::size_t> rows(ids.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
    std::vector<std::int64_t> lines;
    for (std::size_t i = 1; i < rows.size(); ++i)
        if (ids[rows[i]] == ids[rows[i - 1]] && ids[rows[i]] >= 0)
            lines.push_back(contents_.jobs.line[rows[i]]);
    std::sort(lines.begin(), lines.end());
    for (const std::int64_t line : lines)
        contents_.report.add(Fault::duplicate_job_id, line);
}

// If only a few lines are too short, these lines are faulty. If all lines are too short, the file
// is in another format.
void SwfReader::refuse_other_format() const {
    const TraceReport::Entry& missing = contents_.report[Fault::fields_missing];
    if (missing.count < static_cast<std::int64_t>(contents_.jobs.size())) return;
    throw TraceError(
        "from this line to the end, no line has the 18 fields of SWF: use an SWF file, or load "
        "the columns yourself and use Trace.from_columns",
        missing.lines[0]);
}

void SwfReader::refuse_without_jobs() const {
    if (bytes_ == 0)
        throw TraceError("the file is empty; an SWF trace has one job per line: use another file",
                         0);
    std::string found;
    for (std::size_t i = 0; i < kFaultCount; ++i) {
        const auto fault = static_cast<Fault>(i);
        const TraceReport::Entry& entry = contents_.report[fault];
        if (entry.count == 0) continue;
        found += std::string(found.empty() ? "" : "; ") + std::to_string(entry.count) +
                 (entry.count == 1 ? " line dropped (" : " lines dropped (") +
                 fault_info(fault).rule + "), the first on line " + std::to_string(entry.lines[0]);
    }
    if (found.empty()) found = std::to_string(line_) + " lines, all of them comments or blank";
    throw TraceError(
        "the file contains no job that can be replayed: " + found +
            "; an SWF trace has one job per line, with 18 numbers each: use an SWF file",
        0);
}

} // namespace slotwise
