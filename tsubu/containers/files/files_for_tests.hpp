// Files for the tests of what reads them: a folder that is removed, texts packed by gzip or zstd, and how much memory
// was needed.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "tsubu/base/sanitizer.hpp"

namespace tsubu::containers_test {

// In memory where that can be: a disk takes some hundredths of a second for each file that it has to keep.
class folder_of_files {
  static std::filesystem::path above() {
    return std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
  }

 public:
  folder_of_files() : path_(above() / ("tsubu_files_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~folder_of_files() { std::filesystem::remove_all(path_); }
  folder_of_files(const folder_of_files&) = delete;
  folder_of_files& operator=(const folder_of_files&) = delete;

  std::string name(const std::string& file) const { return path_ / file; }
  void write(const std::string& file, const std::string& bytes) const {
    std::ofstream(name(file), std::ios::binary) << bytes;
  }

 private:
  std::filesystem::path path_;
};

// How much more memory the process has had at one time since this was made. Linux forgets its peak when it is told to.
class most_memory {
 public:
  most_memory() {
    std::ofstream("/proc/self/clear_refs") << 5;
    before_ = peak();
  }
  std::size_t more_than_before() const { return peak() - before_; }

 private:
  static std::size_t peak() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
      if (word != "VmHWM:") continue;
      std::size_t kibibytes = 0;
      status >> kibibytes;
      return kibibytes << 10;
    }
    ADD_FAILURE() << "the system does not tell the peak of the memory";
    return 0;
  }
  std::size_t before_ = 0;
};

// How much more it may take: AddressSanitizer keeps for a while what is freed.
inline constexpr std::size_t may_take(std::size_t bytes) { return TSUBU_ASAN ? 4 * bytes : bytes; }

// One gzip member, or one frame of zstd.
inline std::string zipped(const std::string& text) {
  std::string packed(text.size() + 1000, '\0');
  z_stream stream{};
  ::deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string copy = text;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return packed;
}
inline std::string framed(const std::string& text) {
  std::string packed(::ZSTD_compressBound(text.size()) + 4, '\0');
  ZSTD_CCtx* const context = ::ZSTD_createCCtx();
  // As the command zstd does it. A frame without one may be changed and nobody can tell.
  ::ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  packed.resize(::ZSTD_compress2(context, packed.data(), packed.size(), text.data(), text.size()));
  ::ZSTD_freeCCtx(context);
  return packed;
}
// In several members or frames.
inline std::string packed_by_chance(const std::string& text, std::mt19937_64& random) {
  const auto pack = random() % 2 == 0 ? zipped : framed;
  const std::size_t cut = random() % (text.size() + 1);
  return random() % 2 == 0 ? pack(text) : pack(text.substr(0, cut)) + pack("") + pack(text.substr(cut));
}

}  // namespace tsubu::containers_test
