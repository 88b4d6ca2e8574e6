// The users whose jobs are on each node, now and in the plan. This record is needed only if there
// are jobs that may not share nodes with jobs of other users.
//
// Example: user 7 has a job on node 0 until 50, and this job does not share nodes with jobs of
// other users. A job of user 8 may run on node 0 from 50 onwards; a job of user 7 may run there
// immediately.
#pragma once

#include "machine/nodes/nodes.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class NodeTenants {
  public:
    struct Tenant {
        std::int32_t user = -1; // user of the job; if unknown (-1), a `sole` job shares no node
        bool sole = false;      // true if the job shares nodes only with jobs of its user

        bool operator==(const Tenant&) const = default;
        bool may_share(const Tenant& other) const {
            return !(sole || other.sole) || (user == other.user && user >= 0);
        }
    };

    explicit NodeTenants(std::size_t n_nodes) : present_(n_nodes), planned_(n_nodes) {}

    // Records that a job occupies its places (`sign` is 1) or leaves them (`sign` is −1).
    void take(std::span<const Place> places, Tenant tenant, int sign);

    // plan() records that a job is planned on its places over a period [begin, end) (`sign` is 1),
    // or removes this record (`sign` is −1). `now` is the current time.
    struct Period {
        Time begin;
        Time end;
    };
    void plan(std::span<const Place> places, Tenant tenant, Period period, Time now, int sign);

    bool may_share_now(std::int32_t node, Tenant tenant) const;
    bool may_share(std::int32_t node, Tenant tenant, Period period) const;

    // Returns true if, at some time from `now` onwards, two jobs that may not share a node are
    // planned on the same node.
    bool is_contradictory(Time now) const;

    // Finds the planned periods that end after `after`, and appends their ends to `times`.
    void list_ends(Time after, std::vector<Time>& times) const;

  private:
    struct Stay {
        Tenant tenant;
        Period period;
    };

    std::vector<std::vector<Tenant>> present_; // one per node
    std::vector<std::vector<Stay>> planned_;   // one per node
};

} // namespace slotwise
