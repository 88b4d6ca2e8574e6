// Reads the columns of a delimited text file, piece by piece. For example, "7|alice|1-00:00:00" is
// read as the number 7, the code 0 and the duration 86400.
#pragma once

#include "workload/text/cell.hpp"
#include "workload/text/label_table.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slotwise {

enum class CellKind : std::uint8_t {
    number,          // whole numbers, or decimals if any value has a fraction
    duration,        // seconds
    instant,         // seconds since 1970
    size,            // kilobytes per job, core or node
    item,            // the value of one key in a list such as "cpu=4,mem=8G"
    label,           // words, stored as codes
    label_or_number, // numbers, or words if any cell is text, such as a quoted "007"
    job_id,          // a job number, its task, and whether it is a step
};

// A rule for one column, whose values are read from field `field` of each record, counted from 0.
struct ColumnRule {
    std::size_t field = 0;
    CellKind kind = CellKind::number;
    double bare = 1;                  // unit of a number without a suffix, in seconds or kilobytes
    std::string key;                  // key of an item
    std::vector<std::string> unknown; // words that stand for a missing value
    bool has_unknown_numbers = false; // true if `unknown` contains a number, such as 4294967295
    // True if this rule is used only for records in which the rules before it found no value.
    bool is_fallback = false;
};

struct CellFault {
    std::int64_t count = 0;
    std::vector<std::int64_t> lines; // lines of the first ten faults
    std::string example;             // first 400 characters of the first faulty text
    std::size_t length = 0;          // length of the first faulty text
};

struct TextColumn {
    std::vector<std::int64_t> integers; // empty if the column has decimals or codes
    std::vector<double> decimals;
    std::vector<std::int32_t> codes; // -1: no value
    // For sizes, a PerUnit value; for job ids, 1 if the job is a step; for instants, 1 if the time
    // zone is known.
    std::vector<std::int8_t> extra;
    std::vector<std::int64_t> tasks; // tasks of job ids
    LabelTable labels;
    bool is_decimal = false;
    bool is_label = false;
    CellFault unreadable;
};

struct TextDialect {
    char delimiter = ',';            // a blank stands for any number of blanks and tabs
    bool has_quotes = true;          // "a ""b"", c" is one field
    char comment = 0;                // first character of lines to ignore; 0: none
    std::size_t skipped_records = 0; // records skipped at the beginning, such as the header
    std::size_t fields = 0;          // fields per record; 0: any number
    bool last_takes_rest = false;    // the last field may contain the delimiter
    bool hashes_lines = false;       // computes a hash per record; equal lines get equal hashes
    std::size_t longest_line = std::size_t{1} << 20;
};

class TableReader {
  public:
    TableReader(TextDialect dialect, std::vector<ColumnRule> rules);

    // Throws TraceError if the text contains NUL bytes or a line that is too long.
    void feed(std::string_view text);
    void finish();

    std::size_t rows() const { return lines_.size(); }
    std::vector<TextColumn>& columns() { return columns_; }
    std::vector<std::int64_t>& lines() { return lines_; }
    std::vector<std::int64_t>& hashes() { return hashes_; }
    const CellFault& too_few() const { return too_few_; }
    const CellFault& too_many() const { return too_many_; }
    std::int64_t open_quote() const { return open_quote_; }

  private:
    // Reads the records in `text`. If the last record is incomplete, returns it.
    std::string_view read_records(std::string_view text, bool is_end);
    bool split(std::string_view text, std::size_t& used, bool is_end);
    void split_plain(std::string_view line);
    bool split_quoted(std::string_view text, std::size_t& used, bool is_end);
    void add_record(std::string_view record);
    void add_missing(const ColumnRule& rule, TextColumn& column);
    void add_cell(const ColumnRule& rule, TextColumn& column, std::size_t field);
    void add_number(const ColumnRule& rule, TextColumn& column, std::string_view text);
    void add_integer(TextColumn& column, std::int64_t value, std::string_view text);
    void turn_to_labels(TextColumn& column);
    void note(CellFault& fault, std::string_view text) const;

    TextDialect dialect_;
    std::vector<ColumnRule> rules_;
    std::vector<TextColumn> columns_;
    std::vector<std::int64_t> lines_;
    std::vector<std::int64_t> hashes_; // hash of each record; empty unless `hashes_lines` is set
    std::vector<std::string_view> fields_;
    std::vector<bool> quoted_;
    std::vector<std::string> unescaped_;
    std::size_t n_unescaped_ = 0;
    std::string carry_;
    std::int64_t line_ = 0;      // line of the current record
    std::int64_t next_line_ = 1; // line after the current record
    std::size_t skipped_ = 0;
    std::int64_t open_quote_ = 0;
    bool at_start_ = true;
    CellFault too_few_;
    CellFault too_many_;
};

} // namespace slotwise
