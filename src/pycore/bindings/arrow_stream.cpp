#include "arrow_stream.hpp"

#include "arrow_abi.hpp"

#include <cerrno>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace slotwise::bindings {

namespace {

// The words a column of codes stands for, as an Arrow utf8 array.
struct Labels {
    std::vector<std::int32_t> offsets{0};
    std::string text;
};

struct Field {
    std::string name;
    const char* format;
    const void* values; // of the NumPy column, or `bits`
    std::vector<std::uint8_t> bits;
    std::vector<std::uint8_t> validity; // empty where no value is null
    std::int64_t nulls = 0;
    std::optional<Labels> labels;
};

// Never changed once exported; every exported structure shares it.
struct Columns {
    std::int64_t rows = 0;
    std::vector<Field> fields;
    std::vector<py::array> owners;
};
using Shared = std::shared_ptr<const Columns>;

// Consumers release from any thread, without the GIL. Once the interpreter ends the references are
// left to the process.
void destroy(const Columns* columns) {
    if (!Py_IsInitialized()) return;
#if PY_VERSION_HEX >= 0x030D0000
    if (Py_IsFinalizing()) return;
#endif
    py::gil_scoped_acquire locked;
    delete columns;
}

template <class Holds> std::vector<std::uint8_t> pack_bits(std::int64_t rows, Holds&& holds) {
    std::vector<std::uint8_t> bits(static_cast<std::size_t>((rows + 7) / 8), 0);
    for (std::int64_t row = 0; row < rows; ++row)
        bits[static_cast<std::size_t>(row / 8)] |=
            static_cast<std::uint8_t>(static_cast<unsigned>(holds(row)) << (row % 8));
    return bits;
}

template <class Value> void mark_negative_as_null(Field& field, std::int64_t rows) {
    const auto* values = static_cast<const Value*>(field.values);
    for (std::int64_t row = 0; row < rows; ++row)
        field.nulls += values[row] < 0;
    if (field.nulls > 0)
        field.validity = pack_bits(rows, [&](std::int64_t row) { return values[row] >= 0; });
}

Field field_of(const std::string& name, const py::array& column, std::int64_t rows) {
    if (column.ndim() != 1 || column.size() != rows || !(column.flags() & py::array::c_style))
        throw std::invalid_argument("column " + name + " must be one contiguous value a row");
    Field field{name, "", column.data(), {}, {}, 0, {}};
    if (py::isinstance<py::array_t<std::int64_t>>(column)) {
        field.format = "l";
        mark_negative_as_null<std::int64_t>(field, rows);
    } else if (py::isinstance<py::array_t<std::int32_t>>(column)) {
        field.format = "i";
        mark_negative_as_null<std::int32_t>(field, rows);
    } else if (py::isinstance<py::array_t<std::uint8_t>>(column)) {
        field.format = "C";
    } else if (py::isinstance<py::array_t<bool>>(column)) {
        field.format = "b";
        const auto* values = static_cast<const bool*>(column.data());
        field.bits = pack_bits(rows, [&](std::int64_t row) { return values[row]; });
        field.values = field.bits.data();
    } else {
        throw std::invalid_argument("column " + name + " is neither int64, int32, uint8 nor bool");
    }
    return field;
}

struct SchemaNode {
    std::string format;
    std::string name;
    std::vector<ArrowSchema> children;
    std::vector<ArrowSchema*> pointers;
    ArrowSchema dictionary{};
};

// A consumer may have moved a child away, which leaves its `release` null here.
template <class Node, class Struct> void release_node(Struct* self) {
    auto* node = static_cast<Node*>(self->private_data);
    for (Struct& child : node->children)
        if (child.release) child.release(&child);
    if (node->dictionary.release) node->dictionary.release(&node->dictionary);
    self->release = nullptr;
    delete node;
}

void fill(ArrowSchema* out, std::unique_ptr<SchemaNode> node, std::int64_t flags) {
    for (ArrowSchema& child : node->children)
        node->pointers.push_back(&child);
    *out = {node->format.c_str(),
            node->name.c_str(),
            nullptr,
            flags,
            static_cast<std::int64_t>(node->children.size()),
            node->pointers.data(),
            node->dictionary.release ? &node->dictionary : nullptr,
            &release_node<SchemaNode, ArrowSchema>,
            nullptr};
    out->private_data = node.release();
}

void fill_leaf(ArrowSchema* out, const Field& field) {
    auto node = std::make_unique<SchemaNode>();
    node->format = field.format;
    node->name = field.name;
    if (field.labels) {
        auto words = std::make_unique<SchemaNode>();
        words->format = "u";
        fill(&node->dictionary, std::move(words), 0);
    }
    fill(out, std::move(node), field.nulls > 0 ? kArrowNullable : 0);
}

void fill_table(ArrowSchema* out, const Columns& columns) {
    auto node = std::make_unique<SchemaNode>();
    node->format = "+s";
    node->children.resize(columns.fields.size());
    for (std::size_t i = 0; i < columns.fields.size(); ++i)
        fill_leaf(&node->children[i], columns.fields[i]);
    fill(out, std::move(node), 0);
}

struct ArrayNode {
    Shared columns;
    std::vector<const void*> buffers;
    std::vector<ArrowArray> children;
    std::vector<ArrowArray*> pointers;
    ArrowArray dictionary{};
};

void fill(ArrowArray* out, std::unique_ptr<ArrayNode> node, std::int64_t length,
          std::int64_t nulls) {
    for (ArrowArray& child : node->children)
        node->pointers.push_back(&child);
    *out = {length,
            nulls,
            0,
            static_cast<std::int64_t>(node->buffers.size()),
            static_cast<std::int64_t>(node->children.size()),
            node->buffers.data(),
            node->pointers.data(),
            node->dictionary.release ? &node->dictionary : nullptr,
            &release_node<ArrayNode, ArrowArray>,
            nullptr};
    out->private_data = node.release();
}

void fill_leaf(ArrowArray* out, const Shared& columns, const Field& field) {
    auto node = std::make_unique<ArrayNode>();
    node->columns = columns;
    node->buffers = {field.nulls > 0 ? field.validity.data() : nullptr, field.values};
    if (field.labels) {
        auto words = std::make_unique<ArrayNode>();
        words->columns = columns;
        words->buffers = {nullptr, field.labels->offsets.data(), field.labels->text.data()};
        fill(&node->dictionary, std::move(words),
             static_cast<std::int64_t>(field.labels->offsets.size()) - 1, 0);
    }
    fill(out, std::move(node), columns->rows, field.nulls);
}

void fill_table(ArrowArray* out, const Shared& columns) {
    auto node = std::make_unique<ArrayNode>();
    node->columns = columns;
    node->buffers = {nullptr};
    node->children.resize(columns->fields.size());
    for (std::size_t i = 0; i < columns->fields.size(); ++i)
        fill_leaf(&node->children[i], columns, columns->fields[i]);
    fill(out, std::move(node), columns->rows, 0);
}

// One batch, then the end.
struct Stream {
    Shared columns;
    bool done = false;
};

Stream& stream_of(ArrowArrayStream* self) {
    return *static_cast<Stream*>(self->private_data);
}

int get_schema(ArrowArrayStream* self, ArrowSchema* out) {
    try {
        fill_table(out, *stream_of(self).columns);
    } catch (const std::bad_alloc&) {
        return ENOMEM;
    }
    return 0;
}

int get_next(ArrowArrayStream* self, ArrowArray* out) {
    Stream& stream = stream_of(self);
    try {
        if (stream.done)
            *out = ArrowArray{};
        else
            fill_table(out, stream.columns);
    } catch (const std::bad_alloc&) {
        return ENOMEM;
    }
    stream.done = true;
    return 0;
}

const char* get_last_error(ArrowArrayStream*) {
    return nullptr;
}

void release_stream(ArrowArrayStream* self) {
    delete static_cast<Stream*>(self->private_data);
    self->release = nullptr;
}

// A capsule around a structure; whoever takes the structure out leaves `release` null.
template <class Struct> py::object capsule_of(std::unique_ptr<Struct> owned, const char* name) {
    PyObject* capsule = PyCapsule_New(owned.get(), name, [](PyObject* self) {
        auto* held = static_cast<Struct*>(PyCapsule_GetPointer(self, PyCapsule_GetName(self)));
        if (held->release) held->release(held);
        delete held;
    });
    if (!capsule) {
        owned->release(owned.get());
        throw py::error_already_set();
    }
    owned.release();
    return py::reinterpret_steal<py::object>(capsule);
}

class ArrowColumns {
  public:
    ArrowColumns(const std::vector<std::pair<std::string, py::array>>& columns,
                 const std::vector<std::pair<std::string, std::vector<std::string>>>& labels) {
        auto built = std::make_unique<Columns>();
        built->rows = columns.empty() ? 0 : columns.front().second.size();
        for (const auto& [name, column] : columns) {
            built->fields.push_back(field_of(name, column, built->rows));
            built->owners.push_back(column);
        }
        for (const auto& [name, words] : labels)
            for (Field& field : built->fields)
                if (field.name == name) field.labels = labels_of(words);
        columns_ = Shared(built.release(), &destroy);
    }

