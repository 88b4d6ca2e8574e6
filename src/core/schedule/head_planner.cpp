#include "schedule/head_planner.hpp"

#include "machine/processors.hpp"

#include <algorithm>
#include <limits>

namespace slotwise {

namespace {

constexpr double kLongestDelay = 9007199254740992.0; // kMaxTime: a sum with it overflows nothing

std::vector<JobId> inverse(const std::vector<JobId>& rank) {
    std::vector<JobId> by_rank(rank.size());
    for (std::size_t job = 0; job < rank.size(); ++job)
        by_rank[rank[job]] = static_cast<JobId>(job);
    return by_rank;
}

std::vector<JobId> ranks_under(const Order& order, const ReplayJobs& jobs) {
    return order.is_static() ? static_ranks(order, jobs) : std::vector<JobId>{};
}

} // namespace

template <MachineModel Machine>
HeadPlanner<Machine>::HeadPlanner(const ReplayContext& context, Machine machine, HeadRule rule)
    : context_(context), rule_(rule), machine_(std::move(machine)),
      order_(order_registry().find(context.policy.order).make()),
      backfill_order_(order_registry()
                          .find(context.policy.backfill_order.empty()
                                    ? context.policy.order
                                    : context.policy.backfill_order)
                          .make()),
      rank_(ranks_under(*order_, context.jobs)), by_rank_(inverse(rank_)),
      backfill_rank_(ranks_under(*backfill_order_, context.jobs)), beliefs_(context_),
      ends_(context_, beliefs_), queue_(context.jobs.size()),
      is_short_(order_->is_static() && backfill_order_->is_static()),
      releases_(context.jobs.size()),
      fixed_deadline_(rule.relaxes || context.policy.frozen_reservation),
      tracks_releases_(rule.reserves || context.policy.ending_now_is_free),
      beliefs_drift_(beliefs_.waiting_drift() || beliefs_.can_be_outlived()),
      plain_(order_->is_static() && backfill_order_->is_static() && !beliefs_drift_ &&
             !beliefs_.change_at_start() && !context.policy.ending_now_is_free) {
    if (!is_short_) make_index();
}

template <MachineModel Machine>
HeadPlanner<Machine>::HeadPlanner(const HeadPlanner& other, const ReplayContext& context)
    : context_(context), rule_(other.rule_), machine_(other.machine_),
      order_(order_registry().find(context.policy.order).make()),
      backfill_order_(order_registry()
                          .find(context.policy.backfill_order.empty()
                                    ? context.policy.order
                                    : context.policy.backfill_order)
                          .make()),
      rank_(other.rank_), by_rank_(other.by_rank_), backfill_rank_(other.backfill_rank_),
      beliefs_(other.beliefs_), ends_(other.ends_), queue_(other.queue_),
      is_short_(other.is_short_), short_(other.short_), by_size_(other.by_size_),
      releases_(other.releases_), waiting_by_user_(other.waiting_by_user_), head_(other.head_),
      reserved_for_(other.reserved_for_), reservation_stale_(other.reservation_stale_),
      shadow_(other.shadow_), extra_(other.extra_), searched_(other.searched_),
      fixed_deadline_(other.fixed_deadline_), tracks_releases_(other.tracks_releases_),
      beliefs_drift_(other.beliefs_drift_), plain_(other.plain_) {
    if (by_size_) by_size_->rebind(context_.jobs.processors);
    beliefs_.rebind(context_);
    ends_.rebind(context_);
}

template <MachineModel Machine>
void HeadPlanner<Machine>::pass(const Instant& instant, Starts& starts) {
    now_ = instant.now;
    starts_ = &starts;
    release(instant.ended);
    if (beliefs_drift_) {
        follow_beliefs(instant.ended);
        if (correct_estimates()) reservation_stale_ = true;
    }
    const bool one_arrival = instant.arrived.size() == 1;
    if (one_arrival && queue_.empty() &&
        context_.jobs.processors[instant.arrived[0]] <= available()) {
        start(instant.arrived[0], false);
        return;
    }
    const bool head_stays = plain_ && instant.ended.empty() && head_ != kNoJob;
    if (one_arrival && head_stays && rank_of(instant.arrived[0]) > rank_of(head_)) {
        try_arrival(instant.arrived[0]);
        return;
    }
    for (const JobId job : instant.arrived)
        enqueue(job);
    if (queue_.empty()) return;
    only_old_ = instant.arrived.empty();
    order_->is_static() ? start_from_the_front() : start_from_the_front_by_score();
    if (head_ != kNoJob && rule_.others_pass) pass_the_head();
}

template <MachineModel Machine> void HeadPlanner<Machine>::release(std::span<const JobId> ended) {
    for (const JobId job : ended) {
        const ProcCount processors = context_.jobs.processors[job];
        machine_.release(job, processors);
        if (!tracks_releases_) continue;
        const Time end = ends_.of(job, beliefs_);
        releases_.remove(job, end, processors);
        ends_.forget(job);
        if (end <= now_) continue;
        // An early end brings the shadow nearer; a release beyond the shadow adds to what is free
        // there.
        if (end > shadow_) extra_ += processors;
        reservation_stale_ = true;
    }
}

// The beliefs of a user's waiting jobs change when one of his jobs ends.
template <MachineModel Machine>
void HeadPlanner<Machine>::follow_beliefs(std::span<const JobId> ended) {
    beliefs_.note_ended(ended);
    if (!beliefs_.waiting_drift() || !rule_.others_pass) return;
    for (const JobId job : ended) {
        const auto found = waiting_by_user_.find(context_.jobs.user(job));
        if (found == waiting_by_user_.end()) continue;
        std::vector<JobId>& waiting = found->second;
        std::erase_if(waiting, [&](JobId other) { return !queue_.contains(rank_of(other)); });
        for (const JobId other : waiting) {
            if (is_short_) {
                short_.set_length(short_.find(other), beliefs_.waiting(other));
                continue;
            }
            by_size_->erase(other);
            by_size_->insert(other, beliefs_.waiting(other));
        }
    }
}

template <MachineModel Machine> bool HeadPlanner<Machine>::correct_estimates() {
    if (!tracks_releases_) return false;
    bool any = false;
    ends_.correct(now_, [&](JobId job, Time old_end, Time new_end) {
        const ProcCount processors = context_.jobs.processors[job];
        releases_.remove(job, old_end, processors);
        releases_.add(job, new_end, processors);
        any = true;
    });
    return any;
}

template <MachineModel Machine> void HeadPlanner<Machine>::enqueue(JobId job) {
    queue_.insert(rank_of(job));
    if (!rule_.others_pass) return;
    if (is_short_ && short_.size() == ShortQueue::kMost) lengthen();
    const Duration length = beliefs_.waiting(job);
    if (is_short_)
        short_.insert(job, backfill_rank_of(job), context_.jobs.processors[job], length);
    else
        by_size_->insert(job, length);
    if (beliefs_.waiting_drift()) waiting_by_user_[context_.jobs.user(job)].push_back(job);
}

template <MachineModel Machine> void HeadPlanner<Machine>::make_index() {
    by_size_.emplace(context_.jobs.processors, backfill_rank_);
}

template <MachineModel Machine> void HeadPlanner<Machine>::lengthen() {
    if (!by_size_) make_index();
    is_short_ = false;
    searched_ = {};
    for (std::size_t slot = short_.begin(); slot < short_.end(); ++slot)
        if (short_.holds(slot))
            by_size_->insert(short_.job_at(slot), beliefs_.waiting(short_.job_at(slot)));
    short_.clear();
}

template <MachineModel Machine> void HeadPlanner<Machine>::shorten() {
    is_short_ = true;
    queue_.for_each([&](JobId rank) {
        const JobId job = job_at_rank(rank);
        by_size_->erase(job);
        short_.insert(job, backfill_rank_of(job), context_.jobs.processors[job],
                      beliefs_.waiting(job));
    });
}

// Takes `job` out of the queue.
template <MachineModel Machine> void HeadPlanner<Machine>::leave(JobId job) {
    queue_.erase(rank_of(job));
    if (!rule_.others_pass) return;
    is_short_ ? short_.erase(short_.find(job)) : by_size_->erase(job);
}

template <MachineModel Machine> void HeadPlanner<Machine>::start(JobId job, bool past_the_head) {
    const ProcCount processors = context_.jobs.processors[job];
    machine_.allocate(job, processors);
    starts_->add(job, past_the_head);
    if (tracks_releases_)
        releases_.add(job, ends_.start(job, now_, beliefs_.running(job)), processors);
}

template <MachineModel Machine>
void HeadPlanner<Machine>::start_waiting(JobId job, bool past_the_head) {
    leave(job);
    start(job, past_the_head);
}

// Starts jobs in order; afterwards head_ is the first that does not fit.
template <MachineModel Machine> void HeadPlanner<Machine>::start_from_the_front() {
    if (plain_ && only_old_ && head_ != kNoJob && context_.jobs.processors[head_] > available())
        return;
    while (!queue_.empty()) {
        head_ = job_at_rank(queue_.first());
        if (context_.jobs.processors[head_] > available()) return;
        start_waiting(head_, false);
        reservation_stale_ = true;
        reserved_for_ = fixed_deadline_ ? reserved_for_ : kNoJob;
    }
    head_ = kNoJob;
}

template <MachineModel Machine> void HeadPlanner<Machine>::start_from_the_front_by_score() {
    scratch_jobs_.clear();
    queue_.for_each([&](JobId job) { scratch_jobs_.push_back(job); });
    score_queue(*order_, scratch_jobs_);
    const auto later = [](const Scored& a, const Scored& b) {
        return a.score < b.score || (a.score == b.score && a.job > b.job);
    };
    std::make_heap(scored_.begin(), scored_.end(), later);
    while (!scored_.empty()) {
        head_ = scored_.front().job;
        if (context_.jobs.processors[head_] > available()) return;
        start_waiting(head_, false);
        reservation_stale_ = true;
        reserved_for_ = fixed_deadline_ ? reserved_for_ : kNoJob;
        std::pop_heap(scored_.begin(), scored_.end(), later);
        scored_.pop_back();
    }
    head_ = kNoJob;
}

// Nothing has ended and the head is the same: only the new job can have become startable.
template <MachineModel Machine> void HeadPlanner<Machine>::try_arrival(JobId job) {
    const bool fits = rule_.others_pass && context_.jobs.processors[job] <= available();
    if (fits && passes(job)) {
        reserve();
        const bool starts = may_start(job);
        if (starts) start(job, true);
        if (!is_short_) {
            searched_.available_end =
                std::min(searched_.available_end, by_size_->sizes_up_to(available()));
            searched_.spare_end = std::min(searched_.spare_end, by_size_->sizes_up_to(spare()));
        }
        if (starts) return;
    }
    enqueue(job);
}

// The head is blocked: starts what its reservation lets pass.
template <MachineModel Machine> void HeadPlanner<Machine>::pass_the_head() {
    if (available() == 0 && !fixed_deadline_) return;
    if (!is_short_ && queue_.size() <= kFewest && order_->is_static() &&
        backfill_order_->is_static())
        shorten();
    reservation_stale_ = reservation_stale_ || beliefs_.change_at_start();
    // Where nothing passes even under the bounds the reservation need not be known.
    const bool bounded = plain_ && reserved_for_ == head_ && reservation_stale_;
    if (is_short_) {
        std::size_t slot = short_.begin();
        if (bounded) slot = short_.next(slot, available(), longest_before_shadow(), spare());
        if (slot == short_.end()) return;
        reserve();
        if (available() > 0) fill_short(slot);
        return;
    }
    if (bounded && !anyone_may_pass()) return;
    reserve();
    if (available() == 0) return;
    if (backfill_order_->is_static())
        fill();
    else
        fill_by_score();
}

template <MachineModel Machine> bool HeadPlanner<Machine>::anyone_may_pass() {
    const Sizes sizes = sizes_to_search();
    if (by_size_->first_size(sizes.spare_from, sizes.spare_end, SizeIndex::kAnyLength) <
            sizes.spare_end ||
        by_size_->first_size(sizes.from, sizes.end, longest_before_shadow()) < sizes.end)
        return true;
    searched_ = {head_, shadow_, sizes.end, sizes.spare_end};
    return false;
}

// From `slot` on, before which no job may pass.
template <MachineModel Machine> void HeadPlanner<Machine>::fill_short(std::size_t slot) {
    for (;; ++slot) {
        slot = short_.next(slot, available(), longest_before_shadow(), spare());
        if (slot >= short_.end()) return;
        const JobId job = short_.job_at(slot);
        if (!may_start(job)) continue;
        queue_.erase(rank_of(job));
        short_.erase(slot);
        start(job, true);
    }
}

// While the head stays, its shadow time only comes nearer: what was too large or too long at the
// last search can start now only if it is of a size that was not free then, or not spare.
template <MachineModel Machine>
typename HeadPlanner<Machine>::Sizes HeadPlanner<Machine>::sizes_to_search() {
    Sizes sizes{0, 0, 0, by_size_->sizes_up_to(available())};
    sizes.spare_end =
        rule_.reserves ? std::min(sizes.end, by_size_->sizes_up_to(spare())) : sizes.end;
    if (plain_ && only_old_ && searched_.head == head_ && shadow_ <= searched_.shadow) {
        sizes.from = searched_.available_end;
        sizes.spare_from = std::min(sizes.from, searched_.spare_end);
    }
    sizes.from = std::min(sizes.end, std::max(sizes.from, sizes.spare_end));
    sizes.spare_from = std::min(sizes.spare_from, sizes.spare_end);
    return sizes;
}

// Starts, in backfill order, every waiting job that the head's reservation lets pass. One candidate
// a size is open, the first of its size that may start; a started one is followed by the next of
// its size. A candidate is looked for only once its lower bound comes first.
template <MachineModel Machine> void HeadPlanner<Machine>::fill() {
    found_.clear();
    const Sizes sizes = sizes_to_search();
    gather(sizes.spare_from, sizes.spare_end, SizeIndex::kAnyLength);
    gather(sizes.from, sizes.end, longest_before_shadow());
    while (!found_.empty()) {
        const auto next = std::min_element(
            found_.begin(), found_.end(),
            [](const Candidate& a, const Candidate& b) { return a.rank < b.rank; });
        const bool located = next->place != SizeIndex::kNoPlace;
        if (!located && !locate(*next)) {
            *next = found_.back();
            found_.pop_back();
        } else if (located && try_candidate(*next)) {
            drop_too_large();
        }
    }
    searched_ = {head_, shadow_, by_size_->sizes_up_to(available()),
                 rule_.reserves ? by_size_->sizes_up_to(spare())
                                : by_size_->sizes_up_to(available())};
}

template <MachineModel Machine>
void HeadPlanner<Machine>::gather(SizeIndex::Size from, SizeIndex::Size to, Duration longest) {
    by_size_->for_each_size(from, to, longest, [&](SizeIndex::Size size) {
        const JobId bound = backfill_rank_of(by_size_->not_before(size, longest));
        found_.push_back({bound, size, 0, SizeIndex::kNoPlace});
    });
}

// Finds the candidate's place; false where its size holds none.
template <MachineModel Machine> bool HeadPlanner<Machine>::locate(Candidate& candidate) {
    const Duration longest = longest_for(by_size_->processors_of(candidate.size));
    candidate.place = candidate.from == 0
                          ? by_size_->first_of(candidate.size, longest)
                          : by_size_->first_in_size(candidate.size, candidate.from, longest);
    if (candidate.place == SizeIndex::kNoPlace) return false;
    candidate.rank = backfill_rank_of(by_size_->job_at(candidate.place));
    return true;
}

// Starts a located candidate where it may; it then stands for the next of its size.
template <MachineModel Machine> bool HeadPlanner<Machine>::try_candidate(Candidate& candidate) {
    const JobId job = by_size_->job_at(candidate.place);
    const bool starts = may_start(job);
    if (starts)
        start_waiting(job, true);
    else
        candidate.from = candidate.place + 1;
    candidate.place = SizeIndex::kNoPlace;
    ++candidate.rank;
    return starts;
}

template <MachineModel Machine> void HeadPlanner<Machine>::drop_too_large() {
    const SizeIndex::Size end = by_size_->sizes_up_to(available());
    std::erase_if(found_, [&](const Candidate& candidate) {
        return candidate.size >= end || by_size_->is_empty(candidate.size);
    });
}

template <MachineModel Machine>
void HeadPlanner<Machine>::gather_all(SizeIndex::Size from, SizeIndex::Size to, Duration longest) {
    for (; (from = by_size_->first_size(from, to, longest)) < to; ++from) {
        SizeIndex::Place place = by_size_->first_in_size(from, 0, longest);
        for (; place != SizeIndex::kNoPlace;
             place = by_size_->first_in_size(from, place + 1, longest))
            scratch_jobs_.push_back(by_size_->job_at(place));
    }
}

template <MachineModel Machine> void HeadPlanner<Machine>::fill_by_score() {
    scratch_jobs_.clear();
    const Sizes sizes = sizes_to_search();
    gather_all(sizes.spare_from, sizes.spare_end, SizeIndex::kAnyLength);
    gather_all(sizes.from, sizes.end, longest_before_shadow());
    score_queue(*backfill_order_, scratch_jobs_);
    std::sort(scored_.begin(), scored_.end(), [](const Scored& a, const Scored& b) {
        return a.score > b.score || (a.score == b.score && a.job < b.job);
    });
    for (const Scored& candidate : scored_)
        if (may_start(candidate.job)) start_waiting(candidate.job, true);
}

// Fills scored_ for `jobs` at this instant.
template <MachineModel Machine>
void HeadPlanner<Machine>::score_queue(const Order& order, std::vector<JobId>& jobs) {
    scratch_scores_.resize(jobs.size());
    order.score(context_.jobs, jobs, now_, scratch_scores_);
    scored_.clear();
    for (std::size_t i = 0; i < jobs.size(); ++i)
        scored_.push_back({scratch_scores_[i], jobs[i]});
}

template <MachineModel Machine> ProcCount HeadPlanner<Machine>::available() {
    if (!context_.policy.ending_now_is_free) return machine_.free();
    return machine_.free() + static_cast<ProcCount>(releases_.released_by(now_));
}

// Brings shadow_ and extra_ up to date for head_.
template <MachineModel Machine> void HeadPlanner<Machine>::reserve() {
    if (!rule_.reserves) return;
    if (reserved_for_ == head_ && !reservation_stale_) return;
    const std::int64_t need = context_.jobs.processors[head_];
    if (reserved_for_ != head_ || !fixed_deadline_) {
        reach(need);
        if (rule_.relaxes) {
            const Time since = shadow_ - context_.jobs.submit(head_);
            shadow_ += static_cast<Time>(
                std::min(context_.policy.relaxation * static_cast<double>(since), kLongestDelay));
        }
    }
    if (fixed_deadline_) extra_ = machine_.free() + releases_.released_by(shadow_) - need;
    reserved_for_ = head_;
    reservation_stale_ = false;
}

// The earliest time from now on by which `need` processors are free. (An estimate of a job whose
// completion is still to be handled in this instant may lie before now.)
template <MachineModel Machine> void HeadPlanner<Machine>::reach(std::int64_t need) {
    const Releases::Point reached = releases_.reaching(need - machine_.free());
    shadow_ = std::max(reached.time, now_);
    const std::int64_t released =
        reached.time < now_ ? releases_.released_by(now_) : reached.released;
    extra_ = machine_.free() + released - need;
}

// The longest job that ends before the reservation begins; 0 also where it has begun.
template <MachineModel Machine> Duration HeadPlanner<Machine>::longest_before_shadow() const {
    if (!rule_.reserves) return SizeIndex::kAnyLength;
    const Time window = shadow_ - now_ - (context_.policy.strict_end ? 1 : 0);
    return static_cast<Duration>(std::clamp<Time>(window, 0, SizeIndex::kAnyLength));
}

template <MachineModel Machine> ProcCount HeadPlanner<Machine>::spare() const {
    if (!context_.policy.spare_processors) return 0;
    constexpr std::int64_t most = std::numeric_limits<ProcCount>::max();
    return static_cast<ProcCount>(std::clamp<std::int64_t>(extra_, 0, most));
}

template <MachineModel Machine>
Duration HeadPlanner<Machine>::longest_for(ProcCount processors) const {
    return processors <= spare() ? SizeIndex::kAnyLength : longest_before_shadow();
}

// Whether the reservation, as far as it is known, lets `job` pass.
template <MachineModel Machine> bool HeadPlanner<Machine>::passes(JobId job) const {
    if (!rule_.reserves || reserved_for_ != head_) return true;
    return beliefs_.waiting(job) <= longest_before_shadow() ||
           context_.jobs.processors[job] <= spare();
}

template <MachineModel Machine> bool HeadPlanner<Machine>::may_start(JobId job) {
    const ProcCount processors = context_.jobs.processors[job];
    if (processors > available()) return false;
    if (!rule_.reserves) return true;
    const Time end = now_ + beliefs_.waiting(job);
    if (context_.policy.strict_end ? end < shadow_ : end <= shadow_) return true;
    if (processors > spare()) return false;
    extra_ -= processors;
    return true;
}

template class HeadPlanner<Processors>;

namespace {

template <bool others_pass, bool reserves, bool relaxes>
std::unique_ptr<Scheduler> make(const ReplayContext& context) {
    return std::make_unique<HeadPlanner<Processors>>(context, Processors(context.processors),
                                                     HeadRule{others_pass, reserves, relaxes});
}

const bool none_registered = scheduler_registry().add({
    .name = "none",
    .doc = "Jobs start in order; the first that does not fit stops the pass.",
    .reference = "",
    .parameters = {},
    .make = make<false, false, false>,
});
const bool first_fit_registered = scheduler_registry().add({
    .name = "first-fit",
    .doc = "Jobs are tried in order and every one that fits starts; nothing is reserved.",
    .reference = "",
    .parameters = {},
    .make = make<true, false, false>,
});
const bool easy_registered = scheduler_registry().add({
    .name = "easy",
    .doc = "The first job that does not fit has a reservation no other may delay.",
    .reference = "Lifka, \"The ANL/IBM SP scheduling system\", JSSPP 1995; Mu'alem and "
                 "Feitelson, IEEE TPDS 12(6), 2001",
    .parameters = {},
    .make = make<true, true, false>,
});
const bool relaxed_registered = scheduler_registry().add({
    .name = "relaxed",
    .doc = "As easy, but the first job may be delayed by a share of its expected wait.",
    .reference = "Ward, Mahood and West, \"Scheduling jobs on parallel systems using a relaxed "
                 "backfill strategy\", JSSPP 2002",
    .parameters = {{"relaxation", "share of the expected wait, at least 0", 0.5, 0.0}},
    .make = make<true, true, true>,
});

} // namespace

} // namespace slotwise
