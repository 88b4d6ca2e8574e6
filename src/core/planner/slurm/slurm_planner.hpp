// Slurm's two schedulers in one planner. Each runs at its own times; both use the same queue and
// the same nodes.
//
// The main scheduler runs after submissions, every `sched_interval`, and as soon as nodes become
// free after a job has ended. Under `defer`, the end of a job is treated like a submission. The
// backfill scheduler runs every `bf_interval` while jobs are waiting. Example with the defaults: a
// job submitted at 100 to an idle machine starts at 100. A job submitted at 101 is considered by
// the main scheduler at 103 (batch_sched_delay), and by the backfill scheduler at 130.
#pragma once

#include "planner/scheduler.hpp"
#include "planner/slurm/nodes/slurm_occupancy.hpp"
#include "planner/slurm/nodes/slurm_search.hpp"
#include "planner/slurm/slurm_admission.hpp"
#include "planner/slurm/slurm_backfill.hpp"
#include "planner/slurm/slurm_pass_times.hpp"
#include "planner/slurm/slurm_queue.hpp"
#include "planner/slurm/slurm_rules.hpp"
#include "planner/slurm/slurm_site.hpp"
#include "planner/slurm/slurm_watch.hpp"

#include <memory>
#include <span>
#include <vector>

namespace slotwise {

class SlurmPlanner final : public Scheduler {
  public:
    explicit SlurmPlanner(const ReplayContext& context);
    SlurmPlanner(const SlurmPlanner& other, const ReplayContext& context);

    void pass(const Instant& instant, Starts& starts) override;
    // Returns false, because next_due() includes the times at which priorities are recalculated.
    bool drifts() const override { return false; }
    std::size_t queued() const override {
        return queue_.size() + too_large_.size() + admission_.n_outside();
    }
    void describe(Schedule& schedule) const override;

    // Starts recording the reasons why a job waits.
    void watch(JobId job) { watch_.watch(job); }
    const std::vector<SlurmNote>& notes() const { return watch_.notes(); }

    std::unique_ptr<Scheduler> clone(const ReplayContext& context) const override {
        return std::make_unique<SlurmPlanner>(*this, context);
    }

  private:
    struct Completing {
        Time until;
        JobId job;
        std::vector<std::int32_t> nodes;
    };

    bool finish(std::span<const JobId> ended, Time now);
    void note_over(JobId job, Time end);
    void enqueue(JobId job, Time limit, Time eligible, Time now);
    void admit(std::span<const JobId> arrived, Time now);
    void admit(JobId job, Time now);
    bool may_start(JobId job) const; // returns true if the job obeys the limits of its partition
    std::size_t n_submitted_together(std::span<const JobId> arrived) const;
    void admit_opened(Time now);
    SlurmAnswers answers(Time now, Starts& starts);
    void run_main(std::int64_t depth, Time now, Starts& starts);
    void run_backfill(Time now, Starts& starts);
    void start(const SlurmStart& started, Time now, Starts& starts);
    void run_due(Time now, Starts& starts);
    void run_main_due(Time now, Starts& starts);
    Time completed_by(Time now) const;
    Time next_time(Time now) const;

    ReplayContext context_;
    std::shared_ptr<const SlurmSite> site_;
    SlurmRules rules_;
    SlurmOccupancy occupancy_;
    SlurmSearch search_;
    SlurmBackfill backfill_;
    SlurmAdmission admission_;
    SlurmQueue queue_;
    SlurmWatch watch_;
    JobPlaces places_;
    // Jobs that exceed a limit of their partition. They are rejected under EnforcePartLimits, and
    // otherwise wait forever.
    std::vector<JobId> too_large_;
    std::vector<JobId> turned_away_; // jobs that exceeded a limit on submitted jobs
    std::vector<Completing> completing_;
    NodeBits completing_nodes_;
    // True if nothing has changed since the last backfill cycle, which started no job.
    bool is_quiet_ = false;
    // The node weights before and after the last cycle. If they differ, another cycle might decide
    // differently.
    std::vector<std::int32_t> weights_before_;
    std::vector<std::int32_t> weights_after_;
    bool stuck_ = false; // the machine is idle, and no waiting job can start
    SlurmPassTimes passes_;
    Time last_backfill_;
    Time next_renewal_;
};

} // namespace slotwise
