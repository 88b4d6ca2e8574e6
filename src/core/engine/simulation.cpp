#include "engine/simulation.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace slotwise {

namespace {

Time first_submit(const JobTable& table) {
    return table.size() == 0 ? 0 : table.submit[0];
}

// For a table without jobs, which planners need not cope with.
class Idle final : public Scheduler {
  public:
    void pass(const Instant&, Starts&) override {}
    std::size_t queued() const override { return 0; }
    void take_over(const Underway&) override {}
    bool remembers() const override { return false; }
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
                                                   const MakeScheduler& make) {
    if (context.jobs.size() == 0) return std::make_unique<Idle>();
    return make(context);
}

Simulation::Simulation(std::shared_ptr<const JobTable> table, Site site, MakeScheduler make)
    : table_(std::move(table)), first_site_(std::move(site)), first_make_(std::move(make)) {
    restart();
    next_job_id_ = next_number(*table_);
}

Simulation::Simulation(std::shared_ptr<const JobTable> table, Site site, MakeScheduler make,
                       std::vector<Intervention> interventions, Time handled)
    : table_(std::move(table)), first_site_(std::move(site)), first_make_(std::move(make)),
      interventions_(std::move(interventions)) {
    for (const Intervention& done : interventions_)
        if (done.change == Change::arrive) late_.push_back(done.job);
    replay(handled);
    next_job_id_ = next_number(*table_);
}

Simulation::Simulation(const Simulation& other)
    : table_(other.table_), first_site_(other.first_site_), site_(other.site_),
      first_make_(other.first_make_), make_(other.make_), interventions_(other.interventions_),
      loop_(std::make_unique<Simulator>(*other.loop_)),
      roster_(static_cast<Roster*>(&loop_->scheduler())), now_(other.now_),
      handled_(other.handled_), submitted_(other.submitted_), late_(other.late_),
      n_late_(other.n_late_), next_job_id_(other.next_job_id_), pass_due_(other.pass_due_),
      remake_due_(other.remake_due_), failure_(other.failure_) {}

// To before the first event.
void Simulation::restart() {
    site_ = first_site_;
    make_ = first_make_;
    loop_ = std::make_unique<Simulator>(table_, site_, [this](const ReplayContext& context) {
        return std::make_unique<Roster>(context, planner_for(context, make_));
    });
    roster_ = static_cast<Roster*>(&loop_->scheduler());
    now_ = first_submit(*table_);
    handled_ = kNothing;
    n_late_ = 0;
    pass_due_ = remake_due_ = false;
    if (!late_.empty()) loop_->close_arrivals(late_.front());
}

void Simulation::replay(Time handled) {
    restart();
    for (const Intervention& done : interventions_) {
        if (done.at > handled_) handle_before(done.at + 1, {});
        if (done.change == Change::move) {
            settle();
            handle_before(done.at + 1, {});
        } else {
            apply(done);
        }
    }
    if (handled > handled_) handle_before(handled + 1, {});
}

void Simulation::check_usable() const {
    if (!failure_.empty())
        throw std::runtime_error("the simulation has failed and cannot go on: " + failure_ +
                                 "; go on from a snapshot or a copy made before");
}

// Handles every event before `limit`. Where `progress` throws, between two instants, it can go on
// from there; where a pass throws it cannot.
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
    try {
        loop_->run_before(limit, told);
    } catch (const std::exception& error) {
        if (interrupted) {
            loop_->run_before(std::min(limit, loop_->now() + 1));
        } else if (roster_->can_repeat_pass()) {
            loop_->repeat_pass();
            pass_due_ = true;
        } else {
            failure_ = error.what();
        }
        handled_ = std::max(handled_, loop_->now());
        now_ = std::max(now_, handled_);
        throw;
    }
    const Time reached = limit == kNever ? loop_->now() : limit - 1;
    handled_ = std::max(handled_, reached);
    now_ = std::max(now_, handled_);
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
    for (JobId job = loop_->arrivals(); job < table_->size(); ++job)
        if (loop_->jobs().processors[job] <= site_.processors) mark(job, State::waiting);
    for (const JobId job : late_)
        if (schedule.start[job] == kNotStarted) mark(job, State::waiting);
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
