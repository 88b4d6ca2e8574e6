// When running jobs will give their processors back, by what is believed of them.
//
// Two parts: what has started since the last look lies unsorted in `fresh_`; a look ahead sorts it
// into blocks of ascending times, each with the sum of its processors. So a job that starts and
// ends between two looks is never sorted.
#pragma once

#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotwise {

class Releases {
  public:
    explicit Releases(std::size_t n_jobs) : fresh_at_(n_jobs, kSorted) {}

    // `job` starts and is believed to end at `end`.
    void add(JobId job, Time end, ProcCount processors) {
        fresh_at_[job] = static_cast<std::uint32_t>(fresh_.size());
        fresh_.push_back({end, processors, job});
    }

    // `job`, added with these values, is running no longer.
    void remove(JobId job, Time end, ProcCount processors);

    struct Point {
        Time time;             // kNever where all releases together do not reach
        std::int64_t released; // processors given back up to and including `time`
    };

    // The earliest time by which at least `processors` are given back.
    Point reaching(std::int64_t processors);

    // Processors given back at or before `time`.
    std::int64_t released_by(Time time);

  private:
    static constexpr std::uint32_t kSorted = 0xFFFFFFFFU;
    static constexpr std::size_t kCapacity = 64;

    struct Fresh {
        Time end;
        ProcCount processors;
        JobId job;
    };
    struct Block {
        Time times[kCapacity]; // ascending, distinct
        ProcCount processors[kCapacity];
    };

    void sort_in_fresh();
    void insert(Time end, ProcCount processors);
    void erase(Time end, ProcCount processors);
    std::size_t block_of(Time end) const;
    void open_block(std::size_t at);
    void split(std::size_t at);

    std::vector<Fresh> fresh_;
    std::vector<std::uint32_t> fresh_at_; // by job: its place in fresh_, or kSorted
    std::vector<Block> blocks_;
    std::vector<std::uint32_t> spare_; // blocks not in use
    // The blocks in ascending order of their times:
    std::vector<std::uint32_t> block_;
    std::vector<std::uint32_t> count_;
    std::vector<Time> last_;
    std::vector<std::int64_t> sum_;
};

} // namespace slotwise
