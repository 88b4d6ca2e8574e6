// An order whose scores are computed by a C function (see slotwise_order.h).
#pragma once

#include "order/job_columns.hpp"
#include "site/policy.hpp"
#include "slotwise_order.h"

#include <memory>
#include <string>
#include <vector>

namespace slotwise {

// The function and its data must outlive every replay that uses this order.
struct CompiledOrderSource final : OrderSource {
    // Throws std::invalid_argument for an unknown column.
    CompiledOrderSource(std::string name, slotwise_score_function score, void* data,
                        const std::vector<std::string>& columns, bool is_static);

    std::unique_ptr<Order> make() const override;
    bool same(const OrderSource& other) const override;

    std::string name; // name used in messages
    slotwise_score_function score;
    void* data;
    std::vector<JobColumn> columns;
    bool is_static;
};

// Returns the order described by the C structure. Throws std::invalid_argument if this build does
// not support the version of the structure, if a column or a flag is unknown, or if a required
// pointer is null.
std::shared_ptr<const OrderSource> describe_compiled_order(std::string name,
                                                           const slotwise_order& order);

} // namespace slotwise
