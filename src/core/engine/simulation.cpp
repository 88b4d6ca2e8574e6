#include "engine/simulation.hpp"

#include "planner/make_scheduler.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace slotwise {

namespace {

// For a table without jobs, which planners need not cope with.
class Idle final : public Scheduler {
  public:
    void pass(const Instant&, Starts&) override {}
    std::size_t queued() const override { return 0; }
    void take_over(const Underway&) override {}
    bool remembers() const override { return false; }
    void change_policy(const std::shared_ptr<Dispatcher>&, std::span<const JobId>) override {}
    std::unique_ptr<Scheduler> clone(const ReplayContext&) const override {
        return std::make_unique<Idle>();
    }
};

std::int64_t next_number(const JobTable& table) {
    const auto& ids = table.job_id;
    return ids.empty() ? 1
                       : std::max<std::int64_t>(0, *std::max_element(ids.begin(), ids.end())) + 1;
}

} // namespace

std::unique_ptr<Scheduler> Simulation::planner_for(const ReplayContext& context,
                                                   const std::shared_ptr<Dispatcher>& dispatcher) {
    if (context.jobs.size() == 0) return std::make_unique<Idle>();
    return make_scheduler(context, dispatcher);
}

Simulation::Simulation(std::shared_ptr<const JobTable> table, Site site,
                       std::shared_ptr<Dispatcher> dispatcher)
    : table_(std::move(table)), first_site_(std::move(site)),
      first_dispatcher_(std::move(dispatcher)) {
    restart();
    next_job_id_ = next_number(*table_);
}

Simulation::Simulation(std::shared_ptr<const JobTable> table, Site site,
                       std::shared_ptr<Dispatcher> dispatcher,
                       std::vector<Intervention> interventions, Time handled, DispatchLog past)
    : table_(std::move(table)), first_site_(std::move(site)),
      first_dispatcher_(std::move(dispatcher)), interventions_(std::move(interventions)) {
    for (const Intervention& done : interventions_)
        if (done.change == Change::arrive) late_.push_back(done.job);
    replay(handled, std::move(past));
    next_job_id_ = next_number(*table_);
}

Simulation::Simulation(const Simulation& other)
    : table_(other.table_), first_site_(other.first_site_), site_(other.site_),
      first_dispatcher_(other.first_dispatcher_), dispatcher_(other.dispatcher_),
      interventions_(other.interventions_), loop_(std::make_unique<Simulator>(*other.loop_)),
      roster_(static_cast<TrackedScheduler*>(&loop_->scheduler())), now_(other.now_),
      handled_(other.handled_), submitted_(other.submitted_), late_(other.late_),
      n_late_(other.n_late_), next_job_id_(other.next_job_id_), pass_due_(other.pass_due_),
      remake_due_(other.remake_due_), failure_(other.failure_) {}

// To before the first event.
void Simulation::restart(DispatchLog past) {
    site_ = first_site_;
    dispatcher_ = first_dispatcher_;
    const bool changes_order =
        std::any_of(interventions_.begin(), interventions_.end(), [](const Intervention& done) {
            return done.change == Change::priority || done.change == Change::policy;
        });
    if (changes_order && !site_.is_plain()) put_by_hand_first(site_);
    loop_ = std::make_unique<Simulator>(table_, site_, [this](const ReplayContext& context) {
        return std::make_unique<TrackedScheduler>(context, planner_for(context, dispatcher_));
    });
    roster_ = static_cast<TrackedScheduler*>(&loop_->scheduler());
    roster_->follow_log(std::move(past));
    now_ = first_submit(*table_);
    handled_ = kNothing;
    n_late_ = 0;
    pass_due_ = remake_due_ = false;
    if (!late_.empty()) loop_->close_arrivals(late_.front());
}

DispatchLog Simulation::past() const {
    const DispatchLog* log = roster_->dispatch_log();
    return log == nullptr ? DispatchLog{} : *log;
}

void Simulation::replay(Time handled, DispatchLog past) {
    restart(std::move(past));
    for (const Intervention& done : interventions_) {
        if (done.at > handled_) advance(done.at + 1, {});
        if (done.change == Change::move) {
            pass_due_ = pass_due_ || !site_.is_plain(); // as where the pass before it threw
            settle();
            advance(done.at + 1, {});
        } else {
            check_arrival(done);
            apply(done);
        }
    }
    if (handled > handled_) advance(handled + 1, {});
}

// A recipe from elsewhere may let a job arrive twice, which would run twice at once.
void Simulation::check_arrival(const Intervention& done) const {
    if (done.change != Change::arrive) return;
    const bool has_come = roster_->is_waiting(done.job) || roster_->is_running(done.job) ||
                          loop_->schedule().start[done.job] != kNotStarted;
    const bool is_in_turn =
        late_[n_late_] == done.job && (n_late_ == 0 || late_[n_late_ - 1] < done.job);
    if (has_come || !is_in_turn || table_->submit[done.job] > handled_)
        refuse(done.job, "cannot arrive at " + std::to_string(done.at) +
                             ": it has come, or is yet to come; the recipe is damaged");
}

void Simulation::check_usable() const {
    if (!failure_.empty())
        throw std::runtime_error("the simulation has failed and cannot go on: " + failure_ +
                                 "; go on from a snapshot or a copy made before");
}

