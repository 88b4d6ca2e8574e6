// Registries of named variants. Each variant registers itself in its own source file, so adding a
// variant requires no change elsewhere. The object files are linked directly into the extension: if
// they were in a static archive, the linker would silently drop the registrations.
#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace slotwise {

// Parameter values are passed as numbers: a name as its position in `names`, true as 1, and a
// length of time in seconds. A table is passed as one number per name.
enum class ParameterKind { number, whole, flag, name, length, table };

struct ParameterInfo {
    std::string name;
    std::string doc; // includes the unit
    double default_value;
    double minimum;        // -infinity: any finite number is allowed
    std::string text = {}; // the default value as text; empty: default_value is shown
    ParameterKind kind = ParameterKind::number;
    std::string unit = {}; // plural noun for messages; for a `number`, a description of the value
    double maximum = std::numeric_limits<double>::infinity();
    std::vector<std::string> names = {}; // allowed values, for ParameterKind::name
};

template <class Factory> struct RegistryEntry {
    std::string name;
    std::string doc;       // one line
    std::string reference; // where the rule was published; empty if it was not published
    std::vector<ParameterInfo> parameters;
    Factory make;
};

// Entries are added only while static objects are constructed. After that, the registry is
// read-only.
template <class Factory, class Facts = RegistryEntry<Factory>> class Registry {
  public:
    using Entry = Facts;

    explicit Registry(std::string kind) : kind_(std::move(kind)) {}

    bool add(Entry entry) {
        auto at = std::lower_bound(entries_.begin(), entries_.end(), entry,
                                   [](const Entry& a, const Entry& b) { return a.name < b.name; });
        entries_.insert(at, std::move(entry));
        return true;
    }

    // If `name` is unknown, throws std::invalid_argument with a list of the known names.
    const Entry& find(const std::string& name) const {
        for (const Entry& entry : entries_)
            if (entry.name == name) return entry;
        std::string known;
        for (const Entry& entry : entries_)
            known += (known.empty() ? "" : ", ") + entry.name;
        throw std::invalid_argument("unknown " + kind_ + " '" + name +
                                    "'; known names are: " + known);
    }

    const std::vector<Entry>& entries() const { return entries_; }

  private:
    std::string kind_;
    std::vector<Entry> entries_; // sorted by name
};

} // namespace slotwise
