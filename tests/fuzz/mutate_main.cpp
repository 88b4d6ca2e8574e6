// A substitute for libFuzzer where the compiler has none. It mutates the files of a folder at
// random, for a number of seconds or runs.
// mutate_main [-max_total_time=SECONDS] [-runs=N] [-seed=N] CORPUS
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void mutate(std::string& text, const std::vector<std::string>& seeds, std::mt19937_64& random) {
    static constexpr std::string_view kLikely = "0159-+.e; \t\r\n,x\xff";
    const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
    const std::size_t at = below(text.size() + 1);
    switch (random() % 5) {
    case 0:
        text.insert(at, 1, kLikely[below(kLikely.size())]);
        break;
    case 1:
        text.erase(at, below(20));
        break;
    case 2:
        text.insert(at, text.substr(below(text.size() + 1), below(100)));
        break;
    case 3:
        text.insert(at, seeds[below(seeds.size())]);
        break;
    default:
        if (at < text.size()) text[at] = kLikely[below(kLikely.size())];
    }
    if (text.size() > 4096) text.resize(4096);
}

struct Options {
    double seconds = 60;
    std::size_t runs = std::numeric_limits<std::size_t>::max();
    std::uint64_t seed = 1;
    std::vector<std::string> seeds{""};
};

// The files of a folder, sorted by name so that a seed gives the same inputs everywhere.
std::vector<std::string> read_folder(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        paths.push_back(entry.path());
    std::ranges::sort(paths);
    std::vector<std::string> files;
    for (const auto& path : paths)
        files.push_back(read_file(path));
    return files;
}

Options read_options(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        const std::string value = argument.substr(argument.find('=') + 1);
        if (argument.starts_with("-max_total_time=")) options.seconds = std::atof(value.c_str());
        if (argument.starts_with("-runs="))
            options.runs = std::strtoull(value.c_str(), nullptr, 10);
        if (argument.starts_with("-seed="))
            options.seed = std::strtoull(value.c_str(), nullptr, 10);
        if (!std::filesystem::is_directory(argument)) continue;
        for (std::string& file : read_folder(argument))
            options.seeds.push_back(std::move(file));
    }
    return options;
}

} // namespace

int main(int count, char** arguments) {
    const auto [seconds, most, seed, seeds] = read_options(count, arguments);
    std::mt19937_64 random(seed);
    const auto start = std::chrono::steady_clock::now();
    const auto passed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    std::size_t runs = 0;
    for (; runs < most && passed() < seconds; ++runs) {
        std::string text = seeds[random() % seeds.size()];
        for (std::size_t i = random() % 8 + 1; i > 0; --i)
            mutate(text, seeds, random);
        std::filesystem::remove("crash-input"); // truncating it costs a flush on some systems
        std::ofstream("crash-input", std::ios::binary) << text;
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    }
    std::remove("crash-input");
    std::printf("%zu inputs in %.0f s, no fault\n", runs, passed());
}
