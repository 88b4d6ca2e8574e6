// Site limits that apply only to the jobs of some users, groups, accounts or qualities of service.
#pragma once

#include "site/limits.hpp"

#include <cstdint>
#include <vector>

namespace slotwise {

// Jobs of some users, groups, accounts and qualities of service, by the trace's numbers.
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

// Limits that apply to the jobs of some owners and count only these.
struct NamedLimits {
    JobOwners owners;
    Limits limits;
};

} // namespace slotwise
