#include "apps/kmer/synthetic.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "apps/kmer/kmer.hpp"
#include "apps/program/random_stream.hpp"
#include "tsubu/base/files.hpp"

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
  tsubu::written_file out({.file = file, .mark = "@"});
  for (std::int64_t number = 0; number < of.reads && out.stream() != nullptr && std::ferror(out.stream()) == 0;
       ++number) {
    const std::string bases = of.read(number);
    // Any quality that the format has, so that some begin with @ or +.
    std::string quality;
    tsubu::random_source random(program::mixed(numbers_of_read(of, number)()));
    for (std::size_t i = 0; i < bases.size(); ++i) quality += static_cast<char>('!' + random.below(41));
    std::fputs(fmt::format("@read_{}\n{}\n+\n{}\n", number, bases, quality).c_str(), out.stream());
  }
  if (!out.finish()) throw input_error(fmt::format("{}: cannot be written: {}", file, out.trouble()));
}

}  // namespace kmer
