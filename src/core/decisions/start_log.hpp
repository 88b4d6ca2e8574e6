// The starts of jobs in a replay, in the order in which they happened.
#pragma once

#include "containers/shared_log.hpp"
#include "types.hpp"

#include <cstddef>
#include <utility>

namespace slotwise {

class StartLog {
  public:
    struct Start {
        JobId job;
        Time time;
    };

    void add(JobId job, Time time) { starts_.add({job, time}); }
    std::size_t size() const { return starts_.size(); }
    template <class Visit> void for_each(Visit&& visit) const {
        starts_.for_each(std::forward<Visit>(visit));
    }

  private:
    SharedLog<Start> starts_;
};

} // namespace slotwise
