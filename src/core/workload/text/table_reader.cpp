#include "workload/text/table_reader.hpp"

#include "workload/trace_report.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

namespace slotwise {

namespace {

constexpr std::size_t kLinesKept = 10;
constexpr std::size_t kExampleKept = 400;

bool stands_for_nothing(const ColumnRule& rule, std::string_view text) {
    return std::find(rule.unknown.begin(), rule.unknown.end(), text) != rule.unknown.end();
}

bool has_extra(CellKind kind) {
    return kind == CellKind::instant || kind == CellKind::size || kind == CellKind::job_id;
}

// Returns true if the text is a number that can be stored as a number. A whole number such as "007"
// must be kept as text, because the number would be written as "7".
bool is_plain_number(std::string_view text) {
    const NumberCell number = read_number(text);
    return number.readable && (!number.whole || std::to_string(number.integer) == text);
}

// Returns true if the last cell of a column has a value.
bool ends_known(const TextColumn& column) {
    if (column.is_label) return column.codes.back() >= 0;
    if (column.is_decimal) return column.decimals.back() > static_cast<double>(kUnreadableCell);
    return column.integers.back() > kUnreadableCell;
}

std::size_t field_end(std::string_view text, std::size_t at, char delimiter) {
    const char second = delimiter == ' ' ? '\t' : '\n';
    while (at < text.size() && text[at] != delimiter && text[at] != '\n' && text[at] != second)
        ++at;
    return at;
}

} // namespace

TableReader::TableReader(TextDialect dialect, std::vector<ColumnRule> rules)
    : dialect_(dialect), rules_(std::move(rules)), columns_(rules_.size()) {
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        columns_[i].is_label = rules_[i].kind == CellKind::label;
        for (const std::string& word : rules_[i].unknown)
            if (read_number(word).readable) rules_[i].has_unknown_numbers = true;
    }
}

