// A dispatcher that is a Python callable.
#pragma once

#include "bindings.hpp"
#include "job_view.hpp"
#include "schedule/external.hpp"

#include <memory>
#include <vector>

namespace slotwise::bindings {

// Called with the queue and the machine, the same two objects at each pass. Copies of a replay have
// each their own.
class PythonDispatcher final : public Dispatcher {
  public:
    explicit PythonDispatcher(py::object callable); // with the GIL
    ~PythonDispatcher() override;

    void choose(const PassView& view, std::vector<JobId>& chosen) override;
    std::shared_ptr<Dispatcher> clone() const override;

  private:
    struct Shown;

    std::shared_ptr<Shown> shown_;
    py::object callable_;
    py::object queue_;
    py::object machine_;
};

} // namespace slotwise::bindings
