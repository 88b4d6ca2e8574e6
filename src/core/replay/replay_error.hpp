// A fault that only a replay can find, although the trace and the site are valid. Faults of orders
// and dispatchers have their own types, OrderError and DispatchError.
#pragma once

#include <stdexcept>

namespace slotwise {

struct ReplayError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace slotwise
