// Feeds any bytes to the SWF reader. Besides crashes and undefined behaviour, it looks for
// violations of three rules: the result does not depend on how the text is split into pieces; the
// fast path reads a line as the plain path does; a trace that is written and read again is
// unchanged.
// sources: src/core/workload/*.cpp
// seeds: swf
#include "workload/swf_line.hpp"
#include "workload/swf_reader.hpp"
#include "workload/swf_writer.hpp"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

using namespace slotwise;

namespace {

void require(bool holds, const char* promise) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", promise);
    std::abort();
}

struct Outcome {
    std::optional<SwfContents> contents;
    std::string error;
};

Outcome read(std::string_view text, std::size_t piece) {
    Outcome outcome;
    try {
        SwfReader reader(text.size());
        for (std::size_t at = 0; at < text.size(); at += piece)
            reader.feed(text.substr(at, piece));
        outcome.contents = reader.finish();
    } catch (const TraceError& error) {
        outcome.error = error.what();
    }
    return outcome;
}

bool same_jobs(const JobTable& a, const JobTable& b, bool with_lines) {
    bool same = true;
    for_each_member([&](const char* name, auto member) {
        if (!with_lines && std::string_view(name) == "line") return;
        same = same && a.*member == b.*member;
    });
    return same;
}

void check_pieces(std::string_view text, const Outcome& whole) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{200}}) {
        const Outcome pieces = read(text, piece);
        // With a zero byte, the errors may differ. The reader looks for zero bytes first in each
        // piece, but a fault in an earlier piece is reported before later pieces are read.
        if (text.find('\0') != text.npos) continue;
        require(pieces.error == whole.error, "errors do not depend on the pieces");
        if (!whole.contents) continue;
        require(same_jobs(pieces.contents->jobs, whole.contents->jobs, true),
                "jobs do not depend on the pieces");
        require(pieces.contents->header.size() == whole.contents->header.size(),
                "comments do not depend on the pieces");
    }
}

void check_plain_line(std::string_view text) {
    const std::string padded =
        std::string(kPlainMargin, ' ') + std::string(text) + '\n' + std::string(128, ' ') + '\n';
    SwfRow plain;
    SwfRow slow;
    SwfLineFaults plain_faults;
    const std::string_view line =
        parse_plain_line(std::string_view(padded).substr(kPlainMargin), plain, plain_faults);
    if (line.empty()) return;
    const SwfLineFaults faults = parse_line(line, slow);
    require(plain == slow, "both paths read the same numbers");
    require(faults.fields == plain_faults.fields && faults.decimals == plain_faults.decimals &&
                !faults.malformed && !faults.saturated,
            "both paths see the same faults");
}

void check_round_trip(const JobTable& jobs) {
    check(jobs);
    const Outcome again = read(format_swf(jobs, 0, jobs.size()), 1 << 20);
    require(again.contents.has_value(), "the written trace can be read");
    require(same_jobs(again.contents->jobs, jobs, false), "it reads back unchanged");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Outcome whole = read(text, size + 1);
    require(whole.contents.has_value() != !whole.error.empty(), "a trace or a message");
    check_pieces(text, whole);
    check_plain_line(text.substr(0, text.find('\n')));
    if (whole.contents) check_round_trip(whole.contents->jobs);
    return 0;
}
