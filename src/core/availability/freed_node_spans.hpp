// Records the freed spans of each node class, in the order in which they were freed. A freed span
// is a future period in which nodes or cores that were planned for use have become free.
//
// Example: a job planned until 100 ends at 40, so [40, 100) is freed on class 2. A promise on class
// 2 that could not start any earlier may now be able to, but only at a time before 100.
#pragma once

#include "types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class FreedNodeSpans {
  public:
    // Returns the number of spans noted so far. The next span gets its own entry, even if the
    // latest one covers it.
    std::uint64_t count() {
        n_counted_ = freed_.size();
        return n_forgotten_ + freed_.size();
    }

    void note(std::size_t node_class, Time end) {
        if (freed_.size() > n_counted_ && freed_.back().node_class == node_class &&
            freed_.back().end >= end)
            return;
        if (freed_.size() >= kMost) {
            freed_.erase(freed_.begin(), freed_.begin() + kMost / 2);
            n_forgotten_ += kMost / 2;
            n_counted_ -= std::min<std::size_t>(n_counted_, kMost / 2);
        }
        freed_.push_back({node_class, end});
    }

    // Forgets the spans noted since count() returned this value.
    void undo(std::uint64_t count) {
        freed_.resize(count > n_forgotten_ ? static_cast<std::size_t>(count - n_forgotten_) : 0,
                      {0, 0});
        n_forgotten_ = std::min(n_forgotten_, count);
        n_counted_ = freed_.size();
    }

    // Returns the latest end of the spans noted on these classes since count() returned `since`.
    // Returns 0 if there are none, and kNever if some have been forgotten.
    Time until(std::span<const std::size_t> classes, std::uint64_t since) const {
        if (since < n_forgotten_) return kNever;
        Time until = 0;
        for (auto i = static_cast<std::size_t>(since - n_forgotten_); i < freed_.size(); ++i)
            if (freed_[i].end > until &&
                std::find(classes.begin(), classes.end(), freed_[i].node_class) != classes.end())
                until = freed_[i].end;
        return until;
    }

  private:
    static constexpr std::ptrdiff_t kMost = 4096;

    struct Freed {
        std::size_t node_class;
        Time end;
    };

    std::vector<Freed> freed_;
    std::uint64_t n_forgotten_ = 0;
    std::size_t n_counted_ = 0; // number of spans in freed_ that must no longer change
};

} // namespace slotwise
