// Reports the progress of a long computation to a Python callable.
#pragma once

#include "replay/progress.hpp"

#include <pybind11/pybind11.h>

namespace slotwise::bindings {

// Returns a function that handles any pending signal and then calls `callback`, unless `callback`
// is None. The function acquires the GIL itself. `callback` must outlive it.
inline Progress make_progress(const pybind11::object& callback) {
    return [&callback](double done) {
        const pybind11::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
        if (!callback.is_none()) callback(done);
    };
}

} // namespace slotwise::bindings
