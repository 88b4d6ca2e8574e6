// Progress of long work, reported to a Python callable.
#pragma once

#include "replay/progress.hpp"

#include <pybind11/pybind11.h>

namespace slotwise::bindings {

// Checks for a pending signal, then calls `callback` unless it is None. `callback` must outlive the
// returned function, which takes the GIL itself.
inline Progress make_progress(const pybind11::object& callback) {
    return [&callback](double done) {
        const pybind11::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
        if (!callback.is_none()) callback(done);
    };
}

} // namespace slotwise::bindings
