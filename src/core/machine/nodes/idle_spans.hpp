// Counts the idle nodes of each class, separately for each span of time over which they are idle.
#pragma once

#include "containers/chained_index.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace slotwise {

// A maximal span of time over which nodes are idle: they are busy just before it and just after it.
struct IdleSpan {
    Time begin;
    Time end; // kNever: forever

    bool operator==(const IdleSpan&) const = default;
};

// Stored in IdleSpan::begin if the span has already begun.
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
