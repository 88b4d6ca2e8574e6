// The dependencies between the jobs in a trace, as links from each row to other rows.
//
// Example: row 2 has the list "afterok:7", and rows 0 and 1 are tasks of the array with number 7.
// Row 2 has two links, to row 0 and to row 1.
#pragma once

#include "types.hpp"
#include "workload/dependency_lists.hpp"
#include "workload/job_table.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// A job waits only for jobs that come before it in the log. If several of these have the same
// number, only the last counts. A condition on a number that no earlier job has is ignored.
struct DependencyLinks {
    enum class Kind : std::uint8_t { after_ok, after_any, after_not_ok, preceding };

    struct Link {
        JobId before;
        Kind kind;

        bool operator==(const Link&) const = default;
    };

    // The links of row r begin at links[first[r]] and end before links[first[r + 1]]. If no row has
    // a link, `first` is empty.
    std::vector<std::uint32_t> first;
    std::vector<Link> links;

    // Groups of jobs with the same user and name, each with at least one singleton job. Each group
    // is in the order of the log.
    std::vector<std::vector<JobId>> groups;
    std::vector<std::int32_t> group_of; // group of each row, or -1; empty if there are no groups
    std::vector<std::uint8_t> is_singleton; // 1 for a singleton job; empty if group_of is empty

    bool any() const { return !first.empty() || !groups.empty(); }

    std::span<const Link> of(JobId row) const {
        if (first.empty()) return {};
        return {links.data() + first[row], links.data() + first[row + 1]};
    }
};

// Returns the links of the rows of `table`, computed in the order of its log. `lists` may be null.
DependencyLinks dependency_links(const JobTable& table, const DependencyLists* lists);

} // namespace slotwise