void TableReader::feed(std::string_view text) {
    if (text.empty()) return;
    if (std::memchr(text.data(), 0, text.size()) != nullptr)
        throw TraceError("the file contains NUL bytes and is not plain text; use a UTF-8 text "
                         "file, compressed (.gz) or not");
    if (at_start_ && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    at_start_ = false;
    if (!carry_.empty()) {
        const std::size_t end = text.find('\n');
        const std::size_t used = end == text.npos ? text.size() : end + 1;
        carry_ += text.substr(0, used);
        text.remove_prefix(used);
        if (end != text.npos) {
            std::string whole = std::exchange(carry_, {});
            std::string_view rest = read_records(whole, false);
            if (!rest.empty()) {
                // The record has an open quote and continues on the next line. All remaining text
                // is appended, because after appending a single line, the record would have to be
                // searched again.
                whole.erase(0, whole.size() - rest.size());
                whole += text;
                text = {};
                rest = read_records(whole, false);
            }
            carry_ = rest;
        }
    }
    if (carry_.empty()) carry_ = read_records(text, false);
    if (carry_.size() > dialect_.longest_line)
        throw TraceError("the line has more than " + std::to_string(dialect_.longest_line) +
                             " bytes, too many for one job; correct or remove the line",
                         next_line_);
}

void TableReader::finish() {
    if (!carry_.empty()) {
        const std::string rest = std::exchange(carry_, {});
        read_records(rest, true);
    }
}

std::string_view TableReader::read_records(std::string_view text, bool is_end) {
    while (!text.empty()) {
        std::size_t used = 0;
        if (!split(text, used, is_end)) return text;
        const std::string_view record = text.substr(0, used);
        if (record.size() > dialect_.longest_line + 2)
            throw TraceError("the line has more than " + std::to_string(dialect_.longest_line) +
                                 " bytes, too many for one job; correct or remove the line",
                             next_line_);
        line_ = next_line_;
        next_line_ += dialect_.has_quotes ? std::count(record.begin(), record.end(), '\n') : 1;
        text.remove_prefix(used);
        const std::string_view shown = trimmed(record);
        if (shown.empty() || (dialect_.comment != 0 && shown[0] == dialect_.comment)) continue;
        if (skipped_ < dialect_.skipped_records) {
            ++skipped_;
            continue;
        }
        add_record(shown);
    }
    return {};
}

// Splits the first record of `text` into fields, and sets `used` to the number of bytes in the
// record, including its line end. Returns false if the record is incomplete.
bool TableReader::split(std::string_view text, std::size_t& used, bool is_end) {
    fields_.clear();
    n_unescaped_ = 0;
    const std::size_t end = text.find('\n');
    if (end == text.npos && !is_end) return false;
    std::string_view line = text.substr(0, end);
    used = end == text.npos ? text.size() : end + 1;
    if (dialect_.has_quotes && std::memchr(line.data(), '"', line.size()) != nullptr)
        return split_quoted(text, used, is_end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    split_plain(line);
    quoted_.clear();
    return true;
}

void TableReader::split_plain(std::string_view line) {
    if (dialect_.delimiter == ' ') {
        while (!(line = trimmed(line)).empty()) {
            const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
            fields_.push_back(line.substr(0, end));
            line.remove_prefix(end);
        }
        return;
    }
    const char* at = line.data();
    const char* const end = at + line.size();
    while (!dialect_.last_takes_rest || fields_.size() + 1 != dialect_.fields) {
        const char* stop = at;
        while (stop != end && *stop != dialect_.delimiter) // faster than memchr on short fields
            ++stop;
        if (stop == end) break;
        fields_.emplace_back(at, stop - at);
        at = stop + 1;
    }
    fields_.emplace_back(at, end - at);
}

// Like `split`, but for a record that contains a quote.
bool TableReader::split_quoted(std::string_view text, std::size_t& used, bool is_end) {
    quoted_.clear();
    std::size_t at = 0;
    while (true) {
        if (dialect_.delimiter == ' ')
            while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
                ++at;
        if (at < text.size() && text[at] == '"') {
            if (n_unescaped_ == unescaped_.size()) unescaped_.emplace_back();
            std::string& field = unescaped_[n_unescaped_++];
            field.clear();
            for (++at; at < text.size(); ++at) {
                if (text[at] != '"')
                    field += text[at];
                else if (at + 1 < text.size() && text[at + 1] == '"')
                    field += text[at++];
                else
                    break;
            }
            if (at >= text.size()) {
                if (!is_end) return false;
                open_quote_ = next_line_;
            } else {
                ++at; // the closing quote
            }
            const std::size_t end = field_end(text, at, dialect_.delimiter);
            field += trimmed(text.substr(at, end - at));
            fields_.emplace_back();
            quoted_.resize(fields_.size());
            quoted_.back() = true;
            at = end;
        } else {
            const std::size_t end = field_end(text, at, dialect_.delimiter);
            if (dialect_.delimiter != ' ' || end > at) fields_.push_back(text.substr(at, end - at));
            at = end;
        }
        if (at >= text.size() || text[at] == '\n') break;
        ++at;
    }
    if (at >= text.size() && !is_end) return false;
    used = std::min(at + 1, text.size());
    // Fields that refer to unescaped strings are set only after all strings have been added,
    // because short strings move when the vector grows.
    quoted_.resize(fields_.size());
    for (std::size_t field = 0, next = 0; field < fields_.size(); ++field)
        if (quoted_[field]) fields_[field] = unescaped_[next++];
    return true;
}

void TableReader::add_record(std::string_view record) {
    if (dialect_.fields > 0 && fields_.size() < dialect_.fields) return note(too_few_, record);
    if (dialect_.fields > 0 && fields_.size() > dialect_.fields) return note(too_many_, record);
    bool is_known = false;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        const ColumnRule& rule = rules_[i];
        if (rule.is_fallback && is_known) {
            add_missing(rule, columns_[i]);
            continue;
        }
        add_cell(rule, columns_[i], rule.field);
        is_known = ends_known(columns_[i]);
    }
    lines_.push_back(line_);
    if (dialect_.hashes_lines)
        hashes_.push_back(static_cast<std::int64_t>(std::hash<std::string_view>{}(record)));
}

void TableReader::add_missing(const ColumnRule& rule, TextColumn& column) {
    if (column.is_label) return column.codes.push_back(-1);
    add_integer(column, kMissingCell, {});
    if (rule.kind == CellKind::job_id) column.tasks.push_back(-1);
    if (has_extra(rule.kind)) column.extra.push_back(0);
}

void TableReader::add_cell(const ColumnRule& rule, TextColumn& column, std::size_t field) {
    const bool is_quoted = field < quoted_.size() && quoted_[field];
    std::string_view text = field < fields_.size() ? trimmed(fields_[field]) : std::string_view{};
    if (rule.has_unknown_numbers && stands_for_nothing(rule, text)) text = {};
    if (rule.kind == CellKind::label_or_number && !column.is_label && is_quoted && !text.empty() &&
        !is_plain_number(text))
        turn_to_labels(column);
    if (column.is_label) {
        const auto is_nothing = [&](std::string_view word) {
            return stands_for_nothing(rule, word);
        };
        column.codes.push_back(text.empty() ? -1 : column.labels.code(text, is_nothing));
        return;
    }
    if (rule.kind == CellKind::number || rule.kind == CellKind::label_or_number)
        return add_number(rule, column, text);
    std::int64_t value = text.empty() ? kMissingCell : kUnreadableCell;
    std::int8_t extra = 0;
    std::int64_t task = -1;
    if (!text.empty() && rule.kind == CellKind::duration) {
        value = read_duration(text, rule.bare);
    } else if (!text.empty() && rule.kind == CellKind::instant) {
        const InstantCell cell = read_instant(text);
        value = cell.seconds;
        extra = cell.zoned ? 1 : 0;
    } else if (!text.empty() && rule.kind == CellKind::size) {
        const SizeCell cell = read_size(text, rule.bare);
        value = cell.kilobytes;
        extra = static_cast<std::int8_t>(cell.per);
    } else if (!text.empty() && rule.kind == CellKind::item) {
        value = read_item(text, rule.key);
    } else if (!text.empty()) {
        const JobIdCell cell = read_job_id(text);
        value = cell.number;
        task = cell.task;
        extra = cell.is_step ? 1 : 0;
    }
    if (value == kUnreadableCell && stands_for_nothing(rule, text)) value = kMissingCell;
    add_integer(column, value, text);
    if (rule.kind == CellKind::job_id) column.tasks.push_back(task);
    if (has_extra(rule.kind)) column.extra.push_back(extra);
}

void TableReader::add_number(const ColumnRule& rule, TextColumn& column, std::string_view text) {
    if (text.empty()) return add_integer(column, kMissingCell, text);
    const NumberCell number = read_number(text);
    if (number.readable && number.whole) return add_integer(column, number.integer, text);
    if (number.readable) {
        if (!column.is_decimal) {
            column.decimals.reserve(column.integers.capacity());
            for (const std::int64_t value : column.integers)
                column.decimals.push_back(static_cast<double>(value));
            column.integers = {};
            column.is_decimal = true;
        }
        column.decimals.push_back(number.decimal);
        return;
    }
    if (stands_for_nothing(rule, text)) return add_integer(column, kMissingCell, text);
    if (rule.kind == CellKind::label_or_number && text.size() <= kLongestNumber) {
        turn_to_labels(column);
        column.codes.push_back(column.labels.code(text));
        return;
    }
    add_integer(column, kUnreadableCell, text);
}

void TableReader::add_integer(TextColumn& column, std::int64_t value, std::string_view text) {
    if (value == kUnreadableCell) note(column.unreadable, text);
    if (column.is_decimal)
        column.decimals.push_back(static_cast<double>(value));
    else
        column.integers.push_back(value);
}

// Converts the numbers that have been read so far in this column to words. Negative numbers become
// missing values.
void TableReader::turn_to_labels(TextColumn& column) {
    column.is_label = true;
    char text[64];
    const auto add = [&](auto value) {
        char* end = std::to_chars(text, text + sizeof text, value).ptr;
        column.codes.push_back(column.labels.code({text, static_cast<std::size_t>(end - text)}));
    };
    for (const std::int64_t value : std::exchange(column.integers, {}))
        value < 0 ? column.codes.push_back(-1) : add(value);
    for (const double value : std::exchange(column.decimals, {}))
        value < 0 ? column.codes.push_back(-1) : add(value);
    column.is_decimal = false;
}

void TableReader::note(CellFault& fault, std::string_view text) const {
    if (fault.count++ == 0) {
        fault.example = text.substr(0, kExampleKept);
        fault.length = text.size();
    }
    if (fault.lines.size() < kLinesKept) fault.lines.push_back(line_);
}

} // namespace slotwise
