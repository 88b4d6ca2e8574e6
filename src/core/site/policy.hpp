// What a policy is, as plain values: the names and switches of one scheduling configuration.
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

// Things that a reservation on nodes keeps: numbers of nodes or cores per class, where the job
// allows it, or the nodes that placement chooses.
enum class Reserve { numbers, nodes };

// Which free nodes a job gets on a machine of nodes; docs/concepts/placement.md defines each.
enum class Allocation { first, contiguous, contiguous_best, contiguous_worst, least_spread };

// Whether a job's nodes have to follow one another.
inline bool is_contiguous(Allocation allocation) {
    return allocation == Allocation::contiguous || allocation == Allocation::contiguous_best ||
           allocation == Allocation::contiguous_worst;
}

class Order;

// A user's own order, made outside the registry.
class OrderSource {
  public:
    virtual ~OrderSource() = default;
    virtual std::unique_ptr<Order> make() const = 0;
    virtual bool same(const OrderSource& other) const = 0; // whether both give the same scores
};

// A name of the registry, and values of its parameters.
struct OrderSpec {
    std::string name = "fcfs";
    std::map<std::string, double> parameters;  // those not given have their defaults
    std::string key;                           // the formula of `expression`
    std::shared_ptr<const OrderSource> source; // if any, the name is only shown
    bool by_hand_first = false;                // ReplayJobs::priority_by_hand precedes the score

    bool operator==(const OrderSpec& other) const {
        const bool same_source = source == nullptr || other.source == nullptr
                                     ? source == other.source
                                     : source->same(*other.source);
        return same_source && name == other.name && parameters == other.parameters &&
               key == other.key && by_hand_first == other.by_hand_first;
    }
};

// The defaults are the rules of docs/concepts/replay.md; the switches at the end exist because
// published simulators differ there (docs/concepts/presets.md).
struct Policy {
    OrderSpec order;
    std::string backfill = "easy";
    std::optional<OrderSpec> backfill_order;  // none: same as order
    std::map<std::string, double> parameters; // of the backfill; defaults are in its registration
    Estimates estimates = Estimates::requested;
    Passes passes = Passes::per_instant;
    Time period = 0; // of periodic passes, seconds
    bool kill_at_limit = true;
    Allocation allocation = Allocation::first;
    Reserve reserve = Reserve::numbers;

    EventOrder event_order = EventOrder::completions_first;
    Estimates waiting_estimates = Estimates::requested; // believed of jobs not yet running
    bool ending_now_is_free = false;    // a running job whose estimate ends now counts as gone
    bool spare_processors = true;       // a candidate may use processors the head leaves over
    bool strict_end = false;            // a candidate ends strictly before the shadow time
    bool frozen_reservation = false;    // the reservation is fixed when the head blocks
    bool compress_at_every_end = false; // conservative: not only when a job ends early
    bool promise_per_arrival = false;   // conservative: promised before this instant's completions

    const OrderSpec& order_behind_head() const { return backfill_order ? *backfill_order : order; }
};

} // namespace slotwise
