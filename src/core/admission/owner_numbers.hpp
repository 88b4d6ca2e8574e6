// Assigns consecutive numbers to users, groups and other owners, in the order in which they first
// occur.
//
// Example: the users 7, 3 and 7 get the numbers 0, 1 and 0.
#pragma once

#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace slotwise {

class OwnerNumbers {
  public:
    static constexpr std::uint32_t kUnknown = 0xFFFFFFFFU; // number used for an unknown owner

    // Returns the number of this owner. Requires `who` >= 0.
    std::uint32_t number_of(std::int32_t who) {
        const auto at = static_cast<std::size_t>(who);
        if (at >= kMostDirect) {
            const auto [found, is_new] = remote_.try_emplace(who, n_);
            if (is_new) ++n_;
            return found->second;
        }
        if (at >= direct_.size()) direct_.resize(at + 1, kUnknown);
        if (direct_[at] == kUnknown) direct_[at] = n_++;
        return direct_[at];
    }
    std::size_t size() const { return n_; }

  private:
    static constexpr std::size_t kMostDirect = 1 << 16;

    std::vector<std::uint32_t> direct_;                      // numbers of owners below kMostDirect
    std::unordered_map<std::int32_t, std::uint32_t> remote_; // numbers of all other owners
    std::uint32_t n_ = 0;
};

} // namespace slotwise
