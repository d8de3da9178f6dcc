// A text of words in lines, on the disk, that our benchmark of counting words and its peer read.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/container_workload.hpp"

namespace bench {

// Ten words a line, of the vocabulary, few of them often. It is written where it is not there yet, into the folder for
// temporary files, and stays there for the next one.
inline std::string words_file(std::uintmax_t bytes) {
  namespace fs = std::filesystem;
  const fs::path path = fs::temp_directory_path() / ("tsubu_bench_words_" + std::to_string(bytes) + ".txt");
  if (fs::exists(path)) return path;
  const std::vector<std::string> vocabulary = make_vocabulary();
  random_source random(11);
  const fs::path unfinished = path.string() + ".unfinished";
  std::FILE* const file = std::fopen(unfinished.c_str(), "wb");
  if (file == nullptr) throw std::runtime_error("cannot write " + unfinished.string());
  std::string block;
  for (std::uintmax_t written = 0; written < bytes; written += block.size()) {
    block.clear();
    for (int i = 1; i <= 10'000; ++i) {
      const double u = std::ldexp(static_cast<double>(random.next() >> 11), -53);
      block += vocabulary[static_cast<std::size_t>(u * u * u * static_cast<double>(vocabulary_size))];
      block += i % 10 == 0 ? '\n' : ' ';
    }
    block.resize(std::min<std::uintmax_t>(block.size(), bytes - written));
    std::fwrite(block.data(), 1, block.size(), file);
  }
  if (std::fclose(file) != 0) throw std::runtime_error("cannot write " + unfinished.string());
  fs::rename(unfinished, path);
  return path;
}

}  // namespace bench
