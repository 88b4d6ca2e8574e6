#include "machine/nodes/node_tenants.hpp"

#include <algorithm>

namespace slotwise {

namespace {

std::size_t index_of(std::int32_t node) {
    return static_cast<std::size_t>(node);
}

bool overlap(NodeTenants::Window a, NodeTenants::Window b) {
    return a.begin < b.end && b.begin < a.end;
}

} // namespace

void NodeTenants::take(std::span<const Place> places, Tenant tenant, int sign) {
    for (const Place place : places) {
        std::vector<Tenant>& there = present_[index_of(place.node)];
        if (sign > 0)
            there.push_back(tenant);
        else
            there.erase(std::find(there.begin(), there.end(), tenant));
    }
}

void NodeTenants::plan(std::span<const Place> places, Tenant tenant, Window window, Time now,
                       int sign) {
    for (const Place place : places) {
        std::vector<Stay>& stays = planned_[index_of(place.node)];
        std::erase_if(stays, [&](const Stay& stay) { return stay.window.end <= now; });
        if (sign > 0) {
            stays.push_back({tenant, window});
            continue;
        }
        const auto same = std::find_if(stays.begin(), stays.end(), [&](const Stay& stay) {
            return stay.tenant == tenant && stay.window.end == window.end &&
                   std::max(stay.window.begin, now) == std::max(window.begin, now);
        });
        if (same != stays.end()) stays.erase(same);
    }
}

bool NodeTenants::may_share_now(std::int32_t node, Tenant tenant) const {
    const std::vector<Tenant>& there = present_[index_of(node)];
    return std::all_of(there.begin(), there.end(),
                       [&](const Tenant& other) { return tenant.may_share(other); });
}

bool NodeTenants::may_share(std::int32_t node, Tenant tenant, Window window) const {
    const std::vector<Stay>& stays = planned_[index_of(node)];
    return std::all_of(stays.begin(), stays.end(), [&](const Stay& stay) {
        return tenant.may_share(stay.tenant) || !overlap(stay.window, window);
    });
}

bool NodeTenants::is_contradictory(Time now) const {
    return std::any_of(planned_.begin(), planned_.end(), [&](const std::vector<Stay>& stays) {
        for (std::size_t i = 0; i < stays.size(); ++i)
            for (std::size_t j = i + 1; j < stays.size(); ++j)
                if (!stays[i].tenant.may_share(stays[j].tenant) && stays[i].window.end > now &&
                    stays[j].window.end > now && overlap(stays[i].window, stays[j].window))
                    return true;
        return false;
    });
}

void NodeTenants::list_ends(Time after, std::vector<Time>& times) const {
    for (const std::vector<Stay>& stays : planned_)
        for (const Stay& stay : stays)
            if (stay.window.end > after) times.push_back(stay.window.end);
}

} // namespace slotwise
