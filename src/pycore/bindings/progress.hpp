// Progress of long work, told to a Python callable.
#pragma once

#include "engine/simulator.hpp"

#include <pybind11/pybind11.h>

namespace slotwise::bindings {

// Looks for a pending signal, then tells `callback` unless it is None. It must outlive what is
// returned, which takes the GIL by itself.
inline Progress make_progress(const pybind11::object& callback) {
    return [&callback](double done) {
        const pybind11::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
        if (!callback.is_none()) callback(done);
    };
}

} // namespace slotwise::bindings
