// Starts of a replay in the order in which they happened, in blocks that copies share.
//
// A copy costs one pointer per 1,024 starts and the starts of the last block.
#pragma once

#include "types.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace slotwise {

class StartLog {
  public:
    struct Start {
        JobId job;
        Time time;
    };

    void add(JobId job, Time time) {
        last_.push_back({job, time});
        if (last_.size() < kBlock) return;
        full_.push_back(std::make_shared<const std::vector<Start>>(std::move(last_)));
        last_.clear();
    }

    std::size_t size() const { return full_.size() * kBlock + last_.size(); }

    template <class Visit> void for_each(Visit&& visit) const {
        for (const auto& block : full_)
            for (const Start& start : *block)
                visit(start);
        for (const Start& start : last_)
            visit(start);
    }

  private:
    static constexpr std::size_t kBlock = 1024;

    std::vector<std::shared_ptr<const std::vector<Start>>> full_;
    std::vector<Start> last_;
};

} // namespace slotwise
