// A policy as plain values: the named rules and the switches that define how jobs are scheduled.
#pragma once

#include "types.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace slotwise {

enum class Estimates { requested, exact, user_history };
enum class EventOrder { completions_first, arrivals_first };
enum class Passes { per_instant, per_event, periodic };

// The resources that a reservation on nodes keeps free (see docs/concepts/nodes.md). `nodes`: the
// specific nodes that the placement rule chooses. `numbers`: only a number of nodes or cores per
// node class, if the job takes whole nodes or single cores; specific nodes for any other job.
enum class Reserve { numbers, nodes };

// The rule that chooses free nodes of a torus for a job (see docs/concepts/placement.md).
enum class Allocation { first, contiguous, contiguous_best, contiguous_worst, least_spread };

// Returns true if the nodes of each job must be consecutive.
inline bool is_contiguous(Allocation allocation) {
    return allocation == Allocation::contiguous || allocation == Allocation::contiguous_best ||
           allocation == Allocation::contiguous_worst;
}

class Order;

// A user-defined order, which is not in the registry.
class OrderSource {
  public:
    virtual ~OrderSource() = default;
    virtual std::unique_ptr<Order> make() const = 0;
    // Returns true if both orders give the same scores.
    virtual bool same(const OrderSource& other) const = 0;
};

// An order: its name in the registry and the values of its parameters.
struct OrderSpec {
    std::string name = "fcfs";
    std::map<std::string, double> parameters;  // others have their default values
    std::string key;                           // formula, if `name` is "expression"
    std::shared_ptr<const OrderSource> source; // if set, the name is only for display
    bool manual_first = false;                 // manual priorities take precedence over the score
    // Parameters that are tables. A table maps names of job owners to numbers. A name is the
    // owner's code in the trace, for example "3", or "2/17" for user 17 of account 2. Other names
    // have no effect.
    std::map<std::string, std::map<std::string, double>> tables;

    bool operator==(const OrderSpec& other) const {
        const bool same_source = source == nullptr || other.source == nullptr
                                     ? source == other.source
                                     : source->same(*other.source);
        return same_source && name == other.name && parameters == other.parameters &&
               key == other.key && manual_first == other.manual_first && tables == other.tables;
    }
};

// The default values correspond to the rules in docs/concepts/replay.md. The switches at the end
// exist because published simulators differ in these details (see docs/concepts/presets.md).
struct Policy {
    OrderSpec order;
    std::string backfill = "easy";
    std::optional<OrderSpec> backfill_order; // if absent, `order` is used
    // Parameters of the backfill rule. Parameters that are not given have their default values.
    std::map<std::string, double> parameters;
    Estimates estimates = Estimates::requested;
    Passes passes = Passes::per_instant;
    Time period = 0; // seconds between periodic passes
    bool kill_at_limit = true;
    Allocation allocation = Allocation::first;
    Reserve reserve = Reserve::numbers;

    EventOrder event_order = EventOrder::completions_first;
    Estimates waiting_estimates = Estimates::requested; // estimates of jobs not yet running
    bool ending_now_is_free = false;    // running jobs count as ended at their estimated ends
    bool spare_processors = true;       // a candidate may use the extra processors
    bool strict_end = false;            // a candidate must end strictly before the shadow time
    bool frozen_reservation = false;    // the shadow time is computed once for each head
    bool compress_at_every_end = false; // conservative: compress whenever a job ends
    bool promise_per_arrival = false;   // conservative: promise to new jobs before compressing

    const OrderSpec& order_behind_head() const { return backfill_order ? *backfill_order : order; }
};

} // namespace slotwise
