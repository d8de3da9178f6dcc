// What the paper's figures 5 and 6 measure, for the program on MTTL and for those on a plain MPI: which sizes, how many
// accesses, and the line of JSON that they print.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace nwrite {

inline constexpr int sizes[] = {8, 64, 512, 2048, 8192, 32 * 1024, 256 * 1024, 1024 * 1024};
inline constexpr int max_size = 1024 * 1024;
inline constexpr int windows = 11;  // of each size: their median counts

// Those that the program's argument names, or all.
inline std::vector<int> sizes_of(int argc, char** argv) {
  if (argc < 2) return {std::begin(sizes), std::end(sizes)};
  return {std::clamp(std::atoi(argv[1]), 1, max_size)};
}

// So many accesses to a window, which a barrier ends as in the paper's figure 7.
constexpr int accesses(int bytes) { return std::clamp(512 * 1024 / bytes, 4, 1000); }

// All bytes of a window are alike, and those of the next are not.
constexpr char content(int window) { return static_cast<char>(1 + window % 101); }

// Microseconds of an access by its way ("write", "put") and size.
class results {
 public:
  void add(const char* way, int bytes, std::vector<double> of_windows) {
    const auto middle = of_windows.begin() + std::ssize(of_windows) / 2;
    std::nth_element(of_windows.begin(), middle, of_windows.end());
    found_.emplace_back(std::string(way) + "_" + std::to_string(bytes), *middle);
  }
  void print(const char* program, bool verified) const {
    std::printf("{\"program\":\"%s\",\"verified\":%s", program, verified ? "true" : "false");
    for (const auto& [name, us] : found_) std::printf(",\"%s\":%.4g", name.c_str(), us);
    std::printf("}\n");
  }

 private:
  std::vector<std::pair<std::string, double>> found_;
};

}  // namespace nwrite
