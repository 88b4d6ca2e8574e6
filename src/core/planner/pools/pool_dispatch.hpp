// What an outside dispatcher of a site is shown.
#pragma once

#include "planner/dispatcher.hpp"
#include "planner/scheduler.hpp"
#include "types.hpp"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

// Kept from pass to pass by the planner that asks.
struct PoolDispatch {
    explicit PoolDispatch(std::shared_ptr<Dispatcher> dispatcher)
        : dispatcher(std::move(dispatcher)) {}

    // A copy asks a dispatcher of its own.
    PoolDispatch(const PoolDispatch& other)
        : dispatcher(other.dispatcher->clone()), running(other.running), ended(other.ended),
          arrived(other.arrived), asking(other.asking), asks_again(other.asks_again) {}

    // What an instant has brought.
    void note(const Instant& instant, std::span<const Starts::Stop> stops);

    std::shared_ptr<Dispatcher> dispatcher;
    std::vector<JobId> running; // as they started
    std::vector<JobId> ended;   // since it was asked last
    std::vector<JobId> arrived;
    bool asking = false; // also after the dispatcher threw

    // Whether a further pass of the instant shows those whom lifted limits let start.
    bool asks_again = false;

    // Of the present pass:
    std::vector<JobId> waiting; // that may start, ascending
    std::vector<ProcCount> free;
    std::vector<ProcCount> free_in_reservations;
    std::vector<JobId> chosen;
    std::vector<PoolId> pools; // named for them
};

} // namespace slotwise
