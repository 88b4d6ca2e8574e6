#include "engine/orders/tres_of_jobs.hpp"

#include "machine/nodes/job_demands.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace slotwise {

namespace {

constexpr const char* kMemory = "memory";
constexpr const char* kNodes = "nodes";

// The resources for which shares are computed: cores, memory, nodes, and then all others. For each
// resource except nodes, `of_machine` contains its position in the list of the machine's resources.
struct Columns {
    explicit Columns(const std::vector<std::string>& resources) {
        const auto found = std::find(resources.begin(), resources.end(), kMemory);
        of_machine.push_back(0);
        if (found != resources.end()) of_machine.push_back(found - resources.begin());
        n_first = of_machine.size();
        for (std::size_t r = 1; r < resources.size(); ++r)
            if (resources[r] != kMemory) of_machine.push_back(static_cast<std::ptrdiff_t>(r));
        for (std::size_t i = 0; i < of_machine.size(); ++i) {
            if (i == n_first) names.push_back(kNodes);
            names.push_back(resources[static_cast<std::size_t>(of_machine[i])]);
        }
        if (n_first == of_machine.size()) names.push_back(kNodes);
    }

    std::vector<std::ptrdiff_t> of_machine;
    std::size_t n_first = 0; // position of the column for nodes
    std::vector<std::string> names;

    // Writes the value of each column to `out`: the number of nodes, and for other columns the
    // amount in `amounts`.
    void fill(const Amounts& amounts, std::int64_t nodes, double* out) const {
        for (std::size_t i = 0; i < of_machine.size(); ++i)
            out[i + (i >= n_first ? 1 : 0)] =
                static_cast<double>(amounts[static_cast<std::size_t>(of_machine[i])]);
        out[n_first] = static_cast<double>(nodes);
    }
    // Returns the position of the column for memory, or the number of columns if there is none.
    std::size_t memory() const { return n_first == 2 ? 1 : names.size(); }
};

// The sum of each column over the nodes of a queue, and the memory of the first of these nodes.
struct Totals {
    std::vector<double> of_columns;
    double memory_of_first = 0;
};

Totals totals_of(const Columns& columns, const Nodes& nodes,
                 const std::vector<std::int32_t>& chosen) {
    std::vector<const Amounts*> capacity;
    for (const NodeClass& each : nodes.classes)
        capacity.insert(capacity.end(), static_cast<std::size_t>(each.count), &each.capacity);
    Totals totals{std::vector<double>(columns.names.size()), 0};
    std::vector<double> one(columns.names.size());
    const auto add = [&](std::size_t node, bool is_first) {
        columns.fill(*capacity[node], 1, one.data());
        for (std::size_t i = 0; i < one.size(); ++i)
            totals.of_columns[i] += one[i];
        if (is_first && columns.memory() < one.size())
            totals.memory_of_first = one[columns.memory()];
    };
    for (std::size_t i = 0; i < chosen.size(); ++i)
        add(static_cast<std::size_t>(chosen[i]), i == 0);
    for (std::size_t node = 0; chosen.empty() && node < capacity.size(); ++node)
        add(node, node == 0);
    return totals;
}

QueueId queue_of(const Routing* routing, JobId job) {
    return routing == nullptr ? kNoQueue : routing->queue_of[job];
}

void divide(double* shares, const std::vector<double>& totals) {
    for (std::size_t i = 0; i < totals.size(); ++i)
        shares[i] = totals[i] > 0 ? shares[i] / totals[i] : 0.0;
}

TresShares on_nodes(const Site& site, const Routing* routing, const ReplayJobs& jobs) {
    const Nodes& nodes = *site.demands->nodes;
    const Columns columns(nodes.resources);
    std::vector<Totals> of_queues;
    for (const Queue& queue : site.queues)
        of_queues.push_back(totals_of(columns, nodes, queue.nodes));
    const Totals of_machine = totals_of(columns, nodes, {});
    TresShares made{columns.names, std::vector<double>(jobs.size() * columns.names.size())};
    for (JobId job = 0; job < jobs.size(); ++job) {
        const UnitDemand& demand = site.demands->demand(job);
        const std::int64_t n_nodes = jobs.requested_nodes(job, nodes_asked(demand));
        Amounts asked;
        asked.add(demand.units, demand.each);
        double* shares = made.shares.data() + job * columns.names.size();
        columns.fill(asked, n_nodes, shares);
        const QueueId queue = queue_of(routing, job);
        const Totals& totals = queue == kNoQueue ? of_machine : of_queues[queue];
        const std::size_t memory = columns.memory();
        if (memory < columns.names.size() && shares[memory] == 0)
            shares[memory] = static_cast<double>(n_nodes) * totals.memory_of_first;
        divide(shares, totals.of_columns);
    }
    return made;
}

double processors_of(const Site& site, QueueId queue) {
    if (queue == kNoQueue || site.queues[queue].pools.empty()) return site.processors;
    double sum = 0;
    for (const PoolId pool : site.queues[queue].pools)
        sum += site.pools[pool].processors;
    return sum;
}

} // namespace

// On a machine without nodes, each processor counts as a node with one core.
TresShares tres_of_jobs(const Site& site, const Routing* routing, const ReplayJobs& jobs) {
    if (site.has_nodes()) return on_nodes(site, routing, jobs);
    TresShares made{{"cores", kNodes}, {}};
    for (JobId job = 0; job < jobs.size(); ++job) {
        const double share = jobs.processors[job] / processors_of(site, queue_of(routing, job));
        made.shares.insert(made.shares.end(), {share, share});
    }
    return made;
}

} // namespace slotwise
