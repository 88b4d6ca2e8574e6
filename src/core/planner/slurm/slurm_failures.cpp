#include "planner/slurm/slurm_failures.hpp"

#include <algorithm>
#include <utility>

namespace slotwise {

namespace {

constexpr std::size_t kFewKinds = 16;

} // namespace

void SlurmFailures::begin(std::size_t n_partitions) {
    partitions_.resize(n_partitions);
    for (Partition& partition : partitions_) {
        // Forgets all kinds if there are many and the last cycle used fewer than half of them.
        if (partition.kinds.size() > 2 * partition.n_used + kFewKinds) {
            partition.kinds.clear();
            partition.known.clear();
        }
        partition.extents.assign(partition.kinds.size(), {});
        partition.n_used = 0;
    }
    ++cycle_;
}

SlurmFailures::Kind& SlurmFailures::kind_of(const SlurmJob& job, const SlurmSearch& search) {
    ++test_;
    Partition& partition = partitions_[job.partition];
    std::vector<Kind>& kinds = partition.kinds;
    const auto [at, is_new] = partition.known.try_emplace({job.request, job.limit}, kinds.size());
    if (is_new) {
        const auto number = static_cast<std::uint32_t>(kinds.size());
        Kind made{number, job.request, job.limit, 0, {}, {number}};
        const SlurmRequest& request = search.request(job.request);
        for (std::uint32_t i = 0; i < number; ++i) {
            const SlurmRequest& other = search.request(kinds[i].request);
            if (kinds[i].limit <= job.limit && request.needs_all_of(other))
                made.smaller.push_back(i);
            if (job.limit <= kinds[i].limit && other.needs_all_of(request))
                kinds[i].smaller.push_back(number);
        }
        kinds.push_back(std::move(made));
        partition.extents.emplace_back();
    }
    Kind& kind = kinds[at->second];
    if (kind.cycle != cycle_) {
        kind.cycle = cycle_;
        kind.failures.clear();
        ++partition.n_used;
    }
    return kind;
}

// Returns a known failure of this kind of job that covers all times that this attempt would
// examine, or nullptr if there is none.
const SlurmFailures::Failure* SlurmFailures::covering(const Failure& asked, Kind& kind) const {
    if (kind.test != test_) kind.n_before = 0;
    kind.test = test_;
    const std::vector<Failure>& failures = kind.failures;
    while (kind.n_before < failures.size() && failures[kind.n_before].from <= asked.from)
        ++kind.n_before;
    if (kind.n_before == 0) return nullptr;
    const Failure& last = failures[kind.n_before - 1];
    return asked.later <= last.later ? &last : nullptr;
}

// Finds a failed attempt of a smaller job that shows that this job must fail too. That attempt
// began at or before `asked.from` and examined all times up to `asked.later`. It therefore
// considered every node that this job could use. This is true even if a plan on such a node ends
// between the `from` times of the two attempts: the plan was added after the earlier attempt,
// because an attempt never looks beyond the end of an existing plan.
std::optional<Time> SlurmFailures::fails_until(const Failure& asked, const SlurmJob& job,
                                               Kind& kind) {
    Partition& partition = partitions_[job.partition];
    for (std::uint32_t& number : kind.smaller) {
        const Extent& extent = partition.extents[number];
        if (extent.first > asked.from || extent.last < asked.later) continue;
        const Failure* failure = covering(asked, partition.kinds[number]);
        if (failure == nullptr) continue;
        std::swap(kind.smaller.front(), number); // this kind is tried first next time
        return failure->later;
    }
    return std::nullopt;
}

void SlurmFailures::note(const Failure& failed, const SlurmJob& job, Kind& kind) {
    Extent& extent = partitions_[job.partition].extents[kind.number];
    extent.first = std::min(extent.first, failed.from);
    extent.last = std::max(extent.last, failed.later);
    std::vector<Failure>& failures = kind.failures;
    auto behind =
        std::upper_bound(failures.begin(), failures.end(), failed.from,
                         [](Time from, const Failure& failure) { return from < failure.from; });
    // This failure is already covered by an earlier record.
    if (behind != failures.begin() && failed.later <= (behind - 1)->later) return;
    const auto within = std::find_if(behind, failures.end(), [&](const Failure& failure) {
        return failure.later > failed.later;
    });
    behind = failures.erase(behind, within);
    if (behind != failures.begin() && (behind - 1)->from == failed.from)
        (behind - 1)->later = failed.later;
    else
        failures.insert(behind, failed);
}

} // namespace slotwise
