#include "planner/slurm/slurm_planner.hpp"

#include "admission/routing.hpp"
#include "planner/slurm/slurm_main.hpp"
#include "replay/limit_checks.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

SlurmPlanner::SlurmPlanner(const ReplayContext& context)
    : context_(context), rules_(context.policy),
      occupancy_((site_ = std::make_shared<const SlurmSite>(context.site, context.routing.get(),
                                                            context.jobs, rules_))
                     ->cluster),
      search_(site_->cluster, occupancy_, site_->requests, rules_),
      backfill_(site_->cluster, rules_), admission_(context.site, context.jobs, context.routing),
      queue_(*site_, context.policy.order, context.jobs), places_(context.jobs.size()),
      completing_nodes_(site_->cluster.n_nodes()), passes_(rules_, context.jobs.first_submit),
      last_backfill_(context.jobs.first_submit - rules_.bf_interval),
      next_renewal_(context.jobs.first_submit + rules_.calc_period) {}

SlurmPlanner::SlurmPlanner(const SlurmPlanner& other, const ReplayContext& context)
    : Scheduler(other), context_(context), site_(other.site_), rules_(other.rules_),
      occupancy_(other.occupancy_),
      search_(other.search_, site_->cluster, occupancy_, site_->requests),
      backfill_(other.backfill_), admission_(other.admission_),
      queue_(other.queue_, context.policy.order, context.jobs), watch_(other.watch_),
      places_(other.places_), too_large_(other.too_large_), turned_away_(other.turned_away_),
      completing_(other.completing_), completing_nodes_(other.completing_nodes_),
      is_quiet_(other.is_quiet_), weights_before_(other.weights_before_),
      weights_after_(other.weights_after_), stuck_(other.stuck_), passes_(other.passes_),
      last_backfill_(other.last_backfill_), next_renewal_(other.next_renewal_) {
    backfill_.rebind(site_->cluster, rules_);
}

// Puts the nodes of jobs that have just ended into the completing state (unless there is no
// epilog), and frees the nodes that have left this state. Returns true if any nodes become free.
bool SlurmPlanner::finish(std::span<const JobId> ended, Time now) {
    const bool were_any = !completing_.empty();
    const std::size_t n_completed = std::erase_if(completing_, [&](const Completing& each) {
        if (each.until <= now) note_over(each.job, each.until);
        return each.until <= now;
    });
    for (const JobId job : ended) {
        std::vector<std::int32_t> nodes = occupancy_.end(job);
        std::vector<Place> places;
        for (const std::int32_t node : nodes)
            places.push_back({node, 0});
        admission_.note_ended(job, static_cast<QueueId>(site_->partition_of[job]),
                              context_.jobs.processors[job], places);
        if (rules_.epilog > 0)
            completing_.push_back({now + rules_.epilog, job, std::move(nodes)});
        else
            note_over(job, now);
    }
    const bool are_freed = n_completed > 0 || (rules_.epilog == 0 && !ended.empty());
    if (!were_any && completing_.empty()) return are_freed;
    is_quiet_ = false;
    completing_nodes_.clear();
    for (const Completing& each : completing_)
        for (const std::int32_t node : each.nodes)
            completing_nodes_.add(node);
    return are_freed;
}

void SlurmPlanner::note_over(JobId job, Time end) {
    admission_.note_over(job, end,
                         context_.jobs.succeeds(job) ? JobEnding::succeeded : JobEnding::failed);
}

void SlurmPlanner::enqueue(JobId job, Time limit, Time eligible, Time now) {
    admission_.note_queued(queue_.insert(job, limit, eligible, now));
    is_quiet_ = false;
}

// Adds to the queue the jobs whose dependencies are now met. This does not make either scheduler
// run.
void SlurmPlanner::admit_opened(Time now) {
    for (const auto& [since, job] : admission_.take_opened(now))
        enqueue(job, slurm_limit(context_.jobs.requested_time[job]), since, now);
}

