#include "arrow/arrow_stream.hpp"

#include "arrow/arrow_abi.hpp"
#include "arrow/arrow_columns.hpp"

#include <cerrno>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace slotwise::bindings {

namespace {

struct SchemaNode {
    std::string format;
    std::string name;
    std::vector<ArrowSchema> children;
    std::vector<ArrowSchema*> pointers;
    ArrowSchema dictionary{};
};

// A consumer may take over a child structure; the `release` of that child is then null.
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
    // Every column is marked as nullable, so that the tables of all replays have the same schema.
    fill(out, std::move(node), kArrowNullable);
}

void fill_table(ArrowSchema* out, const ArrowColumns& columns) {
    auto node = std::make_unique<SchemaNode>();
    node->format = "+s";
    node->children.resize(columns.fields.size());
    for (std::size_t i = 0; i < columns.fields.size(); ++i)
        fill_leaf(&node->children[i], columns.fields[i]);
    fill(out, std::move(node), 0);
}

struct ArrayNode {
    SharedColumns columns;
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

void fill_leaf(ArrowArray* out, const SharedColumns& columns, const Field& field) {
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

void fill_table(ArrowArray* out, const SharedColumns& columns) {
    auto node = std::make_unique<ArrayNode>();
    node->columns = columns;
    node->buffers = {nullptr};
    node->children.resize(columns->fields.size());
    for (std::size_t i = 0; i < columns->fields.size(); ++i)
        fill_leaf(&node->children[i], columns, columns->fields[i]);
    fill(out, std::move(node), columns->rows, 0);
}

// A stream that consists of a single batch.
struct Stream {
    SharedColumns columns;
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

// Returns a capsule that contains the structure. A consumer that takes the structure sets its
// `release` to null.
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

py::object schema_capsule(const SharedColumns& columns) {
    auto out = std::make_unique<ArrowSchema>();
    fill_table(out.get(), *columns);
    return capsule_of(std::move(out), "arrow_schema");
}

py::object stream_capsule(const SharedColumns& columns) {
    auto out = std::make_unique<ArrowArrayStream>();
    *out = {&get_schema, &get_next, &get_last_error, &release_stream, new Stream{columns}};
    return capsule_of(std::move(out), "arrow_array_stream");
}

// The Python object that exports the columns. The columns live until this object and everything
// exported from it are gone.
struct Exporter {
    SharedColumns columns;
};

} // namespace

void bind_arrow(py::module_& module) {
    py::class_<Exporter>(
        module, "ArrowColumns",
        "Named NumPy columns as Arrow structures. Columns are int64 or int32 (negative "
        "values are null), float64, uint8 or bool; a column with labels contains their codes.")
        .def(py::init([](const NamedArrays& columns, const NamedLabels& labels) {
                 return Exporter{make_columns(columns, labels)};
             }),
             py::arg("columns"), py::arg("labels"))
        .def(
            "schema", [](const Exporter& self) { return schema_capsule(self.columns); },
            "A capsule named arrow_schema.")
        .def(
            "stream", [](const Exporter& self) { return stream_capsule(self.columns); },
            "A capsule named arrow_array_stream.");
}

} // namespace slotwise::bindings
