// Named variants that register themselves from their own file, so that adding one needs no edit
// elsewhere. Objects are linked directly into the extension: a static archive would silently drop
// the registrations.
#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace slotwise {

// Every value is passed as a number: a name as its position in `names`, true as 1, a length in
// seconds. The value of a table is a number per name.
enum class ParameterKind { number, whole, flag, name, length, table };

struct ParameterInfo {
    std::string name;
    std::string doc; // includes the unit
    double default_value;
    double minimum;        // -infinity: any finite number
    std::string text = {}; // the default as a string; empty if a number is shown
    ParameterKind kind = ParameterKind::number;
    std::string unit = {}; // plural, as in messages; for kind number: its description
    double maximum = std::numeric_limits<double>::infinity();
    std::vector<std::string> names = {}; // allowed names, for kind name
};

template <class Factory> struct RegistryEntry {
    std::string name;
    std::string doc;       // one line
    std::string reference; // where the rule was published; empty for folklore
    std::vector<ParameterInfo> parameters;
    Factory make;
};

// Written to only while static objects are constructed; read-only afterwards.
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

    // Throws std::invalid_argument listing the known names.
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
