// A guard of the core: one rule, without the place and the remedy that the package gives.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace slotwise {

// Throws std::invalid_argument with the rule if it does not hold.
inline void guard(bool holds, const char* rule) {
    if (!holds) throw std::invalid_argument(rule);
}

// As above, for a rule about one part of a site, such as "pool 'fat'".
inline void guard(bool holds, std::string_view part, const char* rule) {
    if (!holds) throw std::invalid_argument(std::string(part) + ": " + rule);
}

} // namespace slotwise
