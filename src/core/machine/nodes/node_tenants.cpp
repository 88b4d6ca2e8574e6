#include "machine/nodes/node_tenants.hpp"

#include <algorithm>

namespace slotwise {

namespace {

std::size_t index_of(std::int32_t node) {
    return static_cast<std::size_t>(node);
}

bool overlap(NodeTenants::Period a, NodeTenants::Period b) {
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

void NodeTenants::plan(std::span<const Place> places, Tenant tenant, Period period, Time now,
                       int sign) {
    for (const Place place : places) {
        std::vector<Stay>& stays = planned_[index_of(place.node)];
        std::erase_if(stays, [&](const Stay& stay) { return stay.period.end <= now; });
        if (sign > 0) {
            stays.push_back({tenant, period});
            continue;
        }
        const auto same = std::find_if(stays.begin(), stays.end(), [&](const Stay& stay) {
            return stay.tenant == tenant && stay.period.end == period.end &&
                   std::max(stay.period.begin, now) == std::max(period.begin, now);
        });
        if (same != stays.end()) stays.erase(same);
    }
}

bool NodeTenants::may_share_now(std::int32_t node, Tenant tenant) const {
    const std::vector<Tenant>& there = present_[index_of(node)];
    return std::all_of(there.begin(), there.end(),
                       [&](const Tenant& other) { return tenant.may_share(other); });
}

bool NodeTenants::may_share(std::int32_t node, Tenant tenant, Period period) const {
    const std::vector<Stay>& stays = planned_[index_of(node)];
    return std::all_of(stays.begin(), stays.end(), [&](const Stay& stay) {
        return tenant.may_share(stay.tenant) || !overlap(stay.period, period);
    });
}

bool NodeTenants::is_contradictory(Time now) const {
    return std::any_of(planned_.begin(), planned_.end(), [&](const std::vector<Stay>& stays) {
        for (std::size_t i = 0; i < stays.size(); ++i)
            for (std::size_t j = i + 1; j < stays.size(); ++j)
                if (!stays[i].tenant.may_share(stays[j].tenant) && stays[i].period.end > now &&
                    stays[j].period.end > now && overlap(stays[i].period, stays[j].period))
                    return true;
        return false;
    });
}

void NodeTenants::list_ends(Time after, std::vector<Time>& times) const {
    for (const std::vector<Stay>& stays : planned_)
        for (const Stay& stay : stays)
            if (stay.period.end > after) times.push_back(stay.period.end);
}

} // namespace slotwise
