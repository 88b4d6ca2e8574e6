// Counts of the changes on the nodes of each class, and a list of the nodes on which resources were
// freed most recently.
//
// Example: a job ends on node 5, which belongs to class 1. The number of changes that freed
// resources in the classes {0, 1} grows by one, and node 5 becomes the most recently freed node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slotwise {

class NodeChanges {
  public:
    explicit NodeChanges(std::size_t n_classes)
        : n_eased_(n_classes, 0), n_eased_otherwise_(n_classes, 0), n_changed_(n_classes, 0),
          freed_(kFreed, 0) {}

    // Each function returns a number of changes, summed over the classes. eased() counts the
    // changes that may let a job fit. eased_otherwise() counts only those that freed() does not
    // list. changed() counts all changes.
    std::uint64_t eased(std::span<const std::size_t> classes) const {
        return sum_of(n_eased_, classes);
    }
    std::uint64_t eased_otherwise(std::span<const std::size_t> classes) const {
        return sum_of(n_eased_otherwise_, classes);
    }
    std::uint64_t changed(std::span<const std::size_t> classes) const {
        return sum_of(n_changed_, classes);
    }
    std::uint64_t eased() const { return n_eased_in_all_; } // sum over all classes

    // The events that freed resources are numbered. freed() returns the node on which an event
    // freed resources; only the nodes of the latest kFreed events are stored.
    static constexpr std::uint64_t kFreed = 4096;
    std::uint64_t n_freed() const { return n_freed_; }
    std::int32_t freed(std::uint64_t event) const { return freed_[event % kFreed]; }

    // Records that resources on the node were taken or released. note_class() records any other
    // change to the nodes of a class.
    void note(std::int32_t node, std::size_t node_class, bool is_given_back) {
        ++n_changed_[node_class];
        if (!is_given_back) return;
        ++n_eased_[node_class];
        ++n_eased_in_all_;
        freed_[n_freed_++ % kFreed] = node;
    }
    void note_class(std::size_t node_class, bool eases) {
        ++n_changed_[node_class];
        if (!eases) return;
        ++n_eased_[node_class];
        ++n_eased_otherwise_[node_class];
        ++n_eased_in_all_;
    }
    void note_all_eased() {
        for (std::size_t c = 0; c < n_changed_.size(); ++c)
            note_class(c, true);
    }

  private:
    static std::uint64_t sum_of(const std::vector<std::uint64_t>& counts,
                                std::span<const std::size_t> classes) {
        std::uint64_t sum = 0;
        for (const std::size_t c : classes)
            sum += counts[c];
        return sum;
    }

    std::vector<std::uint64_t> n_eased_;           // one per class
    std::vector<std::uint64_t> n_eased_otherwise_; // one per class
    std::vector<std::uint64_t> n_changed_;         // one per class
    std::uint64_t n_eased_in_all_ = 0;
    std::vector<std::int32_t> freed_; // nodes of the latest events, in a ring buffer
    std::uint64_t n_freed_ = 0;
};

} // namespace slotwise