void Simulation::stand_at(Time handled) {
    handled_ = std::max(handled_, handled);
    now_ = std::max(now_, handled_);
}

// Handles every event before `limit`.
void Simulation::advance(Time limit, const Progress& progress) {
    loop_->run_before(limit, progress);
    stand_at(limit == kNever ? loop_->now() : limit - 1);
}

// As above; where `progress` throws, between two instants, or a pass does, it can go on from there.
void Simulation::handle_before(Time limit, const Progress& progress) {
    bool interrupted = false;
    Progress told;
    if (progress) {
        told = [&](double done) {
            interrupted = true;
            progress(done);
            interrupted = false;
        };
    }
    const Time handled = handled_;
    try {
        advance(limit, told);
    } catch (const std::exception& error) {
        const Time now = loop_->now();
        try {
            if (interrupted) advance(std::min(limit, now + 1), {});
        } catch (const std::exception&) {
            interrupted = false; // and in the pass that was to end the move
        }
        if (!interrupted) return_before_pass(handled, error.what());
        throw;
    }
}

// The pass of loop_->now() has thrown; before the move everything up to `handled` had been handled.
void Simulation::return_before_pass(Time handled, const std::string& why) {
    const Time now = loop_->now();
    try {
        // Between two events of an instant no recipe leads.
        const bool may_stand_here = site_.is_plain() || site_.policy.passes != Passes::per_event;
        if (may_stand_here && (roster_->can_repeat_pass() || can_be_made_anew_in_a_pass())) {
            const bool is_ready = roster_->can_repeat_pass();
            stand_at(now);
            loop_->repeat_pass();
            if (!is_ready) hand_over(site_, dispatcher_);
            pass_due_ = true;
            return;
        }
        std::vector<Intervention> done = interventions_;
        if (now <= handled) done.pop_back(); // the move to a further pass
        const bool is_first = now <= std::max(handled, first_submit(*table_));
        *this = Simulation(table_, first_site_, first_dispatcher_, std::move(done),
                           is_first ? handled : now - 1, past());
        roster_->follow_log(past()); // of this instant it is asked anew
    } catch (const std::exception&) {
        failure_ = why;
        stand_at(now);
    }
}

// Whether all events of an instant have been taken in when its pass begins, and who waits and who
// runs is all that its scheduler knows.
bool Simulation::can_be_made_anew_in_a_pass() const {
    return site_.is_plain() && site_.policy.passes != Passes::per_event && !roster_->remembers();
}

void Simulation::run(const Progress& progress) {
    begin_move();
    if (loop_->next_step() != kNever) handle_before(kNever, progress);
}

void Simulation::run_until(Time until, const Progress& progress) {
    if (until < now_ && handled_ < now_) return; // before the first submit
    if (until < now_)
        throw std::invalid_argument("until is " + std::to_string(until) + " and the time " +
                                    std::to_string(now_) +
                                    "; it cannot go back: copy the "
                                    "simulation, or take snapshots, before it moves on");
    begin_move();
    handle_before(until + 1, progress);
}

bool Simulation::step(const Progress& progress) {
    begin_move();
    const std::size_t n_passes = roster_->n_passes();
    while (roster_->n_passes() == n_passes) {
        const Time next = loop_->next_step();
        if (next == kNever) return false;
        handle_before(next + 1, progress);
    }
    return true;
}

Time Simulation::next_event() const {
    return pass_due_ || remake_due_ ? now_ : loop_->next_step();
}

ProcCount Simulation::free() const {
    ProcCount busy = 0;
    for (const JobId job : roster_->running())
        busy += loop_->jobs().processors[job];
    return site_.processors - busy;
}

Schedule Simulation::schedule() const {
    Simulator copy(*loop_);
    Schedule schedule = copy.take_schedule();
    const auto mark = [&](JobId job, State state) {
        schedule.state[job] = static_cast<std::uint8_t>(state);
    };
    const auto is_rejected = [&](JobId job) {
        return loop_->jobs().processors[job] > site_.processors ||
               (!schedule.reject_reason.empty() && schedule.reject_reason[job] != 0);
    };
    for (JobId job = loop_->arrivals(); job < table_->size(); ++job)
        if (!is_rejected(job)) mark(job, State::waiting);
    for (const JobId job : late_)
        if (schedule.start[job] == kNotStarted && !is_rejected(job)) mark(job, State::waiting);
    for (const JobId job : roster_->waiting())
        mark(job, State::waiting);
    for (const JobId job : roster_->running())
        mark(job, State::running);
    for (JobId job = 0; job < table_->size(); ++job)
        if (roster_->bar(job) == Bar::cancelled) mark(job, State::cancelled);
    return schedule;
}

JobId Simulation::find(std::int64_t job_id) const {
    const auto& ids = table_->job_id;
    const auto at = std::find(ids.begin(), ids.end(), job_id);
    if (at == ids.end())
        throw std::invalid_argument("no job has the number " + std::to_string(job_id) +
                                    "; give one of the trace's job_id or what submit returned");
    if (std::find(at + 1, ids.end(), job_id) != ids.end())
        throw std::invalid_argument("several jobs have the number " + std::to_string(job_id) +
                                    "; give the trace numbers that differ");
    return static_cast<JobId>(at - ids.begin());
}

} // namespace slotwise
