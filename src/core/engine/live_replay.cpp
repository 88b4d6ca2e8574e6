#include "engine/live_replay.hpp"

#include "guard.hpp"
#include "planner/make_scheduler.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace slotwise {

namespace {

// A scheduler for a table without jobs, which planners need not support.
class IdleScheduler final : public Scheduler {
  public:
    void pass(const Instant&, Starts&) override {}
    std::size_t queued() const override { return 0; }
    void take_over(const Underway&) override {}
    bool remembers() const override { return false; }
    void change_policy(const std::shared_ptr<Dispatcher>&, std::span<const JobId>) override {}
    std::unique_ptr<Scheduler> clone(const ReplayContext&) const override {
        return std::make_unique<IdleScheduler>();
    }
};

std::unique_ptr<Scheduler> planner_for(const ReplayContext& context,
                                       const std::shared_ptr<Dispatcher>& dispatcher) {
    if (context.jobs.size() == 0) return std::make_unique<IdleScheduler>();
    return make_scheduler(context, dispatcher);
}

void put_user_priority_first(Site& site) {
    site.policy.order.manual_first = true;
    if (site.policy.backfill_order) site.policy.backfill_order->manual_first = true;
    for (Queue& queue : site.queues)
        queue.order.manual_first = true;
}

bool changes_order(const Intervention& done) {
    return done.change == Change::priority || done.change == Change::policy;
}

} // namespace

void refuse_job(const JobTable& table, JobId job, const std::string& why) {
    const std::int64_t number = table.job_id.empty() ? job : table.job_id[job];
    throw std::invalid_argument("job " + std::to_string(number) + " " + why);
}

LiveReplay::LiveReplay(const Recipe& recipe, DispatchLog past)
    : table_(recipe.table), site_(recipe.site), dispatcher_(recipe.dispatcher) {
    const std::vector<Intervention>& done = recipe.interventions;
    if (!site_.is_plain() && std::any_of(done.begin(), done.end(), changes_order))
        put_user_priority_first(site_);
    for (const Intervention& intervention : done)
        if (intervention.change == Change::arrive) late_.push_back(intervention.job);
    loop_ = std::make_unique<Simulator>(
        table_, PreparedSite(site_), [this](const ReplayContext& context) {
            return std::make_unique<JobTracker>(context, planner_for(context, dispatcher_));
        });
    tracker().follow_log(std::move(past));
    if (!late_.empty()) loop_->arrivals().close_at(late_.front());
}

LiveReplay::LiveReplay(const LiveReplay& other)
    : table_(other.table_), site_(other.site_), dispatcher_(other.dispatcher_),
      loop_(std::make_unique<Simulator>(*other.loop_)), late_(other.late_), n_late_(other.n_late_),
      pass_due_(other.pass_due_), is_remade_(other.is_remade_) {}

void LiveReplay::apply(const Intervention& intervention, Moment at) {
    const JobId job = intervention.job;
    switch (intervention.change) {
    case Change::arrive:
        arrive(job, at.handled);
        break;
    case Change::cancel:
        cancel(job, at.now);
        break;
    case Change::hold:
        pass_due_ = pass_due_ || tracker().is_waiting(job);
        tracker().set_bar(job, Bar::held);
        break;
    case Change::release:
        release(job, at.handled);
        break;
    case Change::priority:
        set_priority(job, intervention.value);
        break;
    case Change::policy:
        change_policy(intervention, at);
        break;
    case Change::move:
        break;
    }
}

void LiveReplay::arrive(JobId job, Time handled) {
    if (n_late_ == late_.size()) late_.push_back(job);
    ++n_late_;
    loop_->arrivals().close_at(n_late_ < late_.size() ? late_[n_late_]
                                                      : static_cast<JobId>(table_->size()));
    loop_->arrive(job, handled);
    pass_due_ = true;
}

void LiveReplay::cancel(JobId job, Time now) {
    tracker().note_withdrawn(job, now, tracker().is_running(job));
    if (tracker().is_running(job)) {
        loop_->stop(job, now);
        tracker().end(job);
        pass_due_ = true;
        return;
    }
    pass_due_ = pass_due_ || tracker().is_waiting(job);
    tracker().set_bar(job, Bar::cancelled);
}

void LiveReplay::release(JobId job, Time handled) {
    const bool is_waiting = tracker().is_waiting(job);
    tracker().set_bar(job, is_waiting ? Bar::returning : Bar::none);
    if (!is_waiting) return;
    if (tracker().bar(job) == Bar::returning) loop_->arrive(job, handled);
    pass_due_ = true;
}

void LiveReplay::set_priority(JobId job, double priority) {
    const bool is_waiting = tracker().is_waiting(job);
    const bool reorders = tracker().reorders();
    const bool is_seen = reorders && tracker().bar(job) == Bar::none; // by the scheduler
    loop_->set_priority(job, priority, is_waiting && (is_seen || !site_.is_plain()));
    pass_due_ = pass_due_ || is_waiting;
    if (!site_.is_plain() || reorders) return;
    put_user_priority_first(site_);
    is_remade_ = true;
}

