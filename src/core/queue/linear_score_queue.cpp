#include "queue/linear_score_queue.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace slotwise {

namespace {

constexpr double kBand = 1e-13;             // upper bound on the relative rounding error of a rank
constexpr double kFar = 4503599627370496.0; // 2^52 s; a lead that lasts this long lasts forever
constexpr double kLeastGain = 1e-300; // lines whose slopes differ by less are assumed never to meet
constexpr double kLowest = -std::numeric_limits<double>::infinity();

} // namespace

LinearScoreQueue::LinearScoreQueue(const ReplayJobs& jobs, const Order& order)
    : jobs_(&jobs), order_(&order), behind_(jobs.size(), kNoJob) {}

void LinearScoreQueue::rebind(const ReplayJobs& jobs, const Order& order) {
    jobs_ = &jobs;
    order_ = &order;
}

void LinearScoreQueue::insert(JobId job, Time now) {
    const Position row = identical_row(job);
    if (row != kNone && job > front_[row]) {
        join_row(row, job);
        return;
    }
    if (row != kNone) { // the job returns to the queue, and precedes the front
        behind_.set(job, front_[row]);
        set_front(row, job);
        first_ = kNone;
        return;
    }
    open(job);
    if (first_ == kNone) return;
    const Position last = static_cast<Position>(size_ - 1);
    const Time sure = sure_against(rank_at(last), now);
    if (sure == now && precedes(job, front_[first_], now)) first_ = kNone;
    sure_through_ = std::min(sure_through_, sure);
}

// Inserts the job into the row, behind the front, in trace order.
void LinearScoreQueue::join_row(Position place, JobId job) {
    JobId before = back_[place];
    if (before > job)
        for (before = front_[place]; behind_[before] < job;)
            before = behind_[before];
    behind_.set(job, behind_[before]);
    behind_.set(before, job);
    if (back_[place] == before) back_[place] = job;
}

void LinearScoreQueue::erase(JobId job) {
    const Position place = place_of(job);
    if (front_[place] == job) {
        if (place == first_) first_ = kNone;
        behind_[job] == kNoJob ? close(place) : set_front(place, behind_[job]);
    } else {
        JobId before = front_[place];
        while (behind_[before] != job)
            before = behind_[before];
        behind_.set(before, behind_[job]);
        if (back_[place] == job) back_[place] = before;
    }
    if (behind_[job] != kNoJob) behind_.set(job, kNoJob);
}

bool LinearScoreQueue::would_be_first(JobId job, Time now) {
    const JobId leader = first(now);
    const LinearScore line = order_->line(*jobs_, job);
    widen_doubt(line, jobs_->submit(job));
    const double t = seconds(now);
    if (rank_at(first_).at(t) - rank_of(line, job).at(t) > doubt(t)) return false;
    return precedes(job, leader, now);
}

bool LinearScoreQueue::any_within(const BackfillBounds& bounds) const {
    for (std::size_t group = 0; group < size_; group += backfill::kGroup)
        if (fitting(group, bounds) != 0) return true;
    return false;
}

JobId LinearScoreQueue::highest(const BackfillBounds& bounds, Time now) {
    const double t = seconds(now);
    double most = kLowest;
    double second = kLowest;
    std::size_t at = size_;
    for (std::size_t group = 0; group < size_; group += backfill::kGroup)
        for (unsigned left = fitting(group, bounds); left != 0; left &= left - 1) {
            const std::size_t i = group + static_cast<std::size_t>(std::countr_zero(left));
            const double value = at_zero_[i] + slope_[i] * t;
            second = std::max(second, std::min(most, value));
            at = value > most ? i : at;
            most = std::max(most, value);
        }
    if (at == size_) return kNoJob;
    highest_ = static_cast<Position>(at);
    if (most - second > doubt(t)) return front_[at];
    for (std::size_t group = 0; group < size_; group += backfill::kGroup)
        for (unsigned left = fitting(group, bounds); left != 0; left &= left - 1) {
            const std::size_t i = group + static_cast<std::size_t>(std::countr_zero(left));
            const bool close = most - (at_zero_[i] + slope_[i] * t) <= doubt(t);
            if (close && precedes(front_[i], front_[highest_], now))
                highest_ = static_cast<Position>(i);
        }
    return front_[highest_];
}

LinearScoreQueue::Rank LinearScoreQueue::rank_of(const LinearScore& line, JobId job) const {
    return {line.at_submit - line.per_second * seconds(jobs_->submit(job)), line.per_second};
}

LinearScoreQueue::Position LinearScoreQueue::identical_row(JobId job) const {
    const ProcCount processors = jobs_->processors[job];
    const std::int32_t request = backfill::biased(jobs_->requested_time[job]);
    for (std::size_t group = 0; group < size_; group += backfill::kGroup) {
        unsigned found =
            backfill::matching(&processors_[group], &requests_[group], processors, request);
        for (; found != 0; found &= found - 1) {
            const auto place =
                static_cast<Position>(group + static_cast<unsigned>(std::countr_zero(found)));
            if (jobs_->priority(front_[place]) == jobs_->priority(job)) return place;
        }
    }
    return kNone;
}

