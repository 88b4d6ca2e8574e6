#include "planner/ruled/pages/section_minima.hpp"

namespace slotwise {

void SectionMinima::grow(std::size_t n_sections) {
    const FrontMinima none;
    const std::size_t padded = (n_sections + kChunk - 1) / kChunk * kChunk;
    ranks_.resize(padded, none.rank);
    processors_.resize(padded, none.processors);
    lengths_.resize(padded, none.length);
    of_chunks_.resize(padded / kChunk, none.processors);
    if (!is_mixed_) return;
    for (std::vector<ProcCount>& step : steps_)
        step.resize(padded, none.processors);
}

void SectionMinima::set(Section section, const FrontMinima& minima) {
    ranks_[section] = minima.rank;
    processors_[section] = minima.processors;
    lengths_[section] = minima.length;
    const auto chunk = processors_.begin() + section / kChunk * kChunk;
    of_chunks_[section / kChunk] = *std::min_element(chunk, chunk + kChunk);
    if (!is_mixed_) return;
    for (std::vector<ProcCount>& step : steps_)
        step[section] = FrontMinima::kClosed;
}

void SectionMinima::lower_steps(Section section, const FrontMinima& values) {
    if (values.processors == FrontMinima::kClosed) return;
    for (std::size_t step = step_of(backfill::biased(static_cast<Duration>(values.length)));
         step < kSteps && steps_[step][section] > values.processors; ++step)
        steps_[step][section] = values.processors;
}

void SectionMinima::list_within(const BackfillBounds& bounds, std::vector<Section>& found) const {
    const ProcCount* early = steps_[step_of(bounds.until_shadow)].data();
    const ProcCount* any = steps_.back().data();
    const ProcCount spare = std::min(bounds.free, bounds.extra);
    for (std::size_t chunk = 0; chunk < ranks_.size(); chunk += kChunk)
        visit_each(chunk,
                   backfill::at_most(early + chunk, bounds.free) |
                       backfill::at_most(any + chunk, spare),
                   [&](Section section) {
                       found.push_back(section);
                       return false;
                   });
}

} // namespace slotwise
