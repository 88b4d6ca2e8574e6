#include "workload/later_fields.hpp"

#include "workload/swf_line.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace slotwise {

namespace {

constexpr std::size_t kUsedGpus = 18;
constexpr std::size_t kSoftWalltime = 19;
constexpr std::int64_t kMostOfField = (std::int64_t{1} << 32) - 2;

// If the field is a whole number of at least `least`, returns that number; otherwise, returns -1.
std::int64_t number_of(std::string_view text, std::int64_t least) {
    std::int64_t value = -1;
    const char* const end = text.data() + text.size();
    const auto [behind, fault] = std::from_chars(text.data(), end, value);
    const bool is_number = fault == std::errc() && behind == end;
    return is_number && value >= least && value <= kMostOfField ? value : -1;
}

void move_known(std::vector<std::int64_t>& from, std::vector<std::int64_t>& to, std::size_t rows) {
    if (std::all_of(from.begin(), from.end(), [](std::int64_t v) { return v == -1; })) return;
    from.resize(rows, -1);
    to = std::move(from);
}

} // namespace

void LaterFields::add(std::size_t row, std::string_view line, DescribedSize size) {
    if (size.nodes == 0) return;
    gpus_.resize(row, -1);
    soft_walltime_.resize(row, -1);
    gpus_.push_back(number_of(field_text(line, kUsedGpus), 0));
    soft_walltime_.push_back(number_of(field_text(line, kSoftWalltime), 1));
}

void LaterFields::move_into(JobTable& jobs) {
    move_known(gpus_, jobs.gpus, jobs.size());
    move_known(soft_walltime_, jobs.soft_walltime, jobs.size());
}

} // namespace slotwise
