#pragma once

namespace slotwise {

// Returns true only for ASCII digits, whatever the locale.
inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

} // namespace slotwise
