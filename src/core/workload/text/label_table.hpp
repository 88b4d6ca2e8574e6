// Assigns codes to words. The codes begin at 0 and follow the order in which the words first occur.
// For example, the words alice, bob, alice get the codes 0, 1, 0.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace slotwise {

class LabelTable {
  public:
    std::int32_t code(std::string_view word) {
        return code(word, [](std::string_view) { return false; });
    }

    // Returns the code of a word, or -1 if the word is new and `is_nothing(word)` is true.
    template <class IsNothing> std::int32_t code(std::string_view word, IsNothing&& is_nothing) {
        // In most logs, a line usually has the same word as the line before.
        if (!words_.empty() && words_[static_cast<std::size_t>(latest_)] == word) return latest_;
        if (2 * (words_.size() + 1) > slots_.size()) grow();
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = std::hash<std::string_view>{}(word)&mask;
        while (slots_[at] >= 0 && words_[static_cast<std::size_t>(slots_[at])] != word)
            at = (at + 1) & mask;
        if (slots_[at] < 0) {
            if (is_nothing(word)) return -1;
            slots_[at] = static_cast<std::int32_t>(words_.size());
            words_.emplace_back(word);
        }
        return latest_ = slots_[at];
    }

    std::vector<std::string>& words() { return words_; }

  private:
    void grow() {
        slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), -1);
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t word = 0; word < words_.size(); ++word) {
            std::size_t at = std::hash<std::string_view>{}(words_[word]) & mask;
            while (slots_[at] >= 0)
                at = (at + 1) & mask;
            slots_[at] = static_cast<std::int32_t>(word);
        }
    }

    std::vector<std::string> words_;
    std::vector<std::int32_t> slots_; // codes by hash; -1: free
    std::int32_t latest_ = 0;
};

} // namespace slotwise
