// A column whose copies share its blocks of values. Before a column writes to a shared block, it
// makes its own copy of that block.
//
// Example: column A has 5,000 values in one array, and column B is a copy of A. When value 3,000 of
// B is set, B first makes its own copy of the second block of 2,048 values. B still reads all other
// values from the array of A.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace slotwise {

// Copying a column copies one pointer per block, and adds a reference to each block that has been
// written since an earlier copy. As long as no copy exists, all values are in one array, and access
// is hardly slower than in a vector. Several threads may copy a column at the same time.
template <class Value> class BlockColumn {
  public:
    BlockColumn() = default;
    BlockColumn(std::size_t n, Value value)
        : size_(n), whole_(std::make_shared<std::vector<Value>>(n, value)), alone_(whole_->data()) {
        for (std::size_t row = 0; row < n; row += kRows)
            at_.push_back(whole_->data() + row);
    }
    // Returns a column of n equal values. Until a block is written, all blocks share the same
    // memory, so the column takes up only one pointer per block.
    static BlockColumn of_one_value(std::size_t n, Value value) {
        BlockColumn column;
        column.size_ = n;
        auto block = std::make_shared_for_overwrite<Block>();
        block->fill(value);
        const std::size_t n_blocks = (n + kRows - 1) / kRows;
        column.at_.assign(n_blocks, block->data());
        // The additional reference to the block makes is_own() return false.
        column.blocks_.assign(n_blocks + 1, std::move(block));
        return column;
    }
    BlockColumn(const BlockColumn& other)
        : size_(other.size_), whole_(other.whole_), blocks_(other.blocks_), at_(other.at_) {
        other.alone_.store(nullptr, std::memory_order_relaxed);
    }
    BlockColumn(BlockColumn&& other) noexcept { swap(other); }
    BlockColumn& operator=(BlockColumn other) noexcept {
        swap(other);
        return *this;
    }
    ~BlockColumn() = default;

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

    Value operator[](std::size_t row) const {
        const Value* alone = alone_.load(std::memory_order_relaxed);
        return alone != nullptr ? alone[row] : at_[row / kRows][row % kRows];
    }
    void set(std::size_t row, Value value) {
        Value* alone = alone_.load(std::memory_order_relaxed);
        (alone != nullptr ? alone[row] : own(row / kRows)[row % kRows]) = value;
    }

    // Returns the array of all values, or null if another column may share it. The pointer is valid
    // until this column is copied.
    Value* alone() { return alone_.load(std::memory_order_relaxed); }

    // Returns all values as a vector. After this call, the column can no longer be written, and it
    // can be read only as long as the returned vector exists.
    std::vector<Value> taken() {
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

    void swap(BlockColumn& other) noexcept {
        std::swap(size_, other.size_);
        whole_.swap(other.whole_);
        blocks_.swap(other.blocks_);
        at_.swap(other.at_);
        alone_.store(other.alone_.exchange(alone_.load()));
    }

    // Returns the array of all values, or null if another column shares it or some values are
    // stored in blocks_.
    Value* whole() {
        if (!blocks_.empty() || whole_ == nullptr || whole_.use_count() != 1) return nullptr;
        // Writes by this column must come after the last reads by a copy.
        std::atomic_thread_fence(std::memory_order_acquire);
        alone_.store(whole_->data(), std::memory_order_relaxed);
        return whole_->data();
    }

    bool is_own(std::size_t block) const {
        if (blocks_.empty() || blocks_[block] == nullptr) return whole_.use_count() == 1;
        return blocks_[block].use_count() == 1;
    }

    // Returns a pointer to the first value of the block. If another column shares the block, this
    // column first makes its own copy of it.
    [[gnu::noinline]] Value* own(std::size_t block) {
        if (whole() != nullptr) return at_[block];
        if (is_own(block)) {
            std::atomic_thread_fence(std::memory_order_acquire);
            return at_[block];
        }
        blocks_.resize(at_.size());
        auto made = std::make_shared_for_overwrite<Block>();
        std::copy_n(at_[block], rows_in(block), made->data());
        blocks_[block] = std::move(made);
        return at_[block] = blocks_[block]->data();
    }

    std::size_t size_ = 0;
    std::shared_ptr<std::vector<Value>> whole_; // null if the column is empty
    // One element per block, null for a block in whole_. Empty if all blocks are in whole_.
    std::vector<std::shared_ptr<Block>> blocks_;
    std::vector<Value*> at_; // first value of each block
    // The array of all values, as long as it is known not to be shared with another column;
    // otherwise null.
    mutable std::atomic<Value*> alone_ = nullptr;
};

} // namespace slotwise
