#include "bindings.hpp"
#include "columns.hpp"
#include "text_feed.hpp"
#include "workload/text/csv_writer.hpp"
#include "workload/text/table_reader.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace slotwise::bindings {

namespace {

CellKind kind_named(const std::string& name) {
    if (name == "number") return CellKind::number;
    if (name == "duration") return CellKind::duration;
    if (name == "instant") return CellKind::instant;
    if (name == "size") return CellKind::size;
    if (name == "item") return CellKind::item;
    if (name == "label") return CellKind::label;
    if (name == "label_or_number") return CellKind::label_or_number;
    if (name == "job_id") return CellKind::job_id;
    throw std::invalid_argument("unknown kind of cell '" + name +
                                "'; known names are number, duration, instant, size, item, label, "
                                "label_or_number and job_id");
}

ColumnRule rule_from(const py::dict& given) {
    return {.field = given["field"].cast<std::size_t>(),
            .kind = kind_named(given["kind"].cast<std::string>()),
            .bare = given["bare"].cast<double>(),
            .key = given["key"].cast<std::string>(),
            .unknown = given["unknown"].cast<std::vector<std::string>>(),
            .has_unknown_numbers = false,
            .is_fallback = given["is_fallback"].cast<bool>()};
}

std::unique_ptr<TableReader> reader_from(const py::dict& dialect, const py::list& rules) {
    TextDialect made{.delimiter = dialect["delimiter"].cast<char>(),
                     .has_quotes = dialect["has_quotes"].cast<bool>(),
                     .comment = 0,
                     .skipped_records = dialect["skipped_records"].cast<std::size_t>(),
                     .fields = dialect["fields"].cast<std::size_t>(),
                     .last_takes_rest = dialect["last_takes_rest"].cast<bool>(),
                     .hashes_lines = dialect["hashes_lines"].cast<bool>(),
                     .longest_line = dialect["longest_line"].cast<std::size_t>()};
    const auto comment = dialect["comment"].cast<std::string>();
    if (!comment.empty()) made.comment = comment[0];
    std::vector<ColumnRule> columns;
    for (const py::handle rule : rules)
        columns.push_back(rule_from(rule.cast<py::dict>()));
    return std::make_unique<TableReader>(made, std::move(columns));
}

// Returns a tuple: the number of faulty cells, the first lines that contain one, and the text and
// the length of the first faulty cell.
py::tuple fault_of(const CellFault& fault) {
    return py::make_tuple(fault.count, fault.lines, py::bytes(fault.example), fault.length);
}

py::dict column_of(TextColumn& column) {
    py::dict made;
    if (column.is_label) {
        made["values"] = own(std::move(column.codes));
        py::list words;
        for (const std::string& word : column.labels.words())
            words.append(py::bytes(word));
        made["words"] = words;
    } else if (column.is_decimal) {
        made["values"] = own(std::move(column.decimals));
    } else {
        made["values"] = own(std::move(column.integers));
    }
    made["extra"] = own(std::move(column.extra));
    made["tasks"] = own(std::move(column.tasks));
    made["unreadable"] = fault_of(column.unreadable);
    return made;
}

py::dict finished(TableReader& reader) {
    {
        // The GIL is not needed here: only this call uses the reader, and the text has been copied.
        const py::gil_scoped_release release;
        reader.finish();
    }
    py::dict made;
    made["too_few"] = fault_of(reader.too_few());
    made["too_many"] = fault_of(reader.too_many());
    made["open_quote"] = reader.open_quote();
    py::list columns;
    for (TextColumn& column : reader.columns())
        columns.append(column_of(column));
    made["columns"] = columns;
    made["lines"] = own(std::move(reader.lines()));
    made["hashes"] = own(std::move(reader.hashes()));
    return made;
}

// Writes rows of CSV. It holds references to the arrays of the columns, so that they stay alive.
class CsvRows {
  public:
    explicit CsvRows(const py::list& given) {
        for (const py::handle column : given)
            add_column(column);
    }

    py::bytes format(std::size_t begin, std::size_t end) const {
        std::string text;
        {
            // The GIL is not needed here: the arrays are only read, and `arrays_` keeps them alive.
            const py::gil_scoped_release release;
            text = format_csv(columns_, begin, end);
        }
        return py::bytes(text);
    }

  private:
    // Returns the values of an array, which is copied unless it is contiguous.
    template <class Value> std::span<const Value> values_of(const py::handle given) {
        const auto column = given.cast<Column<Value>>();
        arrays_.append(column);
        return span_of(column);
    }

    template <class Value> bool add_span(const py::handle given) {
        if (!py::isinstance<py::array_t<Value>>(given)) return false;
        columns_.emplace_back(values_of<Value>(given));
        return true;
    }

    // Adds a column. Numbers are given as a NumPy array, words as (codes, words, whether to quote
    // every word), and intervals as (first, last, offset).
    void add_column(const py::handle given) {
        if (py::isinstance<py::tuple>(given)) {
            const auto parts = given.cast<py::tuple>();
            if (!py::isinstance<py::list>(parts[1])) {
                columns_.emplace_back(CsvIntervals{values_of<std::int32_t>(parts[0]),
                                                   values_of<std::int32_t>(parts[1]),
                                                   values_of<std::int64_t>(parts[2])});
                return;
            }
            CsvWords words{values_of<std::int32_t>(parts[0]), {}};
            for (const py::handle word : parts[1])
                words.words.push_back(quoted_csv(word.cast<std::string>(), parts[2].cast<bool>()));
            columns_.emplace_back(std::move(words));
            return;
        }
        if (add_span<std::int64_t>(given) || add_span<std::int32_t>(given) ||
            add_span<std::uint8_t>(given) || add_span<double>(given))
            return;
        throw py::type_error(
            "a csv column must contain int64, int32, uint8 or float64, or codes of words");
    }

    py::list arrays_; // the arrays to which `columns_` refers
    std::vector<CsvColumn> columns_;
};

} // namespace

void bind_text(py::module_& module) {
    py::class_<TableReader>(module, "TableReader")
        .def(py::init(&reader_from), py::arg("dialect"), py::arg("rules"))
        .def("feed", &feed<TableReader>, py::arg("text"))
        .def("finish", &finished);
    py::class_<CsvRows>(module, "CsvRows")
        .def(py::init<py::list>(), py::arg("columns"))
        .def("format", &CsvRows::format, py::arg("begin"), py::arg("end"));
    module.def(
        "read_cell",
        [](const std::string& kind, const std::string& text, double bare) -> std::int64_t {
            switch (kind_named(kind)) {
            case CellKind::duration:
                return read_duration(text, bare);
            case CellKind::instant:
                return read_instant(text).seconds;
            case CellKind::size:
                return read_size(text, bare).kilobytes;
            case CellKind::job_id:
                return read_job_id(text).number;
            default: {
                const NumberCell number = read_number(text);
                return number.whole ? number.integer : kUnreadableCell;
            }
            }
        },
        py::arg("kind"), py::arg("text"), py::arg("bare") = 1.0);
}

} // namespace slotwise::bindings
