// The waiting jobs under conservative backfilling, with their promised starts, in policy order.
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

// The number of a promise. It stays the same as long as the promise exists, and may be reused
// afterwards.
using PromiseId = std::int32_t;

inline constexpr PromiseId kNoPromise = -1;

// Promises are sorted by rank and stored in blocks of up to 64. Each block stores its smallest
// width, its shortest duration and its earliest start, so that a block without candidates is
// skipped after a few comparisons. Promises can also be numbered. They can then be found by number,
// and linked to each other in any order.
class PromiseQueue {
  public:
    struct Position {
        std::size_t block;
        std::uint32_t index;
    };

    // Times are compared as 32-bit offsets from `base`. Times beyond that range compare as equal,
    // so that no promise that could move earlier is missed.
    explicit PromiseQueue(Time base) : base_(base) {}

    Time base() const { return base_; }
    std::size_t size() const { return size_; }
    std::size_t n_blocks() const { return slot_.size(); }

    Position insert(const Promise& promise);
    Promise get(Position p) const {
        const Block& b = at(p.block);
        return {b.job[p.index], b.rank[p.index], b.processors[p.index], b.duration[p.index],
                b.start[p.index]};
    }
    void set_start(Position p, Time start);

    // Returns the position of the promise of a waiting job. Takes O(n) time.
    Position find(JobId job) const;
    // Returns the position of the promise with this rank, which must exist.
    Position find_ranked(std::uint32_t rank) const;
    std::uint32_t first_rank(std::size_t block) const { return first_rank_[block]; }

    // Finds the promises in the block, from index `first` onwards, that may move to an earlier
    // start because of a freed span. Adds them to `lanes`.
    void add_gaining(std::size_t block, std::uint32_t first, std::span<const SpanBounds> spans,
                     GainingJobs& lanes) const;

    // Returns a bit mask of the promises in the block, from index `first` onwards, that are within
    // `bounds`.
    std::uint64_t within(std::size_t block, std::uint32_t first, const RoomBounds& bounds) const;

    // Returns a bit mask of the promises in the block that start before `to`.
    std::uint64_t before(std::size_t block, Time to) const;
    // Returns a bit mask of all promises in the block.
    std::uint64_t all(std::size_t block) const { return first_lanes(at(block).count); }

    // Removes the promises in the block whose bits in `lanes` are set. At least one bit must be
    // set. Returns true if the block no longer exists, because it is empty or was joined to the
    // block before it. `block` is then the index of the next block.
    bool remove(std::size_t block, std::uint64_t lanes);

    Time first_start() const;
    Time first_start(std::size_t block) const { return first_start_[block]; }

    // Lists the waiting jobs in policy order.
    void list_jobs(std::vector<JobId>& jobs) const;
    // Sets a new policy order of the waiting jobs, with ranks 0, 1, … If promises are numbered,
    // they get new numbers.
    void reorder(const std::vector<JobId>& jobs);

    // number_all() numbers all promises, including those inserted later; drop_numbers() removes the
    // numbers.
    void number_all();
    void drop_numbers();

    // The following functions may be called only while promises are numbered.
    PromiseId id(Position p) const { return at(p.block).id[p.index]; }
    const Promise& of(PromiseId id) const { return entry(id).promise; }

    // The neighbours of a promise in a list of PromisedStarts.
    struct Links {
        PromiseId previous;
        PromiseId next;
    };
    Links& links(PromiseId id) { return entry(id).links; }
    const Links& links(PromiseId id) const { return entry(id).links; }

    // Bit masks of the promises in one block that may be able to move to an earlier start. They are
    // not kept up to date when promises are added or removed.
    struct Marks {
        std::uint64_t reached = 0; // enough processors may be free just before the start
        std::uint64_t room = 0;    // there may be room at some time before the promised start
    };
    void mark_reached(PromiseId id) {
        const BlockIndex place = entry(id).place;
        marks_[place.slot].reached |= std::uint64_t{1} << place.index;
    }
    void mark_room(PromiseId id) {
        const BlockIndex place = entry(id).place;
        marks_[place.slot].room |= std::uint64_t{1} << place.index;
    }
    Marks& marks(std::size_t block) { return marks_[slot_[block]]; }

  private:
    struct Block {
        std::uint32_t count = 0;
        std::array<ProcCount, kLanes> processors;
        std::array<Duration, kLanes> duration;
        // Values of coarse_time(), which are compared in SIMD lanes.
        std::array<std::int32_t, kLanes> coarse_duration;
        std::array<std::int32_t, kLanes> coarse_start;
        std::array<Time, kLanes> start;
        std::array<std::uint32_t, kLanes> rank;
        std::array<JobId, kLanes> job;
        std::array<PromiseId, kLanes> id; // used only if promises are numbered
    };
    struct BlockIndex {
        std::uint32_t slot; // index in blocks_
        std::uint32_t index;
    };
    struct Entry {
        Promise promise;
        Links links;
        BlockIndex place;
    };

    Entry& entry(PromiseId id) { return entries_[static_cast<std::size_t>(id)]; }
    const Entry& entry(PromiseId id) const { return entries_[static_cast<std::size_t>(id)]; }

    // Moves the promises [from, to) of `source` to the block `slot`, from index `at` onwards.
    // Within the same block, promises can be moved only towards the front.
    void shift(const Block& source, std::uint32_t from, std::uint32_t to, std::uint32_t slot,
               std::uint32_t at);

    Block& at(std::size_t block) { return blocks_[slot_[block]]; }
    const Block& at(std::size_t block) const { return blocks_[slot_[block]]; }
    std::size_t new_block(std::size_t at);
    void split(std::size_t block);
    void drop(std::size_t block);
    bool join_to_previous_if_small(std::size_t block);
    void refresh(std::size_t block);
    PromiseId number(const Promise& promise);
    void note_places(std::uint32_t slot, std::uint32_t from);

    Time base_;
    std::size_t size_ = 0;
    std::vector<Block> blocks_;        // in no particular order
    std::vector<std::uint32_t> spare_; // unused indices in blocks_
    std::vector<Promise> sorting_;     // scratch memory
    bool is_numbered_ = false;
    std::vector<Entry> entries_;       // indexed by number
    std::vector<PromiseId> spare_ids_; // unused indices in entries_
    std::vector<Marks> marks_;         // one per element of blocks_
    // The following arrays have one element per block, in policy order.
    std::vector<std::uint32_t> slot_;
    std::vector<std::uint32_t> first_rank_;
    std::vector<ProcCount> narrowest_;
    std::vector<std::int32_t> shortest_; // values of coarse_time()
    std::vector<Time> first_start_;
};

} // namespace slotwise
