// A list to which entries can only be appended. It is stored in blocks of 1,024 entries, and copies
// of the list share its full blocks.
//
// Copying a list copies only one pointer per block and the entries of the last block.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace slotwise {

template <class Entry> class SharedLog {
  public:
    void add(const Entry& entry) {
        last_.push_back(entry);
        if (last_.size() < kBlock) return;
        full_.push_back(std::make_shared<const std::vector<Entry>>(std::move(last_)));
        last_.clear();
    }

    std::size_t size() const { return full_.size() * kBlock + last_.size(); }

    template <class Visit> void for_each(Visit&& visit) const {
        for (const auto& block : full_)
            for (const Entry& entry : *block)
                visit(entry);
        for (const Entry& entry : last_)
            visit(entry);
    }

  private:
    static constexpr std::size_t kBlock = 1024;

    std::vector<std::shared_ptr<const std::vector<Entry>>> full_;
    std::vector<Entry> last_;
};

} // namespace slotwise
