#include "planner/dispatcher.hpp"

#include "machine/torus/torus.hpp"

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

DispatchPlanner::DispatchPlanner(const ReplayContext& context,
                                 std::shared_ptr<Dispatcher> dispatcher)
    : context_(context), dispatcher_(std::move(dispatcher)), free_(context.processors) {
    if (context.site.has_torus()) slots_.emplace(context.site.torus->nodes());
}

DispatchPlanner::DispatchPlanner(const DispatchPlanner& other, const ReplayContext& context)
    : context_(context), dispatcher_(other.dispatcher_->clone()), free_(other.free_),
      slots_(other.slots_), waiting_(other.waiting_), running_(other.running_),
      ended_(other.ended_), arrived_(other.arrived_), asking_(other.asking_) {}

void DispatchPlanner::take_over(const Underway& underway) {
    waiting_.assign(underway.waiting.begin(), underway.waiting.end());
    running_.assign(underway.running.begin(), underway.running.end());
    for (const JobId job : running_) {
        free_ -= context_.jobs.processors[job];
        if (!slots_) continue; // without a torus, jobs have no positions
        for (const NodeInterval& nodes : context_.schedule.placements.of(job))
            slots_->allocate(nodes);
    }
}

void DispatchPlanner::cancel(JobId job) {
    std::erase(waiting_, job);
}

void DispatchPlanner::pass(const Instant& instant, Starts& starts) {
    for (const JobId job : instant.ended) {
        std::erase(running_, job);
        free_ += context_.jobs.processors[job];
        if (slots_) slots_->release(context_.schedule.placements.of(job));
        ended_.push_back(job);
    }
    for (const JobId job : instant.arrived) {
        insert_sorted(waiting_, job);
        arrived_.push_back(job);
    }
    chosen_.clear();
    asking_ = true;
    dispatcher_->choose({context_, instant.now, free_, waiting_, running_, ended_, arrived_,
                         slots_ ? &*slots_ : nullptr},
                        chosen_);
    if (!chosen_.empty()) check_answer();
    if (slots_) place_answer();
    asking_ = false;
    ended_.clear();
    arrived_.clear();
    for (const JobId job : chosen_) {
        waiting_.erase(std::lower_bound(waiting_.begin(), waiting_.end(), job));
        running_.push_back(job);
        free_ -= context_.jobs.processors[job];
        starts.add(job, !waiting_.empty() && waiting_.front() < job);
    }
    if (!slots_) return;
    starts.nodes.insert(starts.nodes.end(), placed_.begin(), placed_.end());
    starts.nodes_end.insert(starts.nodes_end.end(), placed_ends_.begin(), placed_ends_.end());
}

void DispatchPlanner::refuse(JobId job, const std::string& why) const {
    const auto& ids = context_.jobs.table->job_id;
    const std::int64_t number = ids.empty() ? job : ids[job];
    throw DispatchError("the dispatcher cannot start job " + std::to_string(number) + ": " + why);
}

void DispatchPlanner::check_answer() {
    sorted_ = chosen_;
    std::sort(sorted_.begin(), sorted_.end());
    const auto twice = std::adjacent_find(sorted_.begin(), sorted_.end());
    if (twice != sorted_.end())
        refuse(*twice, "the answer lists the job twice; list each job only once");
    std::int64_t left = free_;
    for (const JobId job : chosen_) {
        if (!std::binary_search(waiting_.begin(), waiting_.end(), job))
            refuse(job, "the job is not in the queue; start only jobs from the queue that the "
                        "dispatcher receives");
        const ProcCount processors = context_.jobs.processors[job];
        if (processors > left)
            refuse(job, "the job needs more processors (" + std::to_string(processors) +
                            ") than are free (" + std::to_string(left) + ")");
        left -= processors;
    }
}

// Assigns nodes to all chosen jobs, or to none.
void DispatchPlanner::place_answer() {
    placed_.clear();
    placed_ends_.clear();
    try {
        for (std::size_t i = 0; i < chosen_.size(); ++i) {
            place(chosen_[i], dispatcher_->nodes(i));
            placed_ends_.push_back(static_cast<std::uint32_t>(placed_.size()));
        }
    } catch (const DispatchError&) {
        slots_->release(placed_);
        throw;
    }
}

void DispatchPlanner::place(JobId job, std::span<const std::int32_t> nodes) {
    const Torus& torus = *context_.site.torus;
    const NodeCount need = context_.nodes_of(job);
    if (nodes.empty()) {
        slots_->take_first(need, placed_);
        return;
    }
    if (nodes.size() != static_cast<std::size_t>(need))
        refuse(job, "the number of listed nodes is " + std::to_string(nodes.size()) +
                        ", but the job needs " + std::to_string(need) +
                        "; list as many as it needs, or none to let Slotwise choose the nodes");
    sorted_nodes_.assign(nodes.begin(), nodes.end());
    std::sort(sorted_nodes_.begin(), sorted_nodes_.end());
    for (std::size_t i = 0; i < sorted_nodes_.size(); ++i) {
        const std::int32_t node = sorted_nodes_[i];
        if (node < 0 || node >= torus.nodes())
            refuse(job, "node " + std::to_string(node) +
                            " does not exist; the torus has nodes 0 to " +
                            std::to_string(torus.nodes() - 1));
        if (i > 0 && sorted_nodes_[i - 1] == node)
            refuse(job,
                   "node " + std::to_string(node) + " is listed twice; list each node only once");
        if (!slots_->is_free(node))
            refuse(job, "node " + std::to_string(node) + " is not free: " + holder_of(node));
    }
    for (std::size_t i = 0, from = 0; i < sorted_nodes_.size(); ++i) {
        const bool goes_on =
            i + 1 < sorted_nodes_.size() && sorted_nodes_[i + 1] == sorted_nodes_[i] + 1;
        if (goes_on) continue;
        placed_.push_back({sorted_nodes_[from], sorted_nodes_[i] + 1});
        slots_->allocate(placed_.back());
        from = i + 1;
    }
}

std::string DispatchPlanner::holder_of(std::int32_t node) const {
    const auto& ids = context_.jobs.table->job_id;
    for (const JobId job : running_)
        for (const NodeInterval& held : context_.schedule.placements.of(job))
            if (held.begin <= node && node < held.end)
                return "job " + std::to_string(ids.empty() ? job : ids[job]) +
                       " occupies it; choose free nodes";
    return "the answer also lists it for another job; list each node for one job only";
}

std::shared_ptr<Dispatcher> recorded_dispatcher(std::vector<Time> start) {
    return std::make_shared<Recorded>(std::make_shared<const std::vector<Time>>(std::move(start)));
}

} // namespace slotwise
