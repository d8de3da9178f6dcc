// Reads files as a fuzzer would: the kept corpus of a fuzzer, and what once was a finding. The first finding ends it.
//
//   fuzz_TARGET FILE|FOLDER...     names each file before it is read
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "tests/fuzz/input.hpp"

namespace {

namespace fs = std::filesystem;

// Those of the folder, or the file itself. In order.
std::set<fs::path> files_at(const fs::path& place) {
  if (!fs::is_directory(place)) return {place};
  std::set<fs::path> files;
  for (const auto& one : fs::directory_iterator(place)) files.insert(one.path());
  return files;
}

std::vector<std::uint8_t> content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<std::uint8_t> read{std::istreambuf_iterator<char>(in), {}};
  if (!in.good() && !in.eof()) {
    std::printf("%s cannot be read\n", file.c_str());
    std::exit(2);
  }
  return read;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> places(argv + 1, argv + argc);
  LLVMFuzzerInitialize(&argc, &argv);
  std::size_t count = 0;
  for (const std::string& place : places) {
    for (const fs::path& file : files_at(place)) {
      std::printf("%s\n", file.c_str());
      std::fflush(stdout);
      const std::vector<std::uint8_t> input = content(file);
      LLVMFuzzerTestOneInput(input.data(), input.size());
      ++count;
    }
  }
  std::printf("%zu inputs\n", count);
  return count > 0 ? 0 : 2;
}
