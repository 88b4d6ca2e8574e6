// A set of nodes, stored as bits in words of 64 bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

// Returns the number of bits set in a word. std::popcount is not used because it calls a library
// function on targets without a popcount instruction.
inline int count_bits(std::uint64_t word) {
    word -= word >> 1 & 0x5555555555555555;
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return static_cast<int>(word * 0x0101010101010101 >> 56);
}

// A set of nodes, one bit per node. All words before `first()`, and all words from `behind()`
// onwards, are empty, so loops skip them. Example: a set on a machine with 1,500 nodes has 24
// words. If it contains the nodes 640 to 703, only word 10 is not empty.
class NodeBits {
  public:
    NodeBits() = default;
    explicit NodeBits(std::int32_t n_nodes)
        : words_((static_cast<std::size_t>(n_nodes) + 63) / 64), first_(words_.size()) {}
    NodeBits(std::int32_t n_nodes, std::span<const std::int32_t> nodes) : NodeBits(n_nodes) {
        for (const std::int32_t node : nodes)
            add(node);
    }

    std::size_t size() const { return words_.size(); } // number of words
    std::size_t first() const { return first_; }       // index of a word, like behind()
    std::size_t behind() const { return behind_; }
    std::uint64_t operator[](std::size_t word) const { return words_[word]; }
    const std::uint64_t* words() const { return words_.data(); }

    bool has(std::int32_t node) const { return (words_[word_of(node)] >> bit_of(node) & 1) != 0; }
    void add(std::int32_t node) {
        const std::size_t word = word_of(node);
        words_[word] |= std::uint64_t{1} << bit_of(node);
        first_ = std::min(first_, word);
        behind_ = std::max(behind_, word + 1);
    }
    void add(const NodeBits& others) {
        for (std::size_t w = others.first_; w < others.behind_; ++w)
            words_[w] |= others.words_[w];
        first_ = std::min(first_, others.first_);
        behind_ = std::max(behind_, others.behind_);
    }
    void set(std::int32_t node, bool is_in) { is_in ? add(node) : remove(node); }
    void remove(std::int32_t node) { words_[word_of(node)] &= ~(std::uint64_t{1} << bit_of(node)); }
    void remove(const NodeBits& others) {
        for (std::size_t w = first_; w < behind_; ++w)
            words_[w] &= ~others.words_[w];
    }
    void clear() {
        std::fill(words_.begin(), words_.end(), 0);
        first_ = words_.size();
        behind_ = 0;
    }

    // Removes every node that is not in the bit set `words`, an array of size() words.
    void keep(const std::uint64_t* words) {
        for (std::size_t w = first_; w < behind_; ++w)
            words_[w] &= words[w];
    }
    // Does the same as keep(), and returns true if any node was removed.
    bool lose_all_but(const std::uint64_t* words) {
        std::uint64_t removed = 0;
        for (std::size_t w = first_; w < behind_; ++w) {
            removed |= words_[w] & ~words[w];
            words_[w] &= words[w];
        }
        return removed != 0;
    }

    // Makes this the set of the nodes that are in both `a` and `b`.
    void set_common(const NodeBits& a, const NodeBits& b) {
        const std::size_t first = std::max(a.first_, b.first_);
        const std::size_t behind = std::max(first, std::min(a.behind_, b.behind_));
        for (std::size_t w = first_; w < std::min(behind_, first); ++w)
            words_[w] = 0;
        for (std::size_t w = std::max(first_, behind); w < behind_; ++w)
            words_[w] = 0;
        for (std::size_t w = first; w < behind; ++w)
            words_[w] = a.words_[w] & b.words_[w];
        first_ = first;
        behind_ = behind;
    }

    std::int32_t count() const {
        int n = 0;
        for (std::size_t w = first_; w < behind_; ++w)
            n += count_bits(words_[w]);
        return n;
    }

    bool has_at_least(std::int32_t n) const;

    // Returns a mask in which bit w % 64 is set if word w is not empty. Sets whose masks have no
    // common bit are disjoint.
    std::uint64_t words_mask() const {
        std::uint64_t mask = 0;
        for (std::size_t w = first_; w < behind_; ++w)
            mask |= std::uint64_t{words_[w] != 0} << (w & 63);
        return mask;
    }

    // Calls `visit(node)` for each node, in ascending order.
    template <class Visitor> void for_each(Visitor&& visit) const {
        for (std::size_t w = first_; w < behind_; ++w)
            for (std::uint64_t word = words_[w]; word != 0; word &= word - 1)
                visit(static_cast<std::int32_t>(w * 64) + std::countr_zero(word));
    }

    // Calls `visit(node)` for each node in [from, to), in ascending order, until a call returns
    // false. Returns false in that case, and true otherwise.
    template <class Visitor>
    bool for_each_in(std::int32_t from, std::int32_t to, Visitor&& visit) const {
        for (std::size_t w = word_of(from);
             w < words_.size() && static_cast<std::int32_t>(w * 64) < to; ++w) {
            std::uint64_t word = words_[w];
            if (w == word_of(from)) word &= ~std::uint64_t{0} << bit_of(from);
            for (; word != 0; word &= word - 1) {
                const std::int32_t node =
                    static_cast<std::int32_t>(w * 64) + std::countr_zero(word);
                if (node >= to) return true;
                if (!visit(node)) return false;
            }
        }
        return true;
    }

  private:
    static std::size_t word_of(std::int32_t node) { return static_cast<std::size_t>(node) >> 6; }
    static int bit_of(std::int32_t node) { return node & 63; }

    std::vector<std::uint64_t> words_;
    std::size_t first_ = 0;
    std::size_t behind_ = 0;
};

// Returns true if `a` and `b` have at least `n` nodes in common.
bool have_in_common(const NodeBits& a, const NodeBits& b, std::int32_t n);

} // namespace slotwise
