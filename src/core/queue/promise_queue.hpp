// The waiting jobs of conservative backfilling and the starts they were promised, in policy order.
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
    Duration duration; // >= 1
    Time start;

    Time end() const { return start + duration; }
};

// Promises sorted by rank in blocks of up to 64 columns; each block knows its narrowest job and its
// first start, so that one that holds nothing of interest is passed over in a comparison.
class PromiseQueue {
  public:
    struct Position {
        std::size_t block;
        std::uint32_t index;
    };

    // Times are compared in 32 bits from `base` on, those beyond as if equal: what may gain is
    // never missed.
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

    // Where the promise of a waiting job stands. O(n).
    Position find(JobId job) const;

    // Adds those of the block's promises from index `first` on that may gain by an opening.
    void add_gaining(std::size_t block, std::uint32_t first,
                     std::span<const StretchBounds> openings, GainingJobs& lanes) const;

    // Bits of the block's promises that start before `to`, and of all of them.
    std::uint64_t before(std::size_t block, Time to) const;
    std::uint64_t all(std::size_t block) const { return first_lanes(at(block).count); }

    // Removes those of the block whose bits are set, at least one; true where the block went with
    // them, or what is left of it to its predecessor, so that its successor has taken its place.
    bool remove(std::size_t block, std::uint64_t lanes);

    Time first_start() const;
    Time first_start(std::size_t block) const { return first_start_[block]; }

    // The waiting jobs in policy order, and a new policy order for them: ranks 0, 1, …
    void list_jobs(std::vector<JobId>& jobs) const;
    void reorder(const std::vector<JobId>& jobs);

  private:
    struct Block {
        std::uint32_t count = 0;
        std::array<ProcCount, kLanes> processors;
        std::array<Duration, kLanes> duration;
        // As coarse_time gives them, for comparison in lanes.
        std::array<std::int32_t, kLanes> coarse_duration;
        std::array<std::int32_t, kLanes> coarse_start;
        std::array<Time, kLanes> start;
        std::array<std::uint32_t, kLanes> rank;
        std::array<JobId, kLanes> job;
    };

    // Copies the promises at [from, to) of `source` to `target`, from index `at` on; within one
    // block towards its front only.
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
    std::vector<Block> blocks_;        // storage, in no order
    std::vector<std::uint32_t> spare_; // of blocks_, not in use
    std::vector<Promise> sorting_;     // scratch
    // One element a block, in policy order.
    std::vector<std::uint32_t> slot_;
    std::vector<std::uint32_t> first_rank_;
    std::vector<ProcCount> narrowest_;
    std::vector<Time> first_start_;
};

} // namespace slotwise
