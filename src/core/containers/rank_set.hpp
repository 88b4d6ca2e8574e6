// A set of ranks from 0 to n − 1, stored as bits, with 64 bits per word. Each higher level has one
// bit per word of the level below it. The bit is set if that word is not zero.
#pragma once

#include "types.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace slotwise {

class RankSet {
  public:
    explicit RankSet(std::size_t n) {
        do {
            n = (n + 63) / 64;
            levels_.emplace_back(n, 0);
        } while (n > 1);
    }

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }

    bool contains(JobId rank) const { return (levels_[0][rank / 64] >> (rank % 64) & 1) != 0; }

    // Requires that `rank` is not in the set.
    void insert(JobId rank) {
        ++size_;
        std::size_t at = rank;
        for (auto& level : levels_) {
            std::uint64_t& word = level[at / 64];
            const bool was_empty = word == 0;
            word |= std::uint64_t{1} << (at % 64);
            if (!was_empty) return;
            at /= 64;
        }
    }

    // Requires that `rank` is in the set.
    void erase(JobId rank) {
        --size_;
        std::size_t at = rank;
        for (auto& level : levels_) {
            std::uint64_t& word = level[at / 64];
            word &= ~(std::uint64_t{1} << (at % 64));
            if (word != 0) return;
            at /= 64;
        }
    }

    // Returns the smallest member. The set must not be empty.
    JobId first() const {
        std::size_t at = 0;
        for (std::size_t i = levels_.size(); i-- > 0;)
            at = at * 64 + static_cast<std::size_t>(std::countr_zero(levels_[i][at]));
        return static_cast<JobId>(at);
    }

    // Calls `visit(rank)` for every member, in ascending order.
    template <class Visitor> void for_each(Visitor&& visit) const {
        if (size_ > 0) descend(levels_.size() - 1, 0, visit);
    }

  private:
    template <class Visitor>
    void descend(std::size_t level, std::size_t word, Visitor& visit) const {
        for (std::uint64_t bits = levels_[level][word]; bits != 0; bits &= bits - 1) {
            const std::size_t at = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
            if (level == 0)
                visit(static_cast<JobId>(at));
            else
                descend(level - 1, at, visit);
        }
    }

    std::vector<std::vector<std::uint64_t>> levels_; // lowest level first
    std::size_t size_ = 0;
};

} // namespace slotwise
