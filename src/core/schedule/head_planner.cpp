#include "schedule/head_planner.hpp"

#include "machine/processors.hpp"

#include <algorithm>
#include <limits>

namespace slotwise {

namespace {

std::vector<JobId> inverse(const std::vector<JobId>& rank) {
    std::vector<JobId> by_rank(rank.size());
    for (std::size_t job = 0; job < rank.size(); ++job) by_rank[rank[job]] = static_cast<JobId>(job);
    return by_rank;
}

std::vector<JobId> ranks_under(const Order& order, const ReplayJobs& jobs) {
    return order.is_static() ? static_ranks(order, jobs) : std::vector<JobId>{};
}

}  // namespace

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
      by_size_(context.jobs.processors, backfill_rank_), releases_(context.jobs.size()) {}

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
      beliefs_(other.beliefs_), ends_(other.ends_), queue_(other.queue_), by_size_(other.by_size_),
      releases_(other.releases_), waiting_by_user_(other.waiting_by_user_), head_(other.head_),
      reserved_for_(other.reserved_for_), reservation_stale_(other.reservation_stale_),
      shadow_(other.shadow_), extra_(other.extra_) {
    beliefs_.rebind(context_);
    ends_.rebind(context_);
}

template <MachineModel Machine>
void HeadPlanner<Machine>::pass(const Instant& instant, Starts& starts) {
    now_ = instant.now;
    starts_ = &starts;
    release(instant.ended);
    follow_beliefs(instant.ended);
    const bool corrected = correct_estimates();
    const bool still = order_->is_static();
    if (queue_.empty() && instant.arrived.size() == 1 &&
        context_.jobs.processors[instant.arrived[0]] <= available()) {
        start(instant.arrived[0], false);
        return;
    }
    bool overtaken = head_ == kNoJob || !still;
    for (const JobId job : instant.arrived) {
        enqueue(job);
        overtaken = overtaken || rank_of(job) < rank_of(head_);
    }
    if (queue_.empty()) return;
    if (!overtaken && !corrected && instant.ended.empty()) {
        try_arrivals(instant.arrived);
        return;
    }
    still ? start_from_the_front() : start_from_the_front_by_score();
    if (head_ == kNoJob || !rule_.others_pass) return;
    reserve();
    if (available() > 0) backfill_order_->is_static() ? fill() : fill_by_score();
}

template <MachineModel Machine>
void HeadPlanner<Machine>::release(std::span<const JobId> ended) {
    for (const JobId job : ended) {
        const ProcCount processors = context_.jobs.processors[job];
        machine_.release(job, processors);
        if (!rule_.reserves) continue;
        const Time end = ends_.of(job, beliefs_);
        releases_.remove(job, end, processors);
        ends_.forget(job);
        reservation_stale_ = reservation_stale_ || end > now_;
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
            by_size_.erase(other);
            by_size_.insert(other, beliefs_.waiting(other));
        }
    }
}

template <MachineModel Machine> bool HeadPlanner<Machine>::correct_estimates() {
    if (!rule_.reserves) return false;
    bool any = false;
    ends_.correct(now_, [&](JobId job, Time old_end, Time new_end) {
        const ProcCount processors = context_.jobs.processors[job];
        releases_.remove(job, old_end, processors);
        releases_.add(job, new_end, processors);
        any = true;
    });
    reservation_stale_ = reservation_stale_ || any;
    return any;
}

template <MachineModel Machine> void HeadPlanner<Machine>::enqueue(JobId job) {
    queue_.insert(rank_of(job));
    if (!rule_.others_pass) return;
    by_size_.insert(job, beliefs_.waiting(job));
    if (beliefs_.waiting_drift()) waiting_by_user_[context_.jobs.user(job)].push_back(job);
}

template <MachineModel Machine>
void HeadPlanner<Machine>::start(JobId job, bool past_the_head) {
    const ProcCount processors = context_.jobs.processors[job];
    machine_.allocate(job, processors);
    starts_->add(job, past_the_head);
    if (rule_.reserves) releases_.add(job, ends_.start(job, now_, beliefs_.running(job)), processors);
}

template <MachineModel Machine>
void HeadPlanner<Machine>::start_waiting(JobId job, bool past_the_head) {
    queue_.erase(rank_of(job));
    if (rule_.others_pass) by_size_.erase(job);
    start(job, past_the_head);
}

// Starts jobs in order; afterwards head_ is the first that does not fit.
template <MachineModel Machine> void HeadPlanner<Machine>::start_from_the_front() {
    while (!queue_.empty()) {
        head_ = job_at_rank(queue_.first());
        if (context_.jobs.processors[head_] > available()) return;
        start_waiting(head_, false);
        reservation_stale_ = true;
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
        std::pop_heap(scored_.begin(), scored_.end(), later);
        scored_.pop_back();
    }
    head_ = kNoJob;
}

// Nothing has ended and the head is the same: of the waiting jobs only the new ones can have become startable.
template <MachineModel Machine>
void HeadPlanner<Machine>::try_arrivals(std::span<const JobId> arrived) {
    if (!rule_.others_pass) return;
    if (!backfill_order_->is_static()) {
        reserve();
        fill_by_score();
        return;
    }
    scratch_jobs_.assign(arrived.begin(), arrived.end());
    if (!backfill_rank_.empty())
        std::sort(scratch_jobs_.begin(), scratch_jobs_.end(), [&](JobId a, JobId b) {
            return backfill_rank_[a] < backfill_rank_[b];
        });
    for (const JobId job : scratch_jobs_) {
        if (context_.jobs.processors[job] > available()) continue;
        reserve();
        if (may_start(job)) start_waiting(job, true);
    }
}

