// A column whose copies share their values in blocks, until one of them writes to a block.
//
// Example: A has 5,000 values in one array, and B is a copy of A. When B sets value 3,000, it first
// copies the 2,048 values of the second block. B still reads all other values from the array of A.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace slotwise {

// Copying costs one pointer per block, and a reference to each block written after an earlier copy.
// Without copies, all values lie in one array.
template <class Value> class BlockColumn {
  public:
    BlockColumn() = default;
    BlockColumn(std::size_t n, Value value)
        : size_(n), whole_(std::make_shared<std::vector<Value>>(n, value)) {
        for (std::size_t row = 0; row < n; row += kRows)
            at_.push_back(whole_->data() + row);
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

    Value operator[](std::size_t row) const { return at_[row / kRows][row % kRows]; }
    void set(std::size_t row, Value value) { own(row / kRows)[row % kRows] = value; }

    // The array of all values if it is not shared, to write faster until the next copy; otherwise
    // null.
    Value* whole() {
        return blocks_.empty() && whole_ != nullptr && whole_.use_count() == 1 ? whole_->data()
                                                                               : nullptr;
    }

    // Returns all values. Afterwards, the column can be read as long as the returned vector exists,
    // and no longer be written.
    std::vector<Value> taken() {
        if (whole_ == nullptr) return {};
        if (whole() != nullptr) return std::move(*whole_);
        std::vector<Value> values;
        values.reserve(size_);
        for (std::size_t block = 0; block < at_.size(); ++block)
            values.insert(values.end(), at_[block], at_[block] + rows_in(block));
        return values;
    }

  private:
    static constexpr std::size_t kRows = 2048;
    using Block = std::array<Value, kRows>;

    std::size_t rows_in(std::size_t block) const { return std::min(kRows, size_ - block * kRows); }

    bool is_own(std::size_t block) const {
        if (blocks_.empty() || blocks_[block] == nullptr) return whole_.use_count() == 1;
        return blocks_[block].use_count() == 1;
    }
    Value* own(std::size_t block) { return is_own(block) ? at_[block] : copied(block); }

    [[gnu::noinline]] Value* copied(std::size_t block) {
        blocks_.resize(at_.size());
        auto made = std::make_shared_for_overwrite<Block>();
        std::copy_n(at_[block], rows_in(block), made->data());
        blocks_[block] = std::move(made);
        return at_[block] = blocks_[block]->data();
    }

    std::size_t size_ = 0;
    std::shared_ptr<std::vector<Value>> whole_;  // null: empty
    std::vector<std::shared_ptr<Block>> blocks_; // null: in the whole; empty: all are
    std::vector<Value*> at_;                     // first value of each block
};

} // namespace slotwise
