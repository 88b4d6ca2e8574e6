// SplitMix64. Steele, Lea, Flood: Fast splittable pseudorandom number generators. OOPSLA 2014.
#pragma once

#include <cstdint>

namespace slotwise {

class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31);
    }

    // Returns a random number that is uniformly distributed in [0, 1) and is a multiple of 2^-53.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  private:
    std::uint64_t state_;
};

} // namespace slotwise
