// A set of nodes as bits, 64 to a word.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// Bits set in a word. On targets without the instruction, std::popcount calls a library function.
inline int count_bits(std::uint64_t word) {
    word -= word >> 1 & 0x5555555555555555;
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return static_cast<int>(word * 0x0101010101010101 >> 56);
}

class NodeBits {
  public:
    NodeBits() = default;
    explicit NodeBits(std::int32_t n_nodes)
        : words_((static_cast<std::size_t>(n_nodes) + 63) / 64) {}
    NodeBits(std::int32_t n_nodes, std::span<const std::int32_t> nodes) : NodeBits(n_nodes) {
        for (const std::int32_t node : nodes)
            add(node);
    }

    std::size_t size() const { return words_.size(); } // number of words
    std::uint64_t operator[](std::size_t word) const { return words_[word]; }
    std::uint64_t& operator[](std::size_t word) { return words_[word]; }

    bool has(std::int32_t node) const { return (words_[word_of(node)] >> bit_of(node) & 1) != 0; }
    void add(std::int32_t node) { words_[word_of(node)] |= std::uint64_t{1} << bit_of(node); }
    void remove(std::int32_t node) { words_[word_of(node)] &= ~(std::uint64_t{1} << bit_of(node)); }
    void remove(const NodeBits& others) {
        for (std::size_t w = 0; w < words_.size(); ++w)
            words_[w] &= ~others[w];
    }
    void clear() { words_.assign(words_.size(), 0); }

    std::int32_t count() const {
        int n = 0;
        for (const std::uint64_t word : words_)
            n += count_bits(word);
        return n;
    }

    // True if the set has at least `n` nodes.
    bool has_at_least(std::int32_t n) const {
        for (std::size_t w = 0; n > 0 && w < words_.size(); ++w)
            if (words_[w] != 0) n -= count_bits(words_[w]);
        return n <= 0;
    }

    // Calls `visit(node)` for each node, ascending.
    template <class Visitor> void for_each(Visitor&& visit) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            for (std::uint64_t word = words_[w]; word != 0; word &= word - 1)
                visit(static_cast<std::int32_t>(w * 64) + std::countr_zero(word));
    }

  private:
    static std::size_t word_of(std::int32_t node) { return static_cast<std::size_t>(node) >> 6; }
    static int bit_of(std::int32_t node) { return node & 63; }

    std::vector<std::uint64_t> words_;
};

// True if at least `n` nodes are in both `a` and `b`.
inline bool have_in_common(const NodeBits& a, const NodeBits& b, std::int32_t n) {
    for (std::size_t w = 0; n > 0 && w < a.size(); ++w)
        if (const std::uint64_t both = a[w] & b[w]; both != 0) n -= count_bits(both);
    return n <= 0;
}

// Writes the nodes that are in both `a` and `b` into `into`.
inline void intersect(const NodeBits& a, const NodeBits& b, NodeBits& into) {
    for (std::size_t w = 0; w < a.size(); ++w)
        into[w] = a[w] & b[w];
}

} // namespace slotwise
