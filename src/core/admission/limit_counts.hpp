// Counts the running and submitted jobs under one set of limits, and decides whether another job
// may be added.
#pragma once

#include "machine/nodes/nodes.hpp"
#include "site/site.hpp"
#include "types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// The owners of a job, one per scope. The owners in each scope are numbered from 0 without gaps. In
// LimitScope::all, all jobs have the same owner.
struct Owner {
    static constexpr std::uint32_t kUnknown = 0xFFFFFFFFU; // owner unknown, or scope without limits

    std::array<std::uint32_t, kLimitScopes> of{0, kUnknown, kUnknown, kUnknown, kUnknown};

    std::uint32_t user() const { return of[static_cast<std::size_t>(LimitScope::user)]; }
};

// The processors that a job uses and, on a machine with nodes, its demand and its number of nodes.
struct JobUse {
    ProcCount processors = 0;
    const UnitDemand* demand = nullptr;
    std::int32_t nodes = 0;

    std::int64_t amount(std::int32_t resource) const {
        return demand->units * demand->each[static_cast<std::size_t>(resource)];
    }
};

class LimitCounts {
  public:
    using OwnerCounts = std::array<std::size_t, kLimitScopes>;

    LimitCounts(const Limits& limits, const OwnerCounts& n_owners);

    bool fits_now(const Owner& owner, const JobUse& use) const {
        for (std::size_t scope = 0; scope < kLimitScopes; ++scope)
            if (!has_room(scope, owner, use)) return false;
        return true;
    }

    // Returns true if the limits that count all jobs together allow another job with this resource
    // use.
    bool has_room_in_all(const JobUse& use) const { return has_room(0, {}, use); }

    bool any() const { return any_; }

    // Returns true if the end of a job of this owner may allow another job to start.
    bool may_ease(const Owner& owner) const;

    // Updates the counts when a job starts (sign 1) or ends (sign −1).
    void count(const Owner& owner, const JobUse& use, int sign);

    // The following functions implement limits on nodes. fits_on() returns true if the job may
    // start on these nodes. count_nodes() updates the counts when a job takes nodes (sign 1) or
    // releases them (sign −1).
    bool counts_nodes() const { return counts_nodes_; }
    bool fits_on(const Owner& owner, std::span<const Place> places) const;
    void count_nodes(const Owner& owner, std::span<const Place> places, int sign);

    // The following functions implement limits on submitted jobs.
    bool admits(const Owner& owner) const;
    void count_submitted(const Owner& owner, int sign);

    // Returns true if `job` is among the first `queued_per_user` waiting jobs of its user. A pass
    // considers no other jobs of that user.
    bool is_within_queued(const Owner& owner, JobId job) const {
        return queued_per_user_ == kNoLimit || owner.user() == Owner::kUnknown ||
               is_among_first(waiting_[owner.user()], job);
    }
    void add_waiting(const Owner& owner, JobId job);
    void remove_waiting(const Owner& owner, JobId job);

  private:
    struct Count {
        std::int64_t running = 0;
        std::int64_t processors = 0;
        std::int64_t submitted = 0;
        // Nodes in use. A node that several jobs share counts once for each of them.
        std::int64_t nodes = 0;
        std::vector<std::int64_t> amounts; // amounts in use, in the order of Bound::amounts
    };
    struct Bound { // the limits in one scope
        std::int64_t running = kNoLimit;
        std::int64_t processors = kNoLimit;
        std::int64_t submitted = kNoLimit;
        std::int64_t nodes = kNoLimit;
        std::vector<AmountLimit> amounts;

        // Returns true if this bound may be holding a job back. A limit on the amount of a resource
        // may hold back a large job even before the limit is reached.
        bool holds_back(const Count& now) const {
            return (running != kNoLimit && now.running >= running) || processors != kNoLimit ||
                   nodes != kNoLimit || !amounts.empty();
        }
        bool any() const {
            return running != kNoLimit || processors != kNoLimit || nodes != kNoLimit ||
                   !amounts.empty();
        }
    };

    bool has_room(std::size_t scope, const Owner& owner, const JobUse& use) const {
        const Bound& bound = bounds_[scope];
        if (!bound.any() || owner.of[scope] == Owner::kUnknown) return true;
        const Count& now = counts_[scope][owner.of[scope]];
        if (bound.running != kNoLimit && now.running >= bound.running) return false;
        if (bound.processors != kNoLimit && now.processors + use.processors > bound.processors)
            return false;
        return (bound.amounts.empty() && bound.nodes == kNoLimit) ||
               has_room_on_nodes(bound, now, use);
    }
    bool has_room_on_nodes(const Bound& bound, const Count& now, const JobUse& use) const;
    bool is_among_first(const std::vector<JobId>& waiting, JobId job) const;

    // Calls visit(bound, count) for each scope that has a limit and in which the owner is known.
    template <class Self, class Visitor>
    static void visit(Self& self, const Owner& owner, Visitor&& visit) {
        for (std::size_t scope = 0; scope < kLimitScopes; ++scope)
            if (!self.counts_[scope].empty() && owner.of[scope] != Owner::kUnknown)
                visit(self.bounds_[scope], self.counts_[scope][owner.of[scope]]);
    }

    std::array<Bound, kLimitScopes> bounds_;
    // For each scope, the count of each owner. Empty if the scope has no limit.
    std::array<std::vector<Count>, kLimitScopes> counts_;
    std::int64_t queued_per_user_;
    // The waiting jobs of each user, in trace order. Used only if queued_per_user is set.
    std::vector<std::vector<JobId>> waiting_;
    bool any_ = false;
    bool counts_nodes_ = false;
};

} // namespace slotwise
