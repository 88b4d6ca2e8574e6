// Replays a trace on a machine without nodes. In each scheduling pass, an agent decides which job
// goes first.
//
// The size of the state, and therefore the cost of copying it, grows with the numbers of waiting
// and running jobs, not with the length of the trace.
#pragma once

#include "decisions/decision_jobs.hpp"
#include "decisions/decision_state.hpp"
#include "decisions/running_jobs.hpp"
#include "decisions/start_log.hpp"
#include "decisions/totals.hpp"
#include "order/order.hpp"
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace slotwise {

// The kinds of decision that an agent can make.
enum class Decides : std::uint8_t {
    job,    // the agent chooses the head of the queue, and decides again after each start
    front,  // the agent chooses the head once per pass; the rest follow in the policy's order
    score,  // the agent gives each job in the window a score, once per pass
    policy, // the agent chooses the policy for the next period
};

struct DecisionOptions {
    Decides decides = Decides::job;
    std::size_t window = 128;  // number of jobs that the agent chooses from
    bool keeps_choice = false; // Decides::job: a chosen job stays the head until it starts
    Time period = 3600;        // Decides::policy: seconds between decisions
};

// A scheduling pass starts jobs in order until it reaches one that does not fit. That job is the
// head of the queue. The pass then starts those jobs behind the head that the policy's backfill
// rule permits. The agent decides in each pass in which at least one waiting job fits. Under
// Decides::policy, it decides at the first instant, and then at each multiple of the period if
// something has happened since its last decision.
//
// Example: on a machine with 4 processors, job 0 (4 processors, 10 s) is running. When it ends, job
// 1 (3 processors) and job 2 (2 processors) are waiting. The agent chooses job 2, which starts. Job
// 1 then does not fit, so the agent has nothing further to decide.
class DecisionReplay {
  public:
    DecisionReplay(std::shared_ptr<const DecisionJobs> jobs, const DecisionOptions& options);
    DecisionReplay(const DecisionReplay& other);

    // Begins an episode with the jobs from `first` to `last` − 1 (at least one job), and continues
    // to the first decision. Before the episode, the jobs from `warm_from` to `first` − 1 are
    // replayed under the first policy, beginning with an empty machine.
    void begin(JobId first, JobId last, JobId warm_from);

    // Replaces the jobs and policies from the next call to begin() onwards. The number of policies
    // must stay the same.
    void use(std::shared_ptr<const DecisionJobs> jobs);

    // Copies the state of `other`, which must have the same options, and continues from it.
    void take(const DecisionReplay& other);

    // Applies a decision and continues to the next one; requires !done(). `choice` is the position
    // of a job in the window or, under Decides::policy, the position of a policy in the list of
    // policies. If `choice` is too large, the largest valid position is used instead, and the
    // replacement is counted.
    void choose(std::size_t choice);
    // Applies a decision under Decides::score: one score per job in the window, where jobs with
    // higher scores go first. No score may be NaN.
    void score(std::span<const double> scores);

    bool done() const { return at_.done; } // every job has ended
    Time now() const { return at_.now; }
    ProcCount free() const { return at_.free; }
    std::span<const JobId> waiting() const { return at_.waiting; } // in the policy's order
    std::span<const JobId> window() const {
        return waiting().first(std::min(options_.window, at_.waiting.size()));
    }
    const DecisionState& state() const { return at_; }
    void resume(DecisionState state); // continues from a state with the same jobs and options
    const Totals& totals() const { return at_.totals; }
    const DecisionJobs& jobs() const { return *jobs_; }
    const DecisionOptions& options() const { return options_; }

    // Returns the number of choices that are valid now.
    std::size_t n_choices() const {
        return options_.decides == Decides::policy ? jobs_->rules().size() : window().size();
    }

  private:
    const DecisionJobs::Rule& rule() const { return jobs_->rules()[at_.rule]; }
    void go_on();
    bool asks_in_pass();
    bool asks_for_policy(Time next);
    void follow_kept_choice();
    Time next_event() const;
    void move_to(Time time);
    void arrive(JobId job);
    void insert(JobId job);
    void end_jobs();
    void start(JobId job);
    void leave(JobId job);
    void take_policy(std::size_t choice);
    void sort_waiting();
    void pass(std::span<const JobId> order);
    void put_in_front(JobId job);
    bool fits(JobId job) const { return jobs_->columns().processors[job] <= at_.free; }

    std::shared_ptr<const DecisionJobs> jobs_;
    DecisionOptions options_;
    std::unique_ptr<Order> order_; // the order of the current policy, if its scores change
    DecisionState at_;
    std::vector<JobId> ordered_; // jobs in the order of the current pass
    std::vector<double> scores_; // scores of these jobs, in the same order
};

} // namespace slotwise
