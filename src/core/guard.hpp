// The checks in the core. The error message contains only the rule that is broken; the Python
// package adds where the error is and how to correct it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace slotwise {

// Throws std::invalid_argument with the text of the rule if the rule is broken.
inline void guard(bool holds, const char* rule) {
    if (!holds) throw std::invalid_argument(rule);
}

// Same as guard(holds, rule), but the message begins with the name of a part of the site, such as
// "pool 'fat'".
inline void guard(bool holds, std::string_view part, const char* rule) {
    if (!holds) throw std::invalid_argument(std::string(part) + ": " + rule);
}

} // namespace slotwise
