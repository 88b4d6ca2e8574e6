#include "workload/described_sizes.hpp"

#include <charconv>

namespace slotwise {

namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 31;

// If `text` is a whole number from 1 to 2^31 - 1, returns that number; otherwise, returns 0.
std::int64_t whole_number(std::string_view text) {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [behind, fault] = std::from_chars(text.data(), end, value);
    return fault == std::errc() && behind == end && value > 0 && value < kMost ? value : 0;
}

// Returns the text before the next ':', and removes that text and the ':' from `rest`. Returns an
// empty string if there is no ':'.
std::string_view next_word(std::string_view& rest) {
    const std::size_t colon = rest.find(':');
    if (colon == rest.npos) return {};
    const std::string_view word = rest.substr(0, colon);
    rest.remove_prefix(colon + 1);
    return word;
}

} // namespace

DescribedSize described_size(std::string_view text) {
    if (next_word(text).empty() || next_word(text).empty()) return {};
    const std::size_t times = text.find('x');
    if (times == text.npos) return {};
    const DescribedSize size{whole_number(text.substr(0, times)),
                             whole_number(text.substr(times + 1))};
    return size.nodes > 0 && size.cores > 0 ? size : DescribedSize{};
}

void DescribedSizes::add(std::size_t row, DescribedSize size, std::int64_t processors) {
    if (size.nodes == 0 && nodes_.empty()) return;
    nodes_.resize(row, 0);
    nodes_.push_back(size.nodes);
    if (size.nodes == 0) return;
    all_nodes_ = all_nodes_ && processors == size.nodes;
    all_cores_ = all_cores_ && processors == size.nodes * size.cores;
}

void DescribedSizes::correct(JobTable& jobs, TraceReport& report) const {
    if (all_nodes_ || all_cores_) return;
    for (std::size_t row = 0; row < nodes_.size(); ++row) {
        if (nodes_[row] == 0 || jobs.processors[row] == nodes_[row]) continue;
        report.add(Fault::processors_from_descriptor, jobs.line[row]);
        jobs.processors[row] = nodes_[row];
        if (!jobs.requested_processors.empty()) jobs.requested_processors[row] = nodes_[row];
    }
}

} // namespace slotwise
