// The waiting jobs of conservative backfilling and their promised starts, in policy order.
#pragma once

#include "containers/compare_block.hpp"
#include "types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

struct Promise {
    JobId job;
    std::uint32_t rank;
    ProcCount processors;
    Duration duration; // at least 1
    Time start;

    Time end() const { return start + duration; }
};

// Promises are sorted by rank, in blocks of up to 64. Each block stores its smallest width and its
// earliest start, so that a block without candidates can be skipped after one comparison.
class PromiseQueue {
  public:
    struct Position {
        std::size_t block;
        std::uint32_t index;
    };

    // Times are compared as 32-bit offsets from `base`. All times beyond that range compare as
    // equal, so that no promise that could move earlier is missed.
    explicit PromiseQueue(Time base) : base_(base) {}

    Time base() const { return base_; }
    std::size_t size() const { return size_; }
    std::size_t n_blocks() const { return slot_.size(); }

    void insert(const Promise& promise);
    Promise get(Position p) const {
        const Block& b = at(p.block);
        return {b.job[p.index], b.rank[p.index], b.processors[p.index], b.duration[p.index],
                b.start[p.index]};
    }
    void set_start(Position p, Time start);

    // Returns the position of the promise of a waiting job. Takes O(n) time.
    Position find(JobId job) const;
    // Returns the position of the promise with this rank.
    Position find_ranked(std::uint32_t rank) const;
    std::uint32_t first_rank(std::size_t block) const { return first_rank_[block]; }

    // Adds those promises of the block, from index `first` on, that may move earlier because of a
    // freed span.
    void add_gaining(std::size_t block, std::uint32_t first,
                     std::span<const StretchBounds> openings, GainingJobs& lanes) const;

    // Returns the bits of the block's promises that start before `to`.
    std::uint64_t before(std::size_t block, Time to) const;
    // Returns the bits of all promises of the block.
    std::uint64_t all(std::size_t block) const { return first_lanes(at(block).count); }

    // Removes the promises of the block whose bits are set, of which there must be at least one.
    // Returns true if the block itself was removed, or was joined to its predecessor. In that case,
    // `block` is now the index of the next block.
    bool remove(std::size_t block, std::uint64_t lanes);

    Time first_start() const;
    Time first_start(std::size_t block) const { return first_start_[block]; }

    // Lists the waiting jobs in policy order.
    void list_jobs(std::vector<JobId>& jobs) const;
    // Gives the waiting jobs a new policy order, with the ranks 0, 1, …
    void reorder(const std::vector<JobId>& jobs);

  private:
    struct Block {
        std::uint32_t count = 0;
        std::array<ProcCount, kLanes> processors;
        std::array<Duration, kLanes> duration;
        // Results of coarse_time(), which are compared in vector lanes.
        std::array<std::int32_t, kLanes> coarse_duration;
        std::array<std::int32_t, kLanes> coarse_start;
        std::array<Time, kLanes> start;
        std::array<std::uint32_t, kLanes> rank;
        std::array<JobId, kLanes> job;
    };

    // Copies the promises [from, to) of `source` to `target`, from index `at` on. Within one block,
    // promises may be copied only towards the front.
    static void copy(const Block& source, std::uint32_t from, std::uint32_t to, Block& target,
                     std::uint32_t at);

    Block& at(std::size_t block) { return blocks_[slot_[block]]; }
    const Block& at(std::size_t block) const { return blocks_[slot_[block]]; }
    std::size_t new_block(std::size_t at);
    void split(std::size_t block);
    void drop(std::size_t block);
    bool join_to_previous_if_small(std::size_t block);
    void refresh(std::size_t block);
    void put(Block& block, std::uint32_t index, const Promise& promise);

    Time base_;
    std::size_t size_ = 0;
    std::vector<Block> blocks_;        // storage, in no particular order
    std::vector<std::uint32_t> spare_; // unused indices in blocks_
    std::vector<Promise> sorting_;     // scratch memory
    // The following vectors have one element per block, in policy order.
    std::vector<std::uint32_t> slot_;
    std::vector<std::uint32_t> first_rank_;
    std::vector<ProcCount> narrowest_;
    std::vector<Time> first_start_;
};

} // namespace slotwise
