// The amount of each resource: on a node, in one unit of a job, or summed over several nodes.
//
// The first seven amounts are stored in the object itself, which fills one cache line. On a machine
// with more than seven resources, the other amounts are stored on the heap.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace slotwise {

class Amounts {
  public:
    static constexpr std::size_t kNear = 7; // number of amounts stored in the object itself

    Amounts() = default;
    Amounts(const Amounts& other) : near_(other.near_) {
        if (other.far_) far_ = std::make_unique<std::vector<std::int64_t>>(*other.far_);
    }
    Amounts& operator=(const Amounts& other) {
        if (this != &other) *this = Amounts(other);
        return *this;
    }
    Amounts(Amounts&&) noexcept = default;
    Amounts& operator=(Amounts&&) noexcept = default;
    ~Amounts() = default;

    // Returns the number of amounts, which is at least seven. Amounts at higher positions are 0.
    std::size_t size() const { return kNear + (far_ ? far_->size() : 0); }

    std::int64_t operator[](std::size_t resource) const {
        if (resource < kNear) return near_[resource];
        return resource < size() ? (*far_)[resource - kNear] : 0;
    }

    // Returns the amount of one of the first seven resources.
    std::int64_t near(std::size_t resource) const { return near_[resource]; }

    void set(std::size_t resource, std::int64_t amount);

    // Adds the amounts of `other`, multiplied by `times`.
    void add(std::int64_t times, const Amounts& other) {
        for (std::size_t r = 0; r < kNear; ++r)
            near_[r] += times * other.near_[r];
        if (other.far_) add_far(times, other);
    }

    // Returns true if these amounts plus `times` · `change` equal `sum`.
    bool make(std::int64_t times, const Amounts& change, const Amounts& sum) const {
        std::int64_t differs = 0; // comparing the arrays with == would call a function
        for (std::size_t r = 0; r < kNear; ++r)
            differs |= (near_[r] + times * change.near_[r]) ^ sum.near_[r];
        return differs == 0 && (!any_far(change, sum) || make_far(times, change, sum));
    }

    bool operator==(const Amounts& other) const { return make(0, other, other); }
    std::strong_ordering operator<=>(const Amounts& other) const;

    bool any_negative() const;

  private:
    bool any_far(const Amounts& a, const Amounts& b) const { return far_ || a.far_ || b.far_; }
    void add_far(std::int64_t times, const Amounts& other);
    bool make_far(std::int64_t times, const Amounts& change, const Amounts& sum) const;

    std::array<std::int64_t, kNear> near_{};
    std::unique_ptr<std::vector<std::int64_t>> far_; // amounts after the first seven; null if none
};

// Amounts that are stored in an array. The amounts of resources beyond the end of the array are 0.
class AmountsView {
  public:
    AmountsView(const std::int64_t* amounts, std::size_t n) : amounts_(amounts), n_(n) {}

    std::size_t size() const { return n_; }
    std::int64_t operator[](std::size_t r) const { return r < n_ ? amounts_[r] : 0; }
    std::int64_t near(std::size_t resource) const { return (*this)[resource]; }

  private:
    const std::int64_t* amounts_;
    std::size_t n_;
};

} // namespace slotwise
