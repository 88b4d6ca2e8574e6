#include "schedule/external.hpp"

#include "schedule/node_allocator.hpp"

#include <algorithm>

namespace slotwise {

namespace {

void insert_sorted(std::vector<JobId>& jobs, JobId job) {
    jobs.insert(std::upper_bound(jobs.begin(), jobs.end(), job), job);
}

class Recorded final : public Dispatcher {
  public:
    explicit Recorded(std::shared_ptr<const std::vector<Time>> start) : start_(std::move(start)) {}

    void choose(const PassView& view, std::vector<JobId>& chosen) override {
        ProcCount free = view.free;
        for (const JobId job : view.waiting) {
            const ProcCount processors = view.context.jobs.processors[job];
            if ((*start_)[job] != view.now || processors > free) continue;
            free -= processors;
            chosen.push_back(job);
        }
    }
    std::shared_ptr<Dispatcher> clone() const override {
        return std::make_shared<Recorded>(start_);
    }

  private:
    std::shared_ptr<const std::vector<Time>> start_;
};

} // namespace

External::External(const ReplayContext& context, std::shared_ptr<Dispatcher> dispatcher)
    : context_(context), dispatcher_(std::move(dispatcher)), free_(context.processors) {}

External::External(const External& other, const ReplayContext& context)
    : context_(context), dispatcher_(other.dispatcher_->clone()), free_(other.free_),
      waiting_(other.waiting_), running_(other.running_), ended_(other.ended_),
      arrived_(other.arrived_), asking_(other.asking_) {}

void External::take_over(const Underway& underway) {
    waiting_.assign(underway.waiting.begin(), underway.waiting.end());
    running_.assign(underway.running.begin(), underway.running.end());
    for (const JobId job : running_)
        free_ -= context_.jobs.processors[job];
}

void External::cancel(JobId job) {
    std::erase(waiting_, job);
}

void External::pass(const Instant& instant, Starts& starts) {
    for (const JobId job : instant.ended) {
        std::erase(running_, job);
        free_ += context_.jobs.processors[job];
        ended_.push_back(job);
    }
    for (const JobId job : instant.arrived) {
        insert_sorted(waiting_, job);
        arrived_.push_back(job);
    }
    chosen_.clear();
    asking_ = true;
    dispatcher_->choose({context_, instant.now, free_, waiting_, running_, ended_, arrived_},
                        chosen_);
    if (!chosen_.empty()) check_answer();
    asking_ = false;
    ended_.clear();
    arrived_.clear();
    for (const JobId job : chosen_) {
        waiting_.erase(std::lower_bound(waiting_.begin(), waiting_.end(), job));
        running_.push_back(job);
        free_ -= context_.jobs.processors[job];
        starts.add(job, !waiting_.empty() && waiting_.front() < job);
    }
}

void External::refuse(JobId job, const std::string& why) const {
    const auto& ids = context_.jobs.table->job_id;
    const std::int64_t number = ids.empty() ? job : ids[job];
    throw DispatchError("the dispatcher starts job " + std::to_string(number) + ", which " + why);
}

void External::check_answer() {
    sorted_ = chosen_;
    std::sort(sorted_.begin(), sorted_.end());
    const auto twice = std::adjacent_find(sorted_.begin(), sorted_.end());
    if (twice != sorted_.end()) refuse(*twice, "it names twice; name each job once");
    std::int64_t left = free_;
    for (const JobId job : chosen_) {
        if (!std::binary_search(waiting_.begin(), waiting_.end(), job))
            refuse(job, "is not in the queue; start jobs of the queue it is shown");
        const ProcCount processors = context_.jobs.processors[job];
        if (processors > left)
            refuse(job, "does not fit: it needs " + std::to_string(processors) +
                            " processors and " + std::to_string(left) + " are left");
        left -= processors;
    }
}

MakeScheduler external_scheduler(std::shared_ptr<Dispatcher> dispatcher) {
    return [dispatcher = std::move(dispatcher)](const ReplayContext& context) {
        if (!context.site.is_plain())
            throw std::invalid_argument("an outside dispatcher takes no queues, pools, limits or "
                                        "calendar; give a site of machine and policy");
        return placed(context, std::make_unique<External>(context, dispatcher->clone()));
    };
}

std::shared_ptr<Dispatcher> recorded_dispatcher(std::vector<Time> start) {
    return std::make_shared<Recorded>(std::make_shared<const std::vector<Time>>(std::move(start)));
}

} // namespace slotwise
