#include "queue/window_queue.hpp"

#include <algorithm>

namespace slotwise {

WindowQueue::WindowQueue(const OrderSpec& spec, const ReplayJobs& jobs, std::size_t width)
    : jobs_(&jobs), width_(width), behind_(jobs.size()) {
    window_.reserve(width + 1);
    processors_.reserve(width + 1);
    const std::unique_ptr<Order> order = make_order(spec);
    if (!order->is_static()) {
        drifting_.emplace(spec, jobs);
        return;
    }
    rank_ = static_ranks(*order, jobs);
    by_rank_.resize(rank_.size());
    for (std::size_t job = 0; job < rank_.size(); ++job)
        by_rank_[rank_[job]] = static_cast<JobId>(job);
}

WindowQueue::WindowQueue(const WindowQueue& other, const OrderSpec& order, const ReplayJobs& jobs)
    : jobs_(&jobs), width_(other.width_), size_(other.size_), window_(other.window_),
      processors_(other.processors_), rank_(other.rank_), by_rank_(other.by_rank_),
      behind_(other.behind_), n_behind_(other.n_behind_) {
    if (other.drifting_) drifting_.emplace(*other.drifting_, order, jobs);
}

void WindowQueue::insert(JobId job) {
    ++size_;
    if (drifting_)
        drifting_->insert(job);
    else if (belongs_in_window(job))
        put_in_window(job);
    else
        put_behind(job);
}

bool WindowQueue::belongs_in_window(JobId job) const {
    if (n_behind_ == 0 && window_.size() < width_) return true;
    return !window_.empty() && rank_of(job) < rank_of(window_.back());
}

void WindowQueue::put_in_window(JobId job) {
    const auto before = [&](JobId a, JobId b) { return rank_of(a) < rank_of(b); };
    const auto at = std::upper_bound(window_.begin(), window_.end(), job, before);
    processors_.insert(processors_.begin() + (at - window_.begin()), jobs_->processors[job]);
    window_.insert(at, job);
    if (window_.size() <= width_) return;
    put_behind(window_.back());
    window_.pop_back();
    processors_.pop_back();
}

void WindowQueue::put_behind(JobId job) {
    behind_.set(rank_of(job), static_cast<Duration>(jobs_->processors[job]));
    ++n_behind_;
}

void WindowQueue::erase(JobId job) {
    --size_;
    if (drifting_) drifting_->erase(job);
    const auto at = std::find(window_.begin(), window_.end(), job);
    if (at != window_.end()) {
        processors_.erase(processors_.begin() + (at - window_.begin()));
        window_.erase(at);
    } else if (!drifting_) {
        behind_.set(rank_of(job), min_tree_node::kEmpty);
        --n_behind_;
    }
}

void WindowQueue::sort_at(Time now) {
    if (drifting_ && size_ > 1) drifting_->sort_at(now);
    slide();
}

void WindowQueue::slide() {
    if (drifting_) {
        take_first(drifting_->jobs());
        return;
    }
    while (window_.size() < width_ && n_behind_ > 0) {
        const std::size_t rank = behind_.first(0, jobs_->size(), min_tree_node::kEmpty - 1);
        const JobId job = job_at(rank);
        behind_.set(rank, min_tree_node::kEmpty);
        --n_behind_;
        window_.push_back(job);
        processors_.push_back(jobs_->processors[job]);
    }
}

void WindowQueue::take_first(std::span<const JobId> jobs) {
    const auto first = jobs.first(std::min(width_, jobs.size()));
    window_.assign(first.begin(), first.end());
    processors_.clear();
    for (const JobId job : window_)
        processors_.push_back(jobs_->processors[job]);
}

std::size_t WindowQueue::next_behind(std::size_t place, ProcCount most) const {
    if (!drifting_) return behind_.first(place, jobs_->size(), static_cast<Duration>(most));
    while (place < drifting_->size() && jobs_->processors[drifting_->jobs()[place]] > most)
        ++place;
    return place;
}

} // namespace slotwise
