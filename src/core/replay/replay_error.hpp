// What only a replay finds out, though trace and site are sound; orders and dispatchers have their
// own, OrderError and DispatchError.
#pragma once

#include <stdexcept>

namespace slotwise {

struct ReplayError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace slotwise
