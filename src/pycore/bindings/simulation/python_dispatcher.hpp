// A dispatcher that is a Python callable.
#pragma once

#include "bindings.hpp"
#include "planner/dispatcher.hpp"
#include "simulation/job_view.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace slotwise::bindings {

// Calls the callable in each pass, always with the same two objects: the queue and the machine.
// Each copy of a replay has its own two objects.
class PythonDispatcher final : public Dispatcher {
  public:
    explicit PythonDispatcher(py::object callable); // the caller must hold the GIL
    ~PythonDispatcher() override;

    void choose(const PassView& view, std::vector<JobId>& chosen) override;
    std::span<const std::int32_t> nodes(std::size_t i) const override {
        const std::uint32_t from = i == 0 ? 0 : answer_.nodes_end[i - 1];
        return {answer_.nodes.data() + from, answer_.nodes_end[i] - from};
    }
    PoolId pool(std::size_t i) const override { return answer_.pools[i]; }
    std::shared_ptr<Dispatcher> clone() const override;

    // The nodes of the jobs that the callable returned, one job after another, and the position at
    // which the nodes of each job end.
    struct Answer {
        std::vector<std::int32_t> nodes;
        std::vector<std::uint32_t> nodes_end;
        std::vector<PoolId> pools; // pool of each job; kAnyPool if the callable gave none
    };

  private:
    struct Shown;

    Answer answer_;
    std::shared_ptr<Shown> shown_;
    py::object callable_;
    py::object queue_;
    py::object machine_;
};

} // namespace slotwise::bindings
