#include "order/compiled_order.hpp"

#include "order/order.hpp"

#include <algorithm>
#include <stdexcept>

namespace slotwise {

namespace {

class CompiledOrder final : public Order {
  public:
    explicit CompiledOrder(const CompiledOrderSource& source) : source_(source) {}

    bool is_static() const override { return source_.is_static; }
    bool weighs_queue_priority() const override {
        return std::find(source_.columns.begin(), source_.columns.end(),
                         JobColumn::queue_priority) != source_.columns.end();
    }

    void score(const ReplayJobs& jobs, std::span<const JobId> which, Time now,
               std::span<double> scores) const override {
        const std::size_t n = which.size();
        values_.resize(std::max(values_.size(), n * source_.columns.size()));
        columns_.clear();
        for (const JobColumn column : source_.columns) {
            double* to = values_.data() + columns_.size() * n;
            load_column(column, jobs, which, now, std::span(to, n));
            columns_.push_back(to);
        }
        const int fault = source_.score(static_cast<std::int64_t>(n), now, columns_.data(),
                                        scores.data(), source_.data);
        if (fault != 0)
            throw OrderError("order " + source_.name + " returned the error code " +
                             std::to_string(fault) + " at " + std::to_string(now) +
                             " s; it must return 0 if it succeeds");
        check_keys(source_.name, jobs, which, now, scores);
    }

  private:
    CompiledOrderSource source_;
    mutable std::vector<double> values_; // one column after another
    mutable std::vector<const double*> columns_;
};

} // namespace

CompiledOrderSource::CompiledOrderSource(std::string name, slotwise_score_function score,
                                         void* data, const std::vector<std::string>& columns,
                                         bool is_static)
    : name(std::move(name)), score(score), data(data), is_static(is_static) {
    if (score == nullptr)
        throw std::invalid_argument(this->name + ": the address of its function is null");
    for (const std::string& column : columns)
        this->columns.push_back(find_job_column(column));
    if (is_static && std::find(this->columns.begin(), this->columns.end(), JobColumn::wait) !=
                         this->columns.end())
        throw std::invalid_argument(this->name +
                                    " uses wait, which changes over time, but is declared static");
}

std::unique_ptr<Order> CompiledOrderSource::make() const {
    return std::make_unique<CompiledOrder>(*this);
}

bool CompiledOrderSource::same(const OrderSource& other) const {
    const auto* source = dynamic_cast<const CompiledOrderSource*>(&other);
    return source != nullptr && source->score == score && source->data == data &&
           source->columns == columns && source->is_static == is_static;
}

std::shared_ptr<const OrderSource> describe_compiled_order(std::string name,
                                                           const slotwise_order& order) {
    if (order.version != SLOTWISE_ORDER_VERSION)
        throw std::invalid_argument(name + ": it was compiled for version " +
                                    std::to_string(order.version) +
                                    " of slotwise_order, but this build accepts version " +
                                    std::to_string(SLOTWISE_ORDER_VERSION) +
                                    "; recompile it with the header in slotwise.get_include()");
    if ((order.flags & ~SLOTWISE_ORDER_STATIC) != 0)
        throw std::invalid_argument(name + ": unknown flags " + std::to_string(order.flags));
    if (order.n_columns < 0 || (order.n_columns > 0 && order.columns == nullptr))
        throw std::invalid_argument(name + ": n_columns is " + std::to_string(order.n_columns) +
                                    ", but columns contains no names");
    std::vector<std::string> columns;
    for (std::int64_t c = 0; c < order.n_columns; ++c)
        columns.emplace_back(order.columns[c] != nullptr ? order.columns[c] : "");
    return std::make_shared<CompiledOrderSource>(std::move(name), order.score, order.data, columns,
                                                 (order.flags & SLOTWISE_ORDER_STATIC) != 0);
}

} // namespace slotwise
