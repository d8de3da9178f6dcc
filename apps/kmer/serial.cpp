#include "apps/kmer/serial.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace kmer {
namespace {

std::string reverse_complement(const std::string& bases) {
  std::string other(bases.rbegin(), bases.rend());
  for (char& base : other) base = base == 'A' ? 'T' : base == 'C' ? 'G' : base == 'G' ? 'C' : 'A';
  return other;
}

}  // namespace

void serial_counter::add_read(std::string bases) {
  for (char& base : bases) base = static_cast<char>(std::toupper(static_cast<unsigned char>(base)));
  for (std::size_t i = 0; i + k_ <= bases.size(); ++i) {
    const std::string kmer = bases.substr(i, k_);
    if (kmer.find_first_not_of("ACGT") == std::string::npos) ++counts_[std::min(kmer, reverse_complement(kmer))];
  }
}

void serial_counter::add_fastq(std::istream& in) {
  std::string line;
  for (std::int64_t number = 0; std::getline(in, line); ++number) {
    if (number % 4 == 1) add_read(line);
  }
  if (in.bad()) throw std::runtime_error("an error while the reads are read again");
}

}  // namespace kmer