// Admits jobs that have arrived. As in Slurm, the limits of the partition are checked first, and
// then the limits on submitted jobs.
void SlurmPlanner::admit(std::span<const JobId> arrived, Time now) {
    std::vector<JobId> valid;
    while (!arrived.empty()) {
        const std::span<const JobId> together = arrived.first(n_submitted_together(arrived));
        arrived = arrived.subspan(together.size());
        valid.clear();
        for (const JobId job : together) {
            if (rules_.enforces_part_limits && !may_start(job)) {
                too_large_.push_back(job);
                admission_.note_over(job, now, JobEnding::turned_away);
            } else {
                valid.push_back(job);
            }
        }
        const bool are_taken = admission_.take(valid);
        for (const JobId job : valid) {
            if (are_taken) {
                admit(job, now);
            } else {
                turned_away_.push_back(job);
                admission_.note_over(job, now, JobEnding::turned_away);
            }
        }
    }
}

void SlurmPlanner::admit(JobId job, Time now) {
    search_.submit(site_->request_of[job], site_->partition_of[job]);
    if (!may_start(job)) {
        too_large_.push_back(job);
        return;
    }
    if (!admission_.admits(job, now)) return;
    enqueue(job, slurm_limit(context_.jobs.requested_time[job]), context_.jobs.submit(job), now);
    passes_.request(now);
}

bool SlurmPlanner::may_start(JobId job) const {
    return site_->may_start(job, slurm_limit(context_.jobs.requested_time[job]));
}

// Returns the number of jobs that were submitted together with the first of the arrived jobs: that
// job, and the tasks of its array that follow it.
std::size_t SlurmPlanner::n_submitted_together(std::span<const JobId> arrived) const {
    const std::vector<std::int64_t>& array = context_.jobs.table->array_id;
    if (array.empty() || array[arrived.front()] < 0) return 1;
    const auto is_other = [&](JobId job) { return array[job] != array[arrived.front()]; };
    const auto end = std::find_if(arrived.begin(), arrived.end(), is_other);
    return static_cast<std::size_t>(end - arrived.begin());
}

void SlurmPlanner::start(const SlurmStart& started, Time now, Starts& starts) {
    const SlurmJob& job = queue_.jobs()[started.position];
    const SlurmRequest& request = site_->requests[job.request];
    std::vector<Amounts> shares;
    std::vector<Place> places;
    for (std::size_t i = 0; i < started.nodes.size(); ++i) {
        shares.push_back(occupancy_.share(request, started.nodes[i], started.units[i]));
        places.push_back({started.nodes[i], started.units[i]});
    }
    if (!admission_.allows_on(job, places)) return;
    occupancy_.start(job.job, now + job.limit, started.nodes, shares);
    places_.set(job.job, places);
    const auto before = queue_.jobs().first(started.position);
    const bool past = std::any_of(before.begin(), before.end(),
                                  [](const SlurmJob& each) { return each.job != kNoJob; });
    starts.add(job.job, past);
    is_quiet_ = false;
    admission_.note_started(job, context_.jobs.processors[job.job], places);
    queue_.mark_started(started.position);
}

SlurmAnswers SlurmPlanner::answers(Time now, Starts& starts) {
    SlurmAnswers answers{
        [this, now, &starts](const SlurmStart& started) { start(started, now, starts); }};
    if (admission_.has_limits())
        answers.holds_back = [this, now](const SlurmJob& job) {
            return admission_.holds_back(job, context_.jobs.processors[job.job], now);
        };
    return answers;
}

void SlurmPlanner::run_main(std::int64_t depth, Time now, Starts& starts) {
    slurm_main_pass(site_->cluster, rules_, queue_.jobs(), depth, now, completing_nodes_, search_,
                    answers(now, starts));
    queue_.sweep();
}

void SlurmPlanner::run_backfill(Time now, Starts& starts) {
    backfill_.run(queue_.jobs(), now, completing_nodes_, search_, answers(now, starts));
    if (watch_.is_on()) watch_.follow(site_->cluster, backfill_, queue_.jobs(), now, search_);
    queue_.sweep();
}

