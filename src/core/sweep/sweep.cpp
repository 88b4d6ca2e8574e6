#include "sweep/sweep.hpp"

#include "engine/whole_replay.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace slotwise {

namespace {

constexpr std::chrono::milliseconds kReportEvery{100};

struct Stopped {};

// The state shared by the threads of a sweep.
class Work {
  public:
    Work(const std::shared_ptr<const JobTable>& table, std::span<const Site> sites,
         const SweepOptions& options)
        : table_(table), sites_(sites), options_(options), rows_(sites.size()),
          faults_(sites.size()), first_failed_(sites.size()) {}

    // Replays one site after another until none is left or the sweep is stopped. If a site fails,
    // all sites before it are still replayed. The first site that fails is therefore the same for
    // any number of threads.
    void run() {
        for (std::size_t i; (i = next_++) < first_failed_;) {
            try {
                rows_[i] = replay(i);
            } catch (const Stopped&) {
                break;
            } catch (...) {
                faults_[i] = std::current_exception();
                const std::lock_guard lock(mutex_);
                first_failed_ = std::min<std::size_t>(first_failed_, i);
            }
            const std::lock_guard lock(mutex_);
            ++done_;
        }
        const std::lock_guard lock(mutex_);
        ++idle_;
        changed_.notify_all();
    }

    void stop() { first_failed_ = 0; }

    // Waits a short time for `workers` threads to finish. Returns true if they have finished.
    bool finished(unsigned workers) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, kReportEvery, [&] { return idle_ == workers; });
        return idle_ == workers;
    }

    double part_done() {
        const std::lock_guard lock(mutex_);
        return static_cast<double>(done_) / static_cast<double>(sites_.size());
    }

    std::vector<SweepRow> take() {
        for (std::size_t i = 0; i < faults_.size(); ++i)
            if (faults_[i] != nullptr) throw SweepFault{i, faults_[i]};
        return std::move(rows_);
    }

  private:
    SweepRow replay(std::size_t i) const {
        const Site& site = sites_[i];
        const auto began = std::chrono::steady_clock::now();
        auto schedule =
            std::make_shared<Schedule>(slotwise::replay(table_, site, [this, i](double) {
                if (i >= first_failed_) throw Stopped{};
            }));
        SweepRow row;
        row.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        if (options_.computes_metrics)
            row.metrics =
                metrics_of(columns_of(*table_, *schedule, site.processors), options_.metrics);
        if (options_.keep_schedules) row.schedule = std::move(schedule);
        return row;
    }

    const std::shared_ptr<const JobTable>& table_;
    std::span<const Site> sites_;
    const SweepOptions& options_;
    std::vector<SweepRow> rows_;
    std::vector<std::exception_ptr> faults_;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> first_failed_; // sites from here on are neither begun nor continued
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t done_ = 0;
    unsigned idle_ = 0;
};

// The threads of a sweep. They are stopped and joined no matter how the sweep ends.
class Crew {
  public:
    Crew(Work& work, unsigned workers) : work_(work) {
        for (unsigned i = 0; i < workers; ++i)
            threads_.emplace_back([&work] { work.run(); });
    }
    ~Crew() {
        work_.stop();
        for (std::thread& thread : threads_)
            thread.join();
    }

  private:
    Work& work_;
    std::vector<std::thread> threads_;
};

} // namespace

std::vector<SweepRow> sweep(const std::shared_ptr<const JobTable>& table,
                            std::span<const Site> sites, const SweepOptions& options,
                            const Progress& progress) {
    if (options.workers == 0)
        throw std::invalid_argument("workers is 0; a sweep needs at least 1 worker");
    const auto workers =
        static_cast<unsigned>(std::min<std::size_t>(options.workers, sites.size()));
    Work work(table, sites, options);
    {
        const Crew crew(work, workers);
        while (!work.finished(workers))
            if (progress) progress(work.part_done());
    }
    return work.take();
}

} // namespace slotwise
