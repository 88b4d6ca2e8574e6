#include "containers/node_bits.hpp"

namespace slotwise {

namespace {

// Returns true if `a` and `b` have at least `n` set bits in common.
bool have_portable(const std::uint64_t* a, const std::uint64_t* b, std::size_t n_words,
                   std::int32_t n) {
    for (std::size_t w = 0; n > 0 && w < n_words; ++w)
        if (const std::uint64_t both = a[w] & b[w]; both != 0) n -= count_bits(both);
    return n <= 0;
}

#if defined(__x86_64__) && defined(__GNUC__)
// Does the same as have_portable(), but uses the popcount instruction. x86 processors have had this
// instruction since 2008, but the compiler does not assume that it is available.
__attribute__((target("popcnt"))) bool have_popcnt(const std::uint64_t* a, const std::uint64_t* b,
                                                   std::size_t n_words, std::int32_t n) {
    for (std::size_t w = 0; n > 0 && w < n_words; ++w)
        n -= __builtin_popcountll(a[w] & b[w]);
    return n <= 0;
}
const auto have_bits = __builtin_cpu_supports("popcnt") != 0 ? &have_popcnt : &have_portable;
#else
constexpr auto have_bits = &have_portable;
#endif

} // namespace

bool NodeBits::has_at_least(std::int32_t n) const {
    if (behind_ <= first_) return n <= 0;
    const std::uint64_t* words = words_.data() + first_;
    return have_bits(words, words, behind_ - first_, n);
}

bool have_in_common(const NodeBits& a, const NodeBits& b, std::int32_t n) {
    const std::size_t first = std::max(a.first(), b.first());
    const std::size_t behind = std::min(a.behind(), b.behind());
    if (behind <= first) return n <= 0;
    return have_bits(a.words() + first, b.words() + first, behind - first, n);
}

} // namespace slotwise
