#include "engine/simulation.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace slotwise {

Simulation::Simulation(std::shared_ptr<const JobTable> table, Site site,
                       std::shared_ptr<Dispatcher> dispatcher)
    : Simulation({.table = std::move(table),
                  .site = std::move(site),
                  .dispatcher = std::move(dispatcher),
                  .interventions = {}}) {}

Simulation::Simulation(Recipe recipe, DispatchLog past)
    : recipe_(std::move(recipe)), live_(recipe_, std::move(past)), submissions_(*recipe_.table),
      now_(first_submit(*recipe_.table)), numbers_(JobNumbers::if_ascending(*recipe_.table)) {
    const Time handled = std::exchange(recipe_.handled, kNothingHandled);
    for (const Intervention& done : recipe_.interventions) {
        if (done.at > recipe_.handled) advance(done.at + 1, {});
        if (done.change == Change::move) {
            // The recorded move ran another scheduling pass at the same instant, for example to
            // repeat a pass that threw an exception.
            if (!live_.site().is_plain()) live_.note_pass();
            live_.settle(moment());
            advance(done.at + 1, {});
        } else {
            if (done.change == Change::arrive) live_.check_arrival(done, recipe_.handled);
            live_.apply(done, moment());
        }
    }
    if (handled > recipe_.handled) advance(handled + 1, {});
}

void Simulation::check_usable() const {
    if (!failure_.empty())
        throw std::runtime_error("the simulation has failed and cannot continue: " + failure_ +
                                 "; continue from a snapshot or a copy made earlier");
}

void Simulation::stand_at(Time handled) {
    recipe_.handled = std::max(recipe_.handled, handled);
    now_ = std::max(now_, recipe_.handled);
}

void Simulation::advance(Time limit, const Progress& progress) {
    live_.loop().run_before(limit, progress);
    stand_at(limit == kNever ? live_.loop().now() : limit - 1);
}

// Handles all events before `limit`. `progress` is called between two instants. If `progress` or a
// scheduling pass throws an exception, the simulation can still continue afterwards.
void Simulation::handle_before(Time limit, const Progress& progress) {
    bool interrupted = false;
    Progress watched;
    if (progress) {
        watched = [&](double done) {
            interrupted = true;
            progress(done);
            interrupted = false;
        };
    }
    const Time handled = recipe_.handled;
    try {
        advance(limit, watched);
    } catch (const std::exception& error) {
        const Time now = live_.loop().now();
        try {
            if (interrupted) advance(std::min(limit, now + 1), {});
        } catch (const std::exception&) {
            interrupted = false; // the pass at this instant threw as well
        }
        if (!interrupted) return_before_pass(handled, error.what());
        throw;
    }
}

// Undoes the pass that threw an exception: returns to the state before that pass, which ran at the
// current instant of the event loop. When the move began, all events up to and including `handled`
// had been handled.
void Simulation::return_before_pass(Time handled, const std::string& why) {
    const Time now = live_.loop().now();
    try {
        if (live_.can_repeat_pass()) {
            stand_at(now);
            live_.repeat_pass(moment());
            return;
        }
        Recipe before = recipe_;
        if (now <= handled) before.interventions.pop_back(); // drops the move that ran the pass
        const bool is_first = now <= std::max(handled, first_submit(*recipe_.table));
        before.handled = is_first ? handled : now - 1;
        *this = Simulation(std::move(before), live_.past());
        live_.tracker().follow_log(live_.past()); // so that the dispatcher is asked again
    } catch (const std::exception&) {
        failure_ = why;
        stand_at(now);
    }
}

void Simulation::run(const Progress& progress) {
    begin_move();
    if (live_.loop().next_step() != kNever) handle_before(kNever, progress);
}

void Simulation::run_until(Time until, const Progress& progress) {
    if (until < now_ && recipe_.handled < now_) return; // `until` precedes all events
    if (until < now_)
        throw std::invalid_argument(
            "until is " + std::to_string(until) + ", but the time is already " +
            std::to_string(now_) +
            "; a simulation cannot go back: make a copy or take a snapshot before it moves on");
    begin_move();
    handle_before(until + 1, progress);
}

bool Simulation::step(const Progress& progress) {
    begin_move();
    const std::size_t n_passes = live_.tracker().n_passes();
    while (live_.tracker().n_passes() == n_passes) {
        const Time next = live_.loop().next_step();
        if (next == kNever) return false;
        handle_before(next + 1, progress);
    }
    return true;
}

Time Simulation::next_event() const {
    return live_.has_changed() ? now_ : live_.loop().next_step();
}

JobId Simulation::find(std::int64_t job_id) {
    if (numbers_ == nullptr) numbers_ = std::make_shared<const JobNumbers>(*recipe_.table);
    const JobNumbers::Found found = numbers_->find(job_id);
    if (found.n_jobs == 0)
        throw std::invalid_argument(
            "no job has the number " + std::to_string(job_id) +
            "; use a number from the trace's job_id, or one that submit returned");
    if (found.n_jobs > 1)
        throw std::invalid_argument("several jobs have the number " + std::to_string(job_id) +
                                    "; give every job its own job_id");
    return found.row;
}

} // namespace slotwise
