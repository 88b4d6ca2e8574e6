#pragma once

namespace slotwise {

// Returns true for ASCII digits only, no matter which locale is set.
inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

} // namespace slotwise
