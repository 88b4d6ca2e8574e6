// Limits of a site or queue, with the table that checks, bindings and counts read: a new limit is
// one member and one row here.
#pragma once

#include <array>
#include <cstdint>

namespace slotwise {

inline constexpr std::int64_t kNoLimit = -1;

// Upper bounds; kNoLimit for none. Limits per user or group do not apply to jobs of an unknown
// user (-1) or group.
struct Limits {
    std::int64_t running = kNoLimit;    // jobs at once
    std::int64_t processors = kNoLimit; // in use at once
    std::int64_t running_per_user = kNoLimit;
    std::int64_t processors_per_user = kNoLimit;
    std::int64_t running_per_group = kNoLimit;
    std::int64_t processors_per_group = kNoLimit;
    std::int64_t queued_per_user = kNoLimit; // waiting jobs that a pass considers
    bool lifted_when_idle =
        false; // of a site: per-user limits do not apply while no eligible job waits

    bool operator==(const Limits&) const = default;
};

enum class LimitScope { all, user, group };                        // jobs counted together
enum class LimitCounted { running_jobs, processors, queued_jobs }; // quantity counted

struct LimitInfo {
    const char* name; // as in a site file
    std::int64_t Limits::* value;
    LimitScope scope;
    LimitCounted counted;
};

inline constexpr std::array kLimits{
    LimitInfo{"running", &Limits::running, LimitScope::all, LimitCounted::running_jobs},
    LimitInfo{"processors_in_use", &Limits::processors, LimitScope::all, LimitCounted::processors},
    LimitInfo{"running_per_user", &Limits::running_per_user, LimitScope::user,
              LimitCounted::running_jobs},
    LimitInfo{"processors_per_user", &Limits::processors_per_user, LimitScope::user,
              LimitCounted::processors},
    LimitInfo{"running_per_group", &Limits::running_per_group, LimitScope::group,
              LimitCounted::running_jobs},
    LimitInfo{"processors_per_group", &Limits::processors_per_group, LimitScope::group,
              LimitCounted::processors},
    LimitInfo{"queued_per_user", &Limits::queued_per_user, LimitScope::user,
              LimitCounted::queued_jobs},
};

} // namespace slotwise