// Starts, in backfill order, every waiting job that the head's reservation lets pass. One candidate a size lies in the
// heap, the first of its size that may start; a started one is followed by the next of its size.
template <MachineModel Machine> void HeadPlanner<Machine>::fill() {
    found_.clear();
    const SizeIndex::Place end = by_size_.end_of_sizes(available());
    const SizeIndex::Place spare_end = std::min(end, by_size_.end_of_sizes(spare()));
    gather(0, spare_end, SizeIndex::kAnyLength);
    gather(spare_end, end, longest_for(std::numeric_limits<ProcCount>::max()));
    const auto later = [](const Candidate& a, const Candidate& b) { return a.rank > b.rank; };
    std::make_heap(found_.begin(), found_.end(), later);
    while (!found_.empty()) {
        std::pop_heap(found_.begin(), found_.end(), later);
        SizeIndex::Place place = found_.back().place;
        found_.pop_back();
        const JobId job = by_size_.job_at(place);
        const ProcCount processors = context_.jobs.processors[job];
        if (processors > available()) continue;
        if (may_start(job)) start_waiting(job, true);
        const SizeIndex::Place size_end = by_size_.end_of_sizes(processors);
        place = by_size_.first(place + 1, size_end, longest_for(processors));
        if (place == size_end) continue;
        found_.push_back({backfill_rank_of(by_size_.job_at(place)), place});
        std::push_heap(found_.begin(), found_.end(), later);
    }
}

template <MachineModel Machine>
void HeadPlanner<Machine>::gather(SizeIndex::Place from, SizeIndex::Place to, Duration longest) {
    while ((from = by_size_.first(from, to, longest)) != to) {
        const JobId job = by_size_.job_at(from);
        found_.push_back({backfill_rank_of(job), from});
        from = by_size_.end_of_sizes(context_.jobs.processors[job]);
    }
}

template <MachineModel Machine> void HeadPlanner<Machine>::fill_by_score() {
    scratch_jobs_.clear();
    const SizeIndex::Place end = by_size_.end_of_sizes(available());
    const SizeIndex::Place spare_end = std::min(end, by_size_.end_of_sizes(spare()));
    for (SizeIndex::Place p = 0; (p = by_size_.first(p, spare_end, SizeIndex::kAnyLength)) != spare_end; ++p)
        scratch_jobs_.push_back(by_size_.job_at(p));
    const Duration longest = longest_for(std::numeric_limits<ProcCount>::max());
    for (SizeIndex::Place p = spare_end; (p = by_size_.first(p, end, longest)) != end; ++p)
        scratch_jobs_.push_back(by_size_.job_at(p));
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
    for (std::size_t i = 0; i < jobs.size(); ++i) scored_.push_back({scratch_scores_[i], jobs[i]});
}

template <MachineModel Machine> ProcCount HeadPlanner<Machine>::available() {
    if (!context_.policy.ending_now_is_free || !rule_.reserves) return machine_.free();
    return machine_.free() + static_cast<ProcCount>(releases_.released_by(now_));
}

// Brings shadow_ and extra_ up to date for head_.
template <MachineModel Machine> void HeadPlanner<Machine>::reserve() {
    const bool fixed = context_.policy.frozen_reservation || rule_.relaxes;
    const bool same_head = reserved_for_ == head_;
    if (!rule_.reserves || (same_head && (!reservation_stale_ || context_.policy.frozen_reservation)))
        return;
    if (!fixed && available() == 0) return;
    const std::int64_t need = context_.jobs.processors[head_];
    if (same_head && rule_.relaxes) {
        extra_ = machine_.free() + releases_.released_by(shadow_) - need;
    } else {
        const Releases::Point reached = releases_.reaching(need - machine_.free());
        shadow_ = reached.time;
        extra_ = machine_.free() + reached.released - need;
        if (rule_.relaxes) {
            const Time since = shadow_ - context_.jobs.submit(head_);
            shadow_ += static_cast<Time>(context_.policy.relaxation * static_cast<double>(since));
            extra_ = machine_.free() + releases_.released_by(shadow_) - need;
        }
    }
    reserved_for_ = head_;
    reservation_stale_ = false;
}

// The longest job that ends before the reservation begins; a job of length 0 always does.
template <MachineModel Machine> Duration HeadPlanner<Machine>::longest_before_shadow() const {
    const Time window = shadow_ - now_ - (context_.policy.strict_end ? 1 : 0);
    return static_cast<Duration>(std::clamp<Time>(window, 0, SizeIndex::kAnyLength));
}

template <MachineModel Machine> ProcCount HeadPlanner<Machine>::spare() const {
    if (!rule_.reserves || !context_.policy.spare_processors) return 0;
    constexpr std::int64_t most = std::numeric_limits<ProcCount>::max();
    return static_cast<ProcCount>(std::clamp<std::int64_t>(extra_, 0, most));
}

template <MachineModel Machine>
Duration HeadPlanner<Machine>::longest_for(ProcCount processors) const {
    return !rule_.reserves || processors <= spare() ? SizeIndex::kAnyLength
                                                    : longest_before_shadow();
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

const bool none_registered =
    scheduler_registry().add({
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

}  // namespace

}  // namespace slotwise
