// Counts of idle nodes on a machine: the number of nodes that are idle from one time to another.
#pragma once

#include "containers/chained_index.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace slotwise {

// A stretch over which some nodes are idle, and before and after which they are not.
struct Stretch {
    Time begin;
    Time end; // kNever: for ever

    bool operator==(const Stretch&) const = default;
};

// The begin of a stretch that has already begun.
inline constexpr Time kPast = std::numeric_limits<Time>::min();

class IdleStretches {
  public:
    struct Entry {
        Stretch idle;
        std::size_t node_class;
        std::int64_t nodes; // > 0
    };

    // This many more nodes of the class, or fewer, have this stretch.
    void add(std::size_t node_class, Stretch idle, std::int64_t nodes);

    // In no order.
    const std::vector<Entry>& entries() const { return entries_; }

  private:
    std::vector<Entry> entries_;
    ChainedIndex places_; // in entries_
};

} // namespace slotwise
