// A column that shares its values with its copies. Before a column changes its values, it makes its
// own copy of them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace slotwise {

// Copying a column takes O(1) time. The first call to change() after a copy takes O(n) time.
template <class Value> class SharedColumn {
  public:
    SharedColumn() = default;
    SharedColumn(std::vector<Value> values) // NOLINT: vectors convert implicitly
        : values_(std::make_shared<std::vector<Value>>(std::move(values))), data_(values_->data()),
          size_(values_->size()) {}

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const Value* data() const { return data_; }
    const Value* begin() const { return data_; }
    const Value* end() const { return data_ + size_; }
    const Value& operator[](std::size_t row) const { return data_[row]; }

    // Returns the values, which the caller may then change. Copies of this column keep the old
    // values.
    std::span<Value> change() {
        if (values_ != nullptr && values_.use_count() > 1) *this = SharedColumn(*values_);
        return values_ == nullptr ? std::span<Value>{} : std::span<Value>{*values_};
    }

  private:
    std::shared_ptr<std::vector<Value>> values_; // null if the column is empty
    const Value* data_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace slotwise
