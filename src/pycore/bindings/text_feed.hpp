// Passes text from Python to a reader in the core, piece by piece.
#pragma once

#include "bindings.hpp"

#include <cstddef>
#include <string_view>

namespace slotwise::bindings {

template <class Reader> void feed(Reader& reader, const py::buffer& text) {
    const py::buffer_info info = text.request();
    const std::string_view bytes(static_cast<const char*>(info.ptr),
                                 static_cast<std::size_t>(info.size));
    // The GIL is not needed here: `info` keeps the buffer alive, and only one thread at a time uses
    // the reader.
    const py::gil_scoped_release release;
    reader.feed(bytes);
}

} // namespace slotwise::bindings
