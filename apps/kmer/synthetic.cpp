#include "apps/kmer/synthetic.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "apps/kmer/kmer.hpp"
#include "apps/program/random_stream.hpp"

namespace kmer {
namespace {

constexpr std::int64_t coverage = 30;
constexpr std::uint64_t bases_a_wrong_one = 200, bases_an_unread_one = 1000;

tsubu::random_source numbers_of_read(const genome& of, std::int64_t number) {
  return tsubu::random_source(program::mixed(program::mixed(of.seed) + static_cast<std::uint64_t>(number)));
}

}  // namespace

std::int64_t genome::length() const { return std::max(read_length, reads * read_length / coverage); }

std::string genome::read(std::int64_t number) const {
  tsubu::random_source random = numbers_of_read(*this, number);
  const std::uint64_t begin = random.below(static_cast<std::uint64_t>(length() - read_length + 1));
  const bool other_strand = random.below(2) == 1;
  const auto count = static_cast<std::uint64_t>(read_length);
  std::string bases;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t place = begin + (other_strand ? count - 1 - i : i);
    std::uint64_t base = program::mixed(program::mixed(~seed) + place) % 4;
    if (other_strand) base = complement(base);
    if (random.below(bases_a_wrong_one) == 0) base = (base + 1 + random.below(3)) % 4;
    bases += random.below(bases_an_unread_one) == 0 ? 'N' : letters[base];
  }
  return bases;
}

void write_fastq(const genome& of, const std::string& file) {
  const std::string unfinished = file + ".unfinished";
  std::ofstream out(unfinished, std::ios::binary);
  for (std::int64_t number = 0; number < of.reads && out; ++number) {
    const std::string bases = of.read(number);
    // Any quality that the format has, so that some begin with @ or +.
    std::string quality;
    tsubu::random_source random(program::mixed(numbers_of_read(of, number)()));
    for (std::size_t i = 0; i < bases.size(); ++i) quality += static_cast<char>('!' + random.below(41));
    out << fmt::format("@read_{}\n{}\n+\n{}\n", number, bases, quality);
  }
  out.close();
  std::error_code why;
  if (out) std::filesystem::rename(unfinished, file, why);
  if (!out || why) {
    std::error_code ignored;
    std::filesystem::remove(unfinished, ignored);
    throw input_error(fmt::format("{}: cannot be written", file));
  }
}

}  // namespace kmer
