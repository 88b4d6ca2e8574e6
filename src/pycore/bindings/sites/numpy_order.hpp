// An order whose scores a Python function computes from NumPy columns.
#pragma once

#include "bindings.hpp"
#include "order/order.hpp"

#include <memory>
#include <string>

namespace slotwise::bindings {

// The waiting jobs, as passed to the function. Their columns can be read only during the call. A
// column is created each time it is read, and remains valid after the call.
class WaitingJobs {
  public:
    WaitingJobs(const ReplayJobs& jobs, std::span<const JobId> which, Time now)
        : jobs_(&jobs), which_(which), now_(now) {}

    // column() and size() throw std::runtime_error after the Python function has returned.
    py::array_t<double> column(const std::string& name) const;
    std::size_t size() const;
    void close() { jobs_ = nullptr; }

  private:
    const ReplayJobs* jobs_; // null after the call
    std::span<const JobId> which_;
    Time now_;
};

std::shared_ptr<const OrderSource> make_numpy_order(py::object function, std::string name,
                                                    bool is_static, bool weighs_queue_priority);

} // namespace slotwise::bindings
