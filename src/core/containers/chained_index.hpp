// A hash index: finds the numbers of entries by their hashes. The entries are stored elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace slotwise {

// Example: for (i = index.first(hash); i >= 0; i = index.next(i)) visits every number inserted
// under `hash`, and possibly some numbers inserted under other hashes.
class ChainedIndex {
  public:
    ChainedIndex() : first_(16, -1) {}

    std::int32_t first(std::uint64_t hash) const { return first_[bucket(hash)]; }
    std::int32_t next(std::int32_t number) const {
        return links_[static_cast<std::size_t>(number)].next;
    }

    void insert(std::int32_t number, std::uint64_t hash) {
        const auto at = static_cast<std::size_t>(number);
        if (at >= links_.size()) links_.resize(at + 1);
        links_[at].hash = hash;
        if (++size_ > first_.size()) grow();
        links_[at].next = std::exchange(first_[bucket(hash)], number);
    }

    void erase(std::int32_t number) {
        const Link& gone = links_[static_cast<std::size_t>(number)];
        std::int32_t* link = &first_[bucket(gone.hash)];
        while (*link != number)
            link = &links_[static_cast<std::size_t>(*link)].next;
        *link = gone.next;
        --size_;
    }

  private:
    struct Link {
        std::uint64_t hash;
        std::int32_t next; // the next number in its bucket, or -1
    };

    std::size_t bucket(std::uint64_t hash) const {
        return static_cast<std::size_t>(hash * 0x9E3779B97F4A7C15U >> 32) & (first_.size() - 1);
    }

    void grow() {
        std::vector<std::int32_t> numbers;
        for (std::int32_t number : first_)
            for (; number >= 0; number = next(number))
                numbers.push_back(number);
        first_.assign(2 * first_.size(), -1);
        for (const std::int32_t number : numbers) {
            Link& link = links_[static_cast<std::size_t>(number)];
            link.next = std::exchange(first_[bucket(link.hash)], number);
        }
    }

    std::size_t size_ = 0;
    // The first number in each bucket, or -1. The number of buckets is a power of two.
    std::vector<std::int32_t> first_;
    std::vector<Link> links_; // one per number
};

} // namespace slotwise
