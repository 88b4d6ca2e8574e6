// Radix sort of records by their time.
#pragma once

#include "types.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace slotwise {

// Sorts records by their member `time`, with 11 bits per pass. Records with the same time keep
// their order. Takes O(n) time if the times span less than 2^33 s, and O(n log span) otherwise.
template <class Record> void sort_by_time(std::vector<Record>& records) {
    constexpr unsigned kDigitBits = 11;
    constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
    const auto earlier = [](const Record& a, const Record& b) { return a.time < b.time; };
    if (std::is_sorted(records.begin(), records.end(), earlier)) return;
    const auto [least, most] = std::minmax_element(records.begin(), records.end(), earlier);
    const Time first = least->time;
    const auto span = static_cast<std::uint64_t>(most->time - first);
    std::vector<Record> other(records.size());
    for (unsigned shift = 0; shift < 64 && (span >> shift) != 0; shift += kDigitBits) {
        const auto digit = [&](const Record& record) {
            return (static_cast<std::uint64_t>(record.time - first) >> shift) & (kDigits - 1);
        };
        std::array<std::size_t, kDigits> place{};
        for (const Record& record : records)
            ++place[digit(record)];
        std::size_t before = 0;
        for (std::size_t& count : place)
            before += std::exchange(count, before);
        for (const Record& record : records)
            other[place[digit(record)]++] = record;
        records.swap(other);
    }
}

} // namespace slotwise
