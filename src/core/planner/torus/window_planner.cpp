#include "planner/torus/window_planner.hpp"

#include "availability/intervals/choose_interval.hpp"
#include "guard.hpp"
#include "machine/torus/torus.hpp"

#include <algorithm>
#include <limits>

namespace slotwise {

WindowPlanner::Options::Options(const Policy& policy)
    : window(static_cast<std::size_t>(parameter_of(policy, "window"))),
      is_greedy(parameter_of(policy, "solver") != 0), all_slots(parameter_of(policy, "slots") != 0),
      refill(policy.passes != Passes::periodic),
      beyond_window(parameter_of(policy, "beyond_window") != 0) {
    const auto& given = policy.parameters;
    if (given.contains("refill")) refill = given.at("refill") != 0;
    if (given.contains("age_limit")) age_limit = static_cast<Time>(given.at("age_limit"));
}

WindowPlanner::WindowPlanner(const ReplayContext& context)
    : context_(context), slots_(context.site.torus->nodes()), options_(context.policy),
      queue_(context.policy.order, context.jobs, options_.window) {
    if (options_.age_limit != kNever) reservation_.emplace(context_);
}

WindowPlanner::WindowPlanner(const WindowPlanner& other, const ReplayContext& context)
    : context_(context), slots_(other.slots_), options_(other.options_),
      queue_(other.queue_, context.policy.order, context.jobs) {
    due_ = other.due_;
    if (other.reservation_) reservation_.emplace(*other.reservation_, context_);
}

void WindowPlanner::pass(const Instant& instant, Starts& starts) {
    now_ = instant.now;
    starts_ = &starts;
    due_ = kNever;
    release(instant.ended);
    for (const JobId job : instant.arrived)
        queue_.insert(job);
    if (queue_.size() == 0) return;
    queue_.sort_at(now_);
    bool any = start_some();
    for (bool more = any && options_.refill; more; more = start_some())
        queue_.slide();
    if (options_.beyond_window) start_behind();
    queue_.slide();
    due_ = next_of_age();
    const bool next_period = !options_.refill && context_.policy.passes == Passes::periodic;
    if (any && next_period) due_ = std::min(due_, now_ + 1);
}

bool WindowPlanner::drifts() const {
    return queue_.drifts() || (reservation_ && (reservation_->estimates().waiting_drift() ||
                                                reservation_->estimates().can_be_outlived()));
}

void WindowPlanner::release(std::span<const JobId> ended) {
    if (!reservation_) {
        for (const JobId job : ended)
            slots_.release(context_.schedule.placements.of(job));
        return;
    }
    reservation_->update(now_, ended, slots_);
}

// Makes one attempt to place the jobs of the window. Returns true if a job has started.
bool WindowPlanner::start_some() {
    const std::size_t before = starts_->jobs.size();
    if (reservation_) serve_the_aged();
    fill_slots();
    if (reserved_for_ != kNoJob) start_on_reserved();
    return starts_->jobs.size() > before;
}

void WindowPlanner::start(JobId job, NodeInterval nodes, bool past_another) {
    queue_.erase(job);
    slots_.allocate(nodes);
    starts_->add(job, past_another);
    starts_->nodes.push_back(nodes);
    starts_->close_nodes();
    if (reservation_) reservation_->add(job, now_, {&nodes, 1});
}

bool WindowPlanner::start_first_fit(JobId job, bool past_another) {
    const NodeInterval nodes =
        choose_interval(slots_, Allocation::contiguous, context_.nodes_of(job));
    if (nodes.empty()) return false;
    start(job, nodes, past_another);
    return true;
}

void WindowPlanner::fill_slots() {
    sizes_.clear();
    for (const ProcCount processors : queue_.processors())
        sizes_.push_back(context_.site.torus->nodes_for(processors));
    if (sizes_.empty()) return;
    const NodeCount smallest = *std::min_element(sizes_.begin(), sizes_.end());
    if (smallest > slots_.largest_size()) return;
    list_slots(smallest);
    slot_of_.resize(sizes_.size());
    const knapsack::Instance instance{sizes_, capacities_, slot_of_};
    if (options_.is_greedy)
        greedy_.solve(instance);
    else
        branch_and_bound_.solve(instance);
    start_chosen();
}

// Lists the slots to fill. Slots that are too small for every job of the window are left out.
void WindowPlanner::list_slots(NodeCount smallest) {
    found_.clear();
    if (options_.all_slots) {
        for (NodeInterval slot = slots_.first_fit(smallest); !slot.empty();
             slot = slots_.first_fit(smallest, slot.end))
            found_.push_back(slot);
    } else {
        slots_.append_largest(sizes_.size(), found_);
        while (found_.back().size() < smallest)
            found_.pop_back();
        std::sort(found_.begin(), found_.end(),
                  [](const NodeInterval& a, const NodeInterval& b) { return a.begin < b.begin; });
    }
    capacities_.clear();
    for (const NodeInterval& slot : found_)
        capacities_.push_back(slot.size());
}

void WindowPlanner::start_chosen() {
    tried_.assign(queue_.window().begin(), queue_.window().end());
    bool one_waits = false;
    for (std::size_t i = 0; i < tried_.size(); ++i) {
        if (slot_of_[i] == knapsack::kNoSlot) {
            one_waits = true;
            continue;
        }
        NodeInterval& left = found_[static_cast<std::size_t>(slot_of_[i])];
        const NodeInterval nodes{left.begin, left.begin + sizes_[i]};
        left.begin = nodes.end;
        start(tried_[i], nodes, one_waits);
    }
}

// Starts the jobs that have waited at least as long as the age limit, in window order, until one of
// them does not fit. Nodes are then reserved for that job, and the remaining aged jobs are packed
// with the others.
void WindowPlanner::serve_the_aged() {
    reserved_for_ = kNoJob;
    tried_.assign(queue_.window().begin(), queue_.window().end());
    bool one_waits = false;
    for (const JobId job : tried_) {
        if (!is_of_age(job)) {
            one_waits = true;
            continue;
        }
        if (start_first_fit(job, one_waits)) continue;
        reservation_->make(slots_, now_, context_.nodes_of(job));
        reserved_for_ = job;
        return;
    }
}

bool WindowPlanner::is_of_age(JobId job) const {
    return now_ - context_.jobs.submit(job) >= options_.age_limit;
}

// Starts jobs of the window that end before the reservation begins. They may also use reserved
// nodes.
void WindowPlanner::start_on_reserved() {
    reservation_->put_back(slots_);
    tried_.assign(queue_.window().begin(), queue_.window().end());
    bool one_waits = false;
    for (const JobId job : tried_)
        if (job == reserved_for_ || !ends_in_time(job) || !start_first_fit(job, one_waits))
            one_waits = true;
}

void WindowPlanner::heed_reservation(JobId job) {
    if (reserved_for_ == kNoJob) return;
    if (ends_in_time(job))
        reservation_->put_back(slots_);
    else
        reservation_->set_aside(slots_);
}

// Backfills beyond the window: starts every job that fits, in order. A job may use reserved nodes
// only if it ends before the reservation begins.
void WindowPlanner::start_behind() {
    constexpr ProcCount any = std::numeric_limits<ProcCount>::max();
    const ProcCount per_node = context_.site.torus->processors_per_node();
    NodeCount most = slots_.largest_size(); // from here on, no slot becomes larger than this
    std::size_t at = queue_.begin_behind();
    while ((at = queue_.next_behind(at, most * per_node)) != queue_.end_behind()) {
        const JobId job = queue_.behind_at(at);
        const bool is_first =
            queue_.window().empty() && queue_.next_behind(queue_.begin_behind(), any) == at;
        heed_reservation(job);
        if (!start_first_fit(job, !is_first))
            ++at;
        else if (reserved_for_ == kNoJob)
            most = slots_.largest_size();
    }
    if (reserved_for_ != kNoJob) reservation_->put_back(slots_);
}

// Returns the next time at which a job of the window reaches the age limit.
Time WindowPlanner::next_of_age() const {
    Time next = kNever;
    if (!reservation_) return next;
    for (const JobId job : queue_.window())
        if (!is_of_age(job)) next = std::min(next, context_.jobs.submit(job) + options_.age_limit);
    return next;
}

void WindowPlanner::take_over(const Underway& underway) {
    now_ = underway.now;
    for (const JobId job : underway.running)
        guard(!context_.schedule.placements.of(job).empty(), "a running job must have nodes");
    if (reservation_) {
        reservation_->take_over(underway, slots_);
    } else {
        for (const JobId job : underway.running)
            for (const NodeInterval& nodes : context_.schedule.placements.of(job))
                slots_.allocate(nodes);
    }
    for (const JobId job : underway.waiting)
        queue_.insert(job);
    queue_.slide();
    due_ = next_of_age();
}

void WindowPlanner::cancel(JobId job) {
    queue_.erase(job);
}

namespace {

const bool window_planner_registered = backfill_registry().add({
    .name = "window",
    .doc = "The first few jobs are placed together in runs of free nodes, to fill as many nodes as "
           "possible.",
    .reference = "X. Yang et al., \"Balancing job performance with system performance via "
                 "locality-aware scheduling on torus-connected systems\", IEEE CLUSTER 2014",
    .parameters = {{.name = "window",
                    .doc = "number of jobs at the head of the queue that are packed "
                           "together (the window), at least 1",
                    .default_value = 5.0,
                    .minimum = 1.0,
                    .kind = ParameterKind::whole,
                    .unit = "jobs",
                    .maximum = 1000.0},
                   {.name = "solver",
                    .doc = "algorithm that packs the window: branch-and-bound (exact) or greedy",
                    .default_value = 0.0,
                    .minimum = 0.0,
                    .text = "branch-and-bound",
                    .kind = ParameterKind::name,
                    .maximum = 1.0,
                    .names = {"branch-and-bound", "greedy"}},
                   {.name = "slots",
                    .doc = "slots (runs of consecutive free nodes) to fill: largest (one slot per "
                           "job in the window) or all",
                    .default_value = 0.0,
                    .minimum = 0.0,
                    .text = "largest",
                    .kind = ParameterKind::name,
                    .maximum = 1.0,
                    .names = {"largest", "all"}},
                   {.name = "refill",
                    .doc = "within a pass, move the window forward until no job starts",
                    .default_value = 0.0,
                    .minimum = 0.0,
                    .text = "true, or false with periodic passes",
                    .kind = ParameterKind::flag,
                    .unit = "leave it out for the default, which depends on passes",
                    .maximum = 1.0},
                   {.name = "beyond_window",
                    .doc = "also let jobs behind the window start",
                    .default_value = 0.0,
                    .minimum = 0.0,
                    .text = "false",
                    .kind = ParameterKind::flag,
                    .maximum = 1.0},
                   {.name = "age_limit",
                    .doc = "waiting time after which nodes are reserved for a job in the window",
                    .default_value = 0.0,
                    .minimum = 0.0,
                    .text = "none",
                    .kind = ParameterKind::length}},
    .reads = queue_and({"estimates", "waiting_estimates"}),
    .reads_given = {{"age_limit", {"estimates", "waiting_estimates"}}},
    .works_on = {.torus = true},
    .places_jobs = true,
    .make = [](const ReplayContext& context) -> std::unique_ptr<Scheduler> {
        return std::make_unique<WindowPlanner>(context);
    },
});

} // namespace

} // namespace slotwise
