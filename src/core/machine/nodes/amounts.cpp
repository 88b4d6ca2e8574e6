#include "machine/nodes/amounts.hpp"

#include <algorithm>

namespace slotwise {

void Amounts::set(std::size_t resource, std::int64_t amount) {
    if (resource < kNear) {
        near_[resource] = amount;
        return;
    }
    if (!far_) far_ = std::make_unique<std::vector<std::int64_t>>();
    if (far_->size() <= resource - kNear) far_->resize(resource - kNear + 1, 0);
    (*far_)[resource - kNear] = amount;
}

void Amounts::add_far(std::int64_t times, const Amounts& other) {
    for (std::size_t r = kNear; r < other.size(); ++r)
        set(r, (*this)[r] + times * other[r]);
}

bool Amounts::make_far(std::int64_t times, const Amounts& change, const Amounts& sum) const {
    const std::size_t n = std::max({size(), change.size(), sum.size()});
    for (std::size_t r = kNear; r < n; ++r)
        if ((*this)[r] + times * change[r] != sum[r]) return false;
    return true;
}

std::strong_ordering Amounts::operator<=>(const Amounts& other) const {
    const std::size_t n = std::max(size(), other.size());
    for (std::size_t r = 0; r < n; ++r)
        if ((*this)[r] != other[r]) return (*this)[r] <=> other[r];
    return std::strong_ordering::equal;
}

bool Amounts::any_negative() const {
    for (std::size_t r = 0; r < size(); ++r)
        if ((*this)[r] < 0) return true;
    return false;
}

} // namespace slotwise
