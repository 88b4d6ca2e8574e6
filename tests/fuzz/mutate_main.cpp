// Stands in for libFuzzer where the compiler has none: mutates the files of a folder, blindly, for
// a number of seconds. mutate_main -max_total_time=SECONDS CORPUS
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
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

} // namespace

int main(int count, char** arguments) {
    double seconds = 60;
    std::vector<std::string> seeds{""};
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        static constexpr std::string_view kTime = "-max_total_time=";
        if (argument.starts_with(kTime)) {
            seconds = std::atof(arguments[i] + kTime.size());
        } else if (std::filesystem::is_directory(argument)) {
            for (const auto& entry : std::filesystem::directory_iterator(argument))
                seeds.push_back(read_file(entry.path()));
        }
    }
    std::mt19937_64 random(1);
    const auto start = std::chrono::steady_clock::now();
    std::size_t runs = 0;
    for (;
         std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds;
         ++runs) {
        std::string text = seeds[random() % seeds.size()];
        for (std::size_t i = random() % 8 + 1; i > 0; --i)
            mutate(text, seeds, random);
        std::ofstream("crash-input", std::ios::binary) << text;
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    }
    std::remove("crash-input");
    std::printf("%zu inputs in %.0f s, no fault\n", runs, seconds);
}
