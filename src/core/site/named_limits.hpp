// Limits of a site that apply only to the jobs of certain users, groups, accounts or QOSes.
#pragma once

#include "site/limits.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

// The jobs of any of the listed users, groups, accounts and QOSes. The lists contain their numbers
// in the trace.
struct JobOwners {
    std::vector<std::int32_t> users;
    std::vector<std::int32_t> groups;
    std::vector<std::int32_t> accounts;
    std::vector<std::int32_t> qos;

    const std::vector<std::int32_t>& of(LimitScope scope) const {
        return scope == LimitScope::user      ? users
               : scope == LimitScope::group   ? groups
               : scope == LimitScope::account ? accounts
                                              : qos;
    }
    bool empty() const {
        return users.empty() && groups.empty() && accounts.empty() && qos.empty();
    }
};

// Limits that apply only to the jobs of certain owners. Only these jobs count towards them.
struct NamedLimits {
    JobOwners owners;
    Limits limits;
};

} // namespace slotwise