LinearScoreQueue::Position LinearScoreQueue::place_of(JobId job) const {
    if (first_ != kNone && front_[first_] == job) return first_;
    if (highest_ < size_ && front_[highest_] == job) return highest_;
    return identical_row(job);
}

// Opens a new row for the job, at the last position.
void LinearScoreQueue::open(JobId job) {
    if (size_ == processors_.size()) {
        constexpr ProcCount none_fit = std::numeric_limits<ProcCount>::max();
        processors_.resize(size_ + backfill::kGroup, none_fit);
        requests_.resize(size_ + backfill::kGroup);
        at_zero_.resize(size_ + backfill::kGroup, kLowest);
        slope_.resize(size_ + backfill::kGroup);
        front_.resize(size_ + backfill::kGroup);
        back_.resize(size_ + backfill::kGroup);
    }
    const Position place = static_cast<Position>(size_++);
    processors_[place] = jobs_->processors[job];
    requests_[place] = backfill::biased(jobs_->requested_time[job]);
    back_[place] = job;
    set_front(place, job);
}

// Moves the last row to the position of the closed one.
void LinearScoreQueue::close(Position place) {
    const std::size_t last = --size_;
    at_zero_[place] = at_zero_[last];
    slope_[place] = slope_[last];
    processors_[place] = processors_[last];
    requests_[place] = requests_[last];
    front_[place] = front_[last];
    back_[place] = back_[last];
    processors_[last] = std::numeric_limits<ProcCount>::max();
    at_zero_[last] = kLowest;
    if (first_ == last) first_ = place;
}

void LinearScoreQueue::set_front(Position place, JobId job) {
    const LinearScore line = order_->line(*jobs_, job);
    const Rank rank = rank_of(line, job);
    widen_doubt(line, jobs_->submit(job));
    front_[place] = job;
    at_zero_[place] = rank.at_zero;
    slope_[place] = rank.slope;
}

void LinearScoreQueue::find_first(Time now) {
    const double t = seconds(now);
    double most = kLowest;
    double second = kLowest;
    std::size_t at = 0;
    for (std::size_t i = 0; i < size_; ++i) {
        const double value = at_zero_[i] + slope_[i] * t;
        second = std::max(second, std::min(most, value));
        at = value > most ? i : at;
        most = std::max(most, value);
    }
    first_ = static_cast<Position>(at);
    if (most - second <= doubt(t))
        for (std::size_t i = 0; i < size_; ++i) {
            const bool close = most - (at_zero_[i] + slope_[i] * t) <= doubt(t);
            if (close && precedes(front_[i], front_[first_], now))
                first_ = static_cast<Position>(i);
        }
    sure_through_ = sure_through(now);
}

// Returns the time until which first_ certainly precedes all other rows. Uses the same formula as
// sure_against(), but for four rows at a time.
Time LinearScoreQueue::sure_through(Time now) {
    constexpr std::size_t kLanes = 4;
    const double t = seconds(now);
    const Rank leader = rank_at(first_);
    const double lead = leader.at(t) - doubt(t);
    const double keeps = leader.slope - doubt_slope_;
    std::array<double, kLanes> soonest;
    soonest.fill(kFar);
    at_zero_[first_] = kLowest; // excludes first_ itself
    for (std::size_t i = 0; i < size_; i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const double ahead = lead - (at_zero_[i + lane] + slope_[i + lane] * t);
            const double gains = slope_[i + lane] - keeps;
            const double meets = ahead / (gains > kLeastGain ? gains : kLeastGain);
            soonest[lane] = meets < soonest[lane] ? meets : soonest[lane];
        }
    at_zero_[first_] = leader.at_zero;
    const double first_to_meet = *std::min_element(soonest.begin(), soonest.end());
    if (first_to_meet >= kFar) return kNever;
    return first_to_meet <= 0 ? now : now + static_cast<Time>(first_to_meet);
}

// Returns the time until which first_ certainly precedes `other`. Returns `now` if this is already
// uncertain.
Time LinearScoreQueue::sure_against(const Rank& other, Time now) const {
    const double t = seconds(now);
    const Rank leader = rank_at(first_);
    const double ahead = leader.at(t) - other.at(t) - doubt(t);
    if (ahead <= 0) return now;
    const double gains = other.slope - leader.slope + doubt_slope_;
    return gains <= 0 || ahead >= gains * kFar ? kNever : now + static_cast<Time>(ahead / gains);
}

// Raises the bounds on rounding errors if the errors of `line` may be larger. A comparison
// involves two ranks, hence the factor of 2.
void LinearScoreQueue::widen_doubt(const LinearScore& line, Time submit) {
    const double before = line.per_second * seconds(submit);
    doubt_at_zero_ = std::max(doubt_at_zero_, 2 * kBand * (line.size + before));
    doubt_slope_ = std::max(doubt_slope_, 2 * kBand * line.per_second);
}

bool LinearScoreQueue::precedes(JobId a, JobId b, Time now) const {
    const std::array<JobId, 2> both{a, b};
    std::array<double, 2> scores{};
    order_->score(*jobs_, both, now, scores);
    return scores[0] > scores[1] || (scores[0] == scores[1] && a < b);
}

} // namespace slotwise
