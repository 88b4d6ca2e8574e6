// An error that can be detected only during a replay, although the trace and the site are valid.
// Errors in orders and dispatchers have their own types, OrderError and DispatchError.
#pragma once

#include <stdexcept>

namespace slotwise {

struct ReplayError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace slotwise
