// The event loop for replays whose planner is a RuledPlanner.
#pragma once

#include "engine/simulator.hpp"
#include "replay/progress.hpp"

namespace slotwise {

class RuledPlanner;

struct RuledLoop {
    // Handles all events and returns true if the planner is a RuledPlanner and no event is waiting
    // for a pass. Returns false otherwise.
    static bool try_run(Simulator& at, const Progress& progress);

  private:
    template <bool kFollowsUsage>
    static void run(Simulator& at, RuledPlanner& planner, const Progress& progress);
};

} // namespace slotwise
