// Advances many replays together on several threads. An outside agent makes their decisions.
#pragma once

#include "decisions/decision_replay.hpp"
#include "decisions/observation.hpp"
#include "decisions/reward.hpp"
#include "decisions/worker_threads.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// Output arrays owned by the caller, with one row per replay.
struct BatchColumns {
    std::span<float> observation;
    std::span<std::int8_t> mask;
    std::span<double> reward;
    std::span<std::uint8_t> done;
};

class DecisionBatch {
  public:
    DecisionBatch(const std::shared_ptr<const DecisionJobs>& jobs, const DecisionOptions& options,
                  const ObservationRule& observation, Reward reward, std::size_t n,
                  unsigned workers);
    ~DecisionBatch();
    DecisionBatch(const DecisionBatch&) = delete;

    std::size_t size() const { return replays_.size(); }
    const DecisionReplay& replay(std::size_t i) const { return replays_[i]; }
    DecisionReplay& replay(std::size_t i) { return replays_[i]; }

    // Applies one decision to each replay that is not skipped, and fills in the output rows of that
    // replay. The decision is one entry of `choices` or, under Decides::score, the scores of the
    // jobs in the replay's window. Replays that are done must be skipped. If a replay throws an
    // exception, step() rethrows it, and the episode of that replay ends.
    void step(std::span<const std::int64_t> choices, std::span<const double> scores,
              std::span<const std::uint8_t> skipped, const BatchColumns& out);

    // Fills in the output rows of replay `i` after its episode has begun. The reward is left
    // unchanged.
    void show(std::size_t i, const BatchColumns& out) const;

  private:
    void step_one(std::size_t i, std::span<const std::int64_t> choices,
                  std::span<const double> scores, const BatchColumns& out);
    WorkerThreads& threads();

    std::vector<DecisionReplay> replays_;
    ObservationRule observation_;
    Reward reward_;
    std::size_t n_choices_;
    unsigned workers_;
    std::unique_ptr<WorkerThreads> threads_; // null until the first step
    std::int64_t process_ = 0;               // the process that started the threads
    std::vector<std::exception_ptr> faults_;
};

} // namespace slotwise
