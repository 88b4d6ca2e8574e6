// Counts the idle nodes of each class, separately for each span of time over which they are idle.
#pragma once

#include "containers/chained_index.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace slotwise {

// A span of time over which nodes are idle. It cannot be extended in either direction.
struct IdleSpan {
    Time begin;
    Time end; // kNever: forever

    bool operator==(const IdleSpan&) const = default;
};

// The beginning that is stored for a span that has already begun.
inline constexpr Time kPast = std::numeric_limits<Time>::min();

class IdleSpans {
  public:
    struct Entry {
        IdleSpan idle;
        std::size_t node_class;
        std::int64_t nodes; // > 0
    };

    // Adds `nodes`, which may be negative, to the number of nodes of the class that are idle over
    // this span.
    void add(std::size_t node_class, IdleSpan idle, std::int64_t nodes);

    // Returns the entries, in no particular order.
    const std::vector<Entry>& entries() const { return entries_; }

  private:
    std::vector<Entry> entries_;
    ChainedIndex places_; // positions in entries_
};

} // namespace slotwise
