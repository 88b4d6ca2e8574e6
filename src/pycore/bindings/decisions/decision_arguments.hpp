// Converts options and columns from Python values, for replays in which an outside agent makes the
// decisions.
#pragma once

#include "bindings.hpp"
#include "decisions/decision_batch.hpp"
#include "decisions/decision_replay.hpp"
#include "decisions/observation.hpp"
#include "decisions/reward.hpp"

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace slotwise::bindings {

struct DecisionSetup {
    DecisionOptions options;
    ObservationRule observation;
    Reward reward = Reward::none;
};

// Allows only one call at a time; a second call at the same time raises a RuntimeError.
class OneCall {
  public:
    explicit OneCall(std::atomic<bool>& in_use) : in_use_(in_use) {
        if (in_use.exchange(true))
            throw std::runtime_error("the environment is in the middle of a call from another "
                                     "thread; give each thread its own copy");
    }
    ~OneCall() { in_use_ = false; }
    OneCall(const OneCall&) = delete;

  private:
    std::atomic<bool>& in_use_;
};

// Throws std::invalid_argument if the choice is outside the action space, or if the episode is
// over.
std::size_t checked_choice(const DecisionReplay& replay, std::int64_t choice);

// Begins an episode with the rows [first, last), and warm-up from row `warm_from`. Throws
// std::invalid_argument if there are no such rows, or if `warm_from` is after `first`.
void begin_episode(DecisionReplay& replay, JobId first, JobId last, JobId warm_from);

// Throws std::invalid_argument if a score is NaN.
void check_scores(const double* scores, std::size_t n);

py::dict queue_columns(const DecisionReplay& replay);
py::dict running_columns(const DecisionReplay& replay);
py::dict totals_of(const DecisionReplay& replay);
py::array starts_of(const DecisionReplay& replay);

// Convert the state of a replay to plain values, and back.
py::tuple state_of(const DecisionReplay& replay);
void resume_from(DecisionReplay& replay, const py::tuple& written);

void bind_decision_setup(py::module_& module);

} // namespace slotwise::bindings
