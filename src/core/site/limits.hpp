// The limits of a site or a queue, and a table of these limits. Code that checks limits, counts
// jobs against them, or binds them to Python reads this table. To add a limit on a quantity in
// LimitCounted, add one member and one row here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

inline constexpr std::int64_t kNoLimit = -1;

enum class LimitScope : std::uint8_t { all, user, group, account, qos }; // jobs counted together

inline constexpr std::size_t kLimitScopes = 5;

// The largest amount of a node resource, or the largest number of nodes, that may be in use at the
// same time.
struct AmountLimit {
    static constexpr std::int32_t kNodes = -1;

    LimitScope scope = LimitScope::all;
    std::int32_t resource = kNodes; // position in the machine's resources
    std::int64_t most = 0;

    bool operator==(const AmountLimit&) const = default;
};

// Upper bounds; kNoLimit means that there is no bound. A limit per user does not apply to jobs
// whose user is unknown (-1). The same is true of limits per group, account and QOS.
struct Limits {
    std::int64_t running = kNoLimit;    // running jobs at once
    std::int64_t processors = kNoLimit; // processors in use at once
    std::int64_t running_per_user = kNoLimit;
    std::int64_t processors_per_user = kNoLimit;
    std::int64_t running_per_group = kNoLimit;
    std::int64_t processors_per_group = kNoLimit;
    std::int64_t running_per_account = kNoLimit;
    std::int64_t processors_per_account = kNoLimit;
    std::int64_t running_per_qos = kNoLimit;
    std::int64_t processors_per_qos = kNoLimit;
    std::int64_t queued_per_user = kNoLimit; // waiting jobs that a pass may consider
    std::int64_t submitted = kNoLimit;       // waiting and running jobs
    std::int64_t submitted_per_user = kNoLimit;
    std::int64_t submitted_per_group = kNoLimit;
    std::int64_t submitted_per_account = kNoLimit;
    std::int64_t submitted_per_qos = kNoLimit;
    std::vector<AmountLimit> amounts; // limits on nodes and their resources
    bool lifted_when_idle = false;    // for a site: limits are lifted when no eligible job waits
    bool holds_submitted = false;     // for a site: jobs above a submission limit are held

    bool operator==(const Limits&) const = default;
};

enum class LimitCounted { running_jobs, processors, queued_jobs, submitted_jobs };

struct LimitInfo {
    const char* name; // the name in a site file
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
    LimitInfo{"running_per_account", &Limits::running_per_account, LimitScope::account,
              LimitCounted::running_jobs},
    LimitInfo{"processors_per_account", &Limits::processors_per_account, LimitScope::account,
              LimitCounted::processors},
    LimitInfo{"running_per_qos", &Limits::running_per_qos, LimitScope::qos,
              LimitCounted::running_jobs},
    LimitInfo{"processors_per_qos", &Limits::processors_per_qos, LimitScope::qos,
              LimitCounted::processors},
    LimitInfo{"queued_per_user", &Limits::queued_per_user, LimitScope::user,
              LimitCounted::queued_jobs},
    LimitInfo{"submitted", &Limits::submitted, LimitScope::all, LimitCounted::submitted_jobs},
    LimitInfo{"submitted_per_user", &Limits::submitted_per_user, LimitScope::user,
              LimitCounted::submitted_jobs},
    LimitInfo{"submitted_per_group", &Limits::submitted_per_group, LimitScope::group,
              LimitCounted::submitted_jobs},
    LimitInfo{"submitted_per_account", &Limits::submitted_per_account, LimitScope::account,
              LimitCounted::submitted_jobs},
    LimitInfo{"submitted_per_qos", &Limits::submitted_per_qos, LimitScope::qos,
              LimitCounted::submitted_jobs},
};

} // namespace slotwise
