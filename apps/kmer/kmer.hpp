// k-mers: stretches of k bases, k <= 32, two bits for each, the first base in the highest bits. A strand and its
// complement are one molecule, so a k-mer stands for its reverse complement, too: the smaller of the two is the
// canonical one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apps/kmer/reads.hpp"

namespace kmer {

using code = std::uint64_t;

inline constexpr int longest = 32;
inline constexpr std::string_view letters = "ACGT";

constexpr std::uint64_t complement(std::uint64_t base) { return 3 - base; }

// 0 to 3 for one of the letters, large or small; else, for a base that was not read, nothing.
constexpr std::optional<std::uint64_t> base_of(char letter) {
  switch (letter) {
    case 'A':
    case 'a':
      return 0;
    case 'C':
    case 'c':
      return 1;
    case 'G':
    case 'g':
      return 2;
    case 'T':
    case 't':
      return 3;
    default:
      return std::nullopt;
  }
}

inline std::string text_of(code kmer, int k) {
  std::string text;
  for (int i = k - 1; i >= 0; --i) text += letters[kmer >> (2 * i) & 3];
  return text;
}

// The canonical k-mers of reads, one by one. None goes over the end of a read or over a base that was not read.
class kmer_stream {
 public:
  kmer_stream(reads& source, int k)
      : source_(source), k_(k), highest_(2 * (k - 1)), mask_(~code{0} >> (2 * (longest - k))) {}

  // The next one, or nothing at the end. Throws input_error.
  std::optional<code> next() {
    for (;;) {
      while (at_ < bases_.size()) {
        if (take(bases_[at_++])) return forward_ < reverse_ ? forward_ : reverse_;
      }
      if (!source_.next(bases_)) return std::nullopt;
      at_ = 0;
      length_ = 0;
    }
  }

 private:
  // Is there a k-mer that ends with this letter?
  bool take(char letter) {
    const std::optional<std::uint64_t> base = base_of(letter);
    if (!base) {
      length_ = 0;
      return false;
    }
    forward_ = (forward_ << 2 | *base) & mask_;
    reverse_ = reverse_ >> 2 | complement(*base) << highest_;
    return ++length_ >= k_;
  }

  reads& source_;
  int k_;
  int highest_;  // the lowest bit of a k-mer's first base
  code mask_;
  std::string bases_;
  std::size_t at_ = 0;
  std::int64_t length_ = 0;  // bases since the last one that was not read, up to a read's
  code forward_ = 0;
  code reverse_ = 0;
};

}  // namespace kmer
