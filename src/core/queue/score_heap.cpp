#include "queue/score_heap.hpp"

#include <algorithm>

namespace slotwise {

void ScoreHeap::score(const Order& order, const ReplayJobs& jobs, Time now) {
    is_heap_ = false;
    looks_ = 0;
    scores_.assign(jobs_.size(), 0.0);
    if (!jobs_.empty()) order.score(jobs, jobs_, now, scores_);
}

void ScoreHeap::add(JobId job, const Order& order, const ReplayJobs& jobs, Time now) {
    double score = 0;
    order.score(jobs, {&job, 1}, now, {&score, 1});
    if (is_heap_) {
        heap_.push_back({score, job});
        std::push_heap(heap_.begin(), heap_.end());
        return;
    }
    const auto at = std::upper_bound(jobs_.begin(), jobs_.end(), job);
    scores_.insert(scores_.begin() + (at - jobs_.begin()), score);
    jobs_.insert(at, job);
}

JobId ScoreHeap::take_highest() {
    if (!is_heap_ && looks_ == kLooks) make_heap();
    if (is_heap_) {
        std::pop_heap(heap_.begin(), heap_.end());
        const JobId job = heap_.back().job;
        heap_.pop_back();
        return job;
    }
    ++looks_;
    const auto at = std::max_element(scores_.begin(), scores_.end()) - scores_.begin();
    const JobId job = jobs_[static_cast<std::size_t>(at)];
    jobs_.erase(jobs_.begin() + at);
    scores_.erase(scores_.begin() + at);
    return job;
}

void ScoreHeap::make_heap() {
    is_heap_ = true;
    heap_.clear();
    for (std::size_t i = 0; i < jobs_.size(); ++i)
        heap_.push_back({scores_[i], jobs_[i]});
    std::make_heap(heap_.begin(), heap_.end());
}

} // namespace slotwise
