// The event loop of replays that RuledPlanner plans.
#pragma once

#include "engine/simulator.hpp"
#include "replay/progress.hpp"

namespace slotwise {

class RuledPlanner;

struct RuledLoop {
    // Handles every event if the planner is RuledPlanner and no event is left from before. Returns
    // false otherwise.
    static bool try_run(Simulator& at, const Progress& progress);

  private:
    template <bool kFollowsUsage>
    static void run(Simulator& at, RuledPlanner& planner, const Progress& progress);
};

} // namespace slotwise