// Returns the time at which the schedulers stop waiting for completing jobs. Example: if a job ends
// at 100, both wait until its nodes are free, but resume no later than at 101 + complete_wait.
Time SlurmPlanner::completed_by(Time now) const {
    Time time = now;
    if (rules_.complete_wait == 0) return time;
    for (const Completing& each : completing_) {
        const Time end = each.until - rules_.epilog;
        time = std::max(time, std::min(each.until, end + rules_.complete_wait + 1));
    }
    return time;
}

// Runs the main scheduler if a pass is due. While the scheduler waits for a completing job, any
// pass that becomes due is skipped.
void SlurmPlanner::run_main_due(Time now, Starts& starts) {
    const SlurmPass pass = passes_.take(now);
    if (pass == SlurmPass::none || completed_by(now) > now) return;
    run_main(pass == SlurmPass::all_jobs ? kAnyDepth : rules_.default_queue_depth, now, starts);
}

void SlurmPlanner::run_due(Time now, Starts& starts) {
    run_main_due(now, starts);
    if (rules_.bf_interval == 0 || now - last_backfill_ < rules_.bf_interval) return;
    if (completed_by(now) > now) return;
    const std::vector<std::int32_t>& weights = search_.gpu_weights().values();
    if (!is_quiet_ || now >= backfill_.same_until() || weights != weights_before_) {
        const std::size_t n_waiting = queue_.size();
        weights_before_ = weights;
        run_backfill(now, starts);
        weights_after_ = weights;
        is_quiet_ = queue_.size() == n_waiting;
    } else {
        search_.set_gpu_weights(weights_after_);
    }
    last_backfill_ = now;
}

Time SlurmPlanner::next_time(Time now) const {
    Time next = admission_.next();
    for (const Completing& each : completing_)
        next = std::min(next, each.until);
    if (queue_.size() == 0 || stuck_) return next;
    Time run = passes_.next();
    if (rules_.bf_interval > 0)
        run = std::min(run, std::max(last_backfill_ + rules_.bf_interval, completed_by(now)));
    if (queue_.drifts()) run = std::min(run, next_renewal_);
    return std::min(next, std::max(run, now + 1));
}

void SlurmPlanner::pass(const Instant& instant, Starts& starts) {
    const Time now = instant.now;
    passes_.note_idle(now);
    if (finish(instant.ended, now)) {
        if (rules_.defer || !rules_.has_epilog)
            passes_.request(now);
        else
            passes_.require(now);
    }
    if (queue_.drifts() && now >= next_renewal_) {
        next_renewal_ = now - (now - next_renewal_) % rules_.calc_period;
        queue_.renew(next_renewal_);
        is_quiet_ = false;
        next_renewal_ += rules_.calc_period;
    }
    admit_opened(now);
    admit(instant.arrived, now);
    admit_opened(now); // rejected jobs may satisfy dependencies of other jobs
    if (!instant.ended.empty() || !instant.arrived.empty() || !completing_.empty())
        is_quiet_ = false;
    if (queue_.size() > 0) run_due(now, starts);
    // If the machine is idle and no job has started, nothing changes until the next submission.
    stuck_ = occupancy_.running().empty() && completing_.empty() && last_backfill_ == now &&
             !passes_.is_any_pending();
    due_ = next_time(now);
}

void SlurmPlanner::describe(Schedule& schedule) const {
    if (context_.routing == nullptr) return;
    const std::size_t n = context_.jobs.size();
    schedule.queue.resize(n);
    schedule.pool.assign(n, -1);
    for (JobId job = 0; job < n; ++job) {
        schedule.queue[job] = static_cast<std::int16_t>(context_.routing->queue_of[job]);
        if (schedule.start[job] != kNotStarted) schedule.pool[job] = 0;
    }
    schedule.places = places_;
    const auto reject = [&](JobId job, RejectReason reason) {
        if (!schedule.state.empty())
            schedule.state[job] = static_cast<std::uint8_t>(State::rejected);
        schedule.reject_reason[job] = static_cast<std::uint8_t>(reason);
    };
    for (const JobId job : turned_away_)
        reject(job, RejectReason::over_submitted);
    if (!rules_.enforces_part_limits) return;
    for (const JobId job : too_large_)
        reject(job, RejectReason::limit);
}

} // namespace slotwise
