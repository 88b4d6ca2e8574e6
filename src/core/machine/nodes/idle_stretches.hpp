// Number of nodes of a class that are idle over the same stretch of time.
#pragma once

#include "containers/chained_index.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace slotwise {

// A maximal stretch of time over which nodes are idle.
struct Stretch {
    Time begin;
    Time end; // kNever: forever

    bool operator==(const Stretch&) const = default;
};

// Beginning of every stretch that has already begun.
inline constexpr Time kPast = std::numeric_limits<Time>::min();

class IdleStretches {
  public:
    struct Entry {
        Stretch idle;
        std::size_t node_class;
        std::int64_t nodes; // > 0
    };

    // Adds `nodes` (may be negative) to the number of nodes of the class with this stretch.
    void add(std::size_t node_class, Stretch idle, std::int64_t nodes);

    // In no particular order.
    const std::vector<Entry>& entries() const { return entries_; }

  private:
    std::vector<Entry> entries_;
    ChainedIndex places_; // positions in entries_
};

} // namespace slotwise
