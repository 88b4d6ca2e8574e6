// Reads text in Standard Workload Format 2.2 into columns, in one pass. Faults in logs are
// tolerated.
#pragma once

#include "workload/described_sizes.hpp"
#include "workload/job_table.hpp"
#include "workload/later_fields.hpp"
#include "workload/swf_line.hpp"
#include "workload/trace_report.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace slotwise {

struct HeaderLine {
    std::string text; // verbatim, without its line end
    std::int64_t line;
};

struct SwfContents {
    JobTable jobs;
    std::vector<HeaderLine> header; // every comment, in file order
    TraceReport report;
};

// Accepts the text in pieces of any size. docs/traces.md lists what is repaired, dropped and
// rejected. The reader does not check that jobs fit on the machine.
class SwfReader {
  public:
    // `expected_bytes` is the expected length of the text, or 0 if it is unknown. It determines how
    // much memory is reserved for the columns.
    explicit SwfReader(std::size_t expected_bytes) : expected_bytes_(expected_bytes) {}

    // The maximum number of bytes in a line, and in all comments together. More bytes cause a
    // TraceError, so memory use depends only on the number of jobs.
    static constexpr std::size_t kLongestLine = std::size_t{1} << 20;
    static constexpr std::size_t kMostComments = std::size_t{64} << 20;

    // Throws TraceError if the text contains binary data, numbers that are too large to replay, or
    // lines or comments that are too long.
    void feed(std::string_view text);

    // Returns everything that was read. Throws TraceError if there is no job.
    SwfContents finish();

  private:
    static constexpr std::size_t kBlockRows = 256;

    // Rows that have not yet been copied to the columns. Each array in `fields` is one cache line
    // longer than a power of two. Otherwise, the values of a row would compete for the same cache
    // sets.
    struct Block {
        std::size_t rows = 0;
        bool saturated = false;
        bool any_without_request = false;
        std::array<std::array<std::int64_t, kBlockRows + 8>, kSwfFields> fields;
        std::array<std::int64_t, kBlockRows> processors;
        std::array<std::int64_t, kBlockRows> lines;
        std::array<std::int32_t, kBlockRows> has_request;
    };

    void check_length(std::size_t length, std::int64_t number) const;
    void read_lines(std::string_view lines);
    void read_odd_line(std::string_view line);
    void add_comment(std::string_view line);
    void read_job(SwfRow& row, const SwfLineFaults& faults, std::string_view line);
    void check_limits(const SwfRow& row, std::int64_t processors, std::string_view line) const;
    void flush();
    template <class Value> void flush_into(std::vector<Value>& column, SwfField field);
    void flush_requested_processors();
    void flush_has_request();
    void reserve(std::size_t rows);
    void note_duplicates();
    void refuse_other_format() const;
    [[noreturn]] void refuse_without_jobs() const;

    std::size_t expected_bytes_;
    std::size_t bytes_ = 0;
    std::string carry_; // the unfinished line at the end of the last piece
    std::size_t comment_bytes_ = 0;
    std::int64_t line_ = 0;
    SwfContents contents_;
    Time latest_submit_ = 0;
    DescribedSizes described_;
    LaterFields later_;
    Block block_;
};

} // namespace slotwise
