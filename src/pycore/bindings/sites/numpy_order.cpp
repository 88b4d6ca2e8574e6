#include "sites/numpy_order.hpp"

#include "order/job_columns.hpp"

#include <stdexcept>

namespace slotwise::bindings {

namespace {

// Returns a pointer whose object is destroyed with the GIL held. This is necessary because the last
// replay that uses the object may end in a thread that does not hold the GIL.
std::shared_ptr<py::object> shared(py::object object) {
    return {new py::object(std::move(object)), [](py::object* held) {
                const py::gil_scoped_acquire gil;
                delete held;
            }};
}

struct Function {
    std::shared_ptr<py::object> callable;
    std::string name; // for messages
    bool is_static;
    bool weighs_queue_priority;
};

class NumPyOrder final : public Order {
  public:
    explicit NumPyOrder(const Function& function) : function_(function) {}

    bool is_static() const override { return function_.is_static; }
    bool weighs_queue_priority() const override { return function_.weighs_queue_priority; }

    void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
               std::span<double> scores) const override {
        call(jobs, which, now, scores);
        check_keys(function_.name, jobs, which, now, scores);
    }

  private:
    void call(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
              std::span<double> scores) const {
        const py::gil_scoped_acquire gil;
        const auto waiting = std::make_shared<WaitingJobs>(jobs, which, now);
        struct Closing {
            WaitingJobs& jobs;
            ~Closing() { jobs.close(); }
        } const closing{*waiting};
        const py::object keys = ask(waiting, jobs, which, now);
        const py::array given = py::array::ensure(keys);
        if (!given) {
            PyErr_Clear();
            throw py::type_error("order " + function_.name + " returned " +
                                 std::string(py::str(py::type::of(keys).attr("__name__"))) +
                                 "; it must return an array of keys");
        }
        const char kind = given.dtype().kind();
        if (kind != 'f' && kind != 'i' && kind != 'u')
            throw py::type_error("order " + function_.name + " returned keys of type " +
                                 std::string(py::str(given.dtype())) +
                                 "; the keys must be real numbers");
        if (given.ndim() != 1 || static_cast<std::size_t>(given.size()) != which.size())
            throw py::value_error("order " + function_.name + " returned keys of shape " +
                                  std::string(py::str(given.attr("shape"))) +
                                  "; it must return one key per waiting job (" +
                                  std::to_string(which.size()) + ")");
        const py::array_t<double, py::array::c_style | py::array::forcecast> doubles(given);
        std::copy_n(doubles.data(), which.size(), scores.data());
    }

    // Calls the function. If it raises an exception, the name of the order and the jobs are added
    // to that exception.
    py::object ask(const std::shared_ptr<WaitingJobs>& waiting, const ReplayJobs& jobs,
                   std::span<const JobId> which, Time now) const {
        try {
            return (*function_.callable)(waiting, now);
        } catch (const py::error_already_set& raised) {
            const auto& ids = jobs.table->job_id;
            std::string asked =
                std::to_string(which.size()) + (which.size() == 1 ? " job" : " jobs");
            if (!which.empty() && !ids.empty())
                asked += ", the first of which is job " + std::to_string(ids[which.front()]);
            raised.value().attr("add_note")("raised by order " + function_.name + " at " +
                                            std::to_string(now) + " s while scoring " + asked);
            throw;
        }
    }

    Function function_;
};

class NumPyOrderSource final : public OrderSource {
  public:
    explicit NumPyOrderSource(Function function) : function_(std::move(function)) {}

    std::unique_ptr<Order> make() const override { return std::make_unique<NumPyOrder>(function_); }

    bool same(const OrderSource& other) const override {
        const auto* source = dynamic_cast<const NumPyOrderSource*>(&other);
        return source != nullptr &&
               source->function_.callable->ptr() == function_.callable->ptr() &&
               source->function_.is_static == function_.is_static &&
               source->function_.weighs_queue_priority == function_.weighs_queue_priority;
    }

  private:
    Function function_;
};

} // namespace

py::array_t<double> WaitingJobs::column(const std::string& name) const {
    const JobColumn column = find_job_column(name);
    const std::size_t n = size();
    py::array_t<double> values(static_cast<py::ssize_t>(n));
    load_column(column, *jobs_, which_, now_, std::span(values.mutable_data(), n));
    return values;
}

std::size_t WaitingJobs::size() const {
    if (jobs_ == nullptr)
        throw std::runtime_error("the waiting jobs can be read only during a call to the order; "
                                 "during the call, keep the columns that you need later");
    return which_.size();
}

std::shared_ptr<const OrderSource> make_numpy_order(py::object function, std::string name,
                                                    bool is_static, bool weighs_queue_priority) {
    return std::make_shared<NumPyOrderSource>(
        Function{shared(std::move(function)), std::move(name), is_static, weighs_queue_priority});
}

} // namespace slotwise::bindings