    py::object schema() const {
        auto out = std::make_unique<ArrowSchema>();
        fill_table(out.get(), *columns_);
        return capsule_of(std::move(out), "arrow_schema");
    }

    py::object stream() const {
        auto out = std::make_unique<ArrowArrayStream>();
        *out = {&get_schema, &get_next, &get_last_error, &release_stream, new Stream{columns_}};
        return capsule_of(std::move(out), "arrow_array_stream");
    }

  private:
    static Labels labels_of(const std::vector<std::string>& words) {
        Labels labels;
        for (const std::string& word : words) {
            labels.text += word;
            labels.offsets.push_back(static_cast<std::int32_t>(labels.text.size()));
        }
        return labels;
    }

    Shared columns_;
};

} // namespace

void bind_arrow(py::module_& module) {
    py::class_<ArrowColumns>(
        module, "ArrowColumns",
        "Named NumPy columns as Arrow structures. Columns are int64 or int32 "
        "(negative values are null), uint8 or bool; a column with labels holds "
        "codes into them.")
        .def(py::init<const std::vector<std::pair<std::string, py::array>>&,
                      const std::vector<std::pair<std::string, std::vector<std::string>>>&>(),
             py::arg("columns"), py::arg("labels"))
        .def("schema", &ArrowColumns::schema, "A capsule named arrow_schema.")
        .def("stream", &ArrowColumns::stream, "A capsule named arrow_array_stream.");
}

} // namespace slotwise::bindings