void LiveReplay::change_policy(const Intervention& intervention, Moment at) {
    const std::shared_ptr<Dispatcher>& dispatcher = intervention.dispatcher;
    guard(backfill_registry().find(intervention.policy->backfill).works_on.underway,
          "a replay that has begun cannot change to this backfill");
    Site site = site_;
    site.policy = *intervention.policy;
    if (dispatcher != nullptr && !site.is_plain()) { // the estimates stay as they are
        site.policy.estimates = site_.policy.estimates;
        site.policy.waiting_estimates = site_.policy.waiting_estimates;
    }
    if (!loop_->jobs().manual_priorities.empty() || !site.is_plain()) put_user_priority_first(site);
    if (site.is_plain()) {
        remake(site, dispatcher, at);
    } else {
        loop_->change_policy(site.policy, dispatcher);
        site_ = std::move(site);
    }
    pass_due_ = at.handled == at.now;
}

void LiveReplay::check_arrival(const Intervention& arrival, Time handled) const {
    const JobId job = arrival.job;
    const bool has_come = tracker().is_waiting(job) || tracker().is_running(job) ||
                          loop_->schedule().start[job] != kNotStarted;
    const bool is_in_turn = late_[n_late_] == job && (n_late_ == 0 || late_[n_late_ - 1] < job);
    if (has_come || !is_in_turn || table_->submit[job] > handled)
        refuse_job(*table_, job,
                   "cannot arrive at " + std::to_string(arrival.at) +
                       ", because it arrived earlier or arrives later; the snapshot is damaged");
}

void LiveReplay::remake_over(const std::shared_ptr<const JobTable>& table, const PreparedSite& site,
                             const std::shared_ptr<Dispatcher>& dispatcher,
                             std::span<const JobId> row_of, Moment at) {
    const Time now = table->size() == 0 ? at.now : std::max(at.now, table->submit[0]);
    const auto take_over = [&](const ReplayContext& context) {
        return std::make_unique<JobTracker>(tracker(), context, planner_for(context, dispatcher),
                                            row_of, now);
    };
    loop_ = std::make_unique<Simulator>(*loop_, table, site, row_of, at.handled, take_over);
    if (table != table_)
        for (JobId& job : late_)
            job = row_of[job];
    if (n_late_ < late_.size()) loop_->arrivals().close_at(late_[n_late_]);
    table_ = table;
    dispatcher_ = dispatcher;
    is_remade_ = false;
}

void LiveReplay::hand_over(const std::shared_ptr<const JobTable>& table,
                           std::span<const JobId> row_of, Moment at) {
    remake_over(table, PreparedSite(site_), dispatcher_, row_of, at);
}

void LiveReplay::remake(const Site& site, const std::shared_ptr<Dispatcher>& dispatcher,
                        Moment at) {
    std::vector<JobId> same(table_->size());
    std::iota(same.begin(), same.end(), JobId{0});
    const Site described = site;
    remake_over(table_, PreparedSite(described), dispatcher, same, at);
    site_ = described;
}

// Makes the scheduler use the priorities that the user has set since the last pass. If it cannot,
// it is rebuilt.
void LiveReplay::put_priorities_first(Moment at) {
    const bool adopted =
        loop_->change_plain_policy(PreparedSite(site_), [this](const ReplayContext& context) {
            return tracker().put_priorities_first(context);
        });
    if (!adopted) remake(site_, dispatcher_, at);
    is_remade_ = false;
}

void LiveReplay::ask(const std::shared_ptr<Dispatcher>& dispatcher, Moment at) {
    remake(site_, dispatcher, at);
}

void LiveReplay::settle(Moment at) {
    if (is_remade_) put_priorities_first(at);
    if (pass_due_) loop_->ask_for_pass(at.handled);
    pass_due_ = false;
}

bool LiveReplay::can_repeat_pass() const {
    // With Passes::per_event, a pass may run between two events of one instant. A recipe cannot
    // stop there.
    if (site_.policy.passes == Passes::per_event && !site_.is_plain()) return false;
    const bool can_be_remade =
        site_.is_plain() && site_.policy.passes != Passes::per_event && !tracker().remembers();
    return tracker().can_repeat_pass() || can_be_remade;
}

void LiveReplay::repeat_pass(Moment at) {
    const bool is_ready = tracker().can_repeat_pass();
    loop_->repeat_pass();
    if (!is_ready) remake(site_, dispatcher_, at);
    pass_due_ = true;
}

Schedule LiveReplay::schedule() const {
    Simulator copy(*loop_);
    Schedule schedule = copy.take_schedule();
    const auto mark = [&](JobId job, State state) {
        schedule.state[job] = static_cast<std::uint8_t>(state);
    };
    const auto is_rejected = [&](JobId job) {
        return loop_->jobs().processors[job] > site_.processors ||
               (!schedule.reject_reason.empty() && schedule.reject_reason[job] != 0);
    };
    for (JobId job = loop_->arrivals().position(); job < table_->size(); ++job)
        if (!is_rejected(job)) mark(job, State::waiting);
    for (const JobId job : late_)
        if (schedule.start[job] == kNotStarted && !is_rejected(job)) mark(job, State::waiting);
    for (const JobId job : tracker().waiting())
        mark(job, State::waiting);
    for (const JobId job : tracker().running())
        mark(job, State::running);
    for (JobId job = 0; job < table_->size(); ++job)
        if (tracker().bar(job) == Bar::cancelled) mark(job, State::cancelled);
    return schedule;
}

ProcCount LiveReplay::free() const {
    ProcCount busy = 0;
    for (const JobId job : tracker().running())
        busy += loop_->jobs().processors[job];
    return site_.processors - busy;
}

DispatchLog LiveReplay::past() const {
    const DispatchLog* log = tracker().dispatch_log();
    return log == nullptr ? DispatchLog{} : *log;
}

} // namespace slotwise
