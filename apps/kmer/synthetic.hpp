// Reads of a genome that does not exist: for tests, and for inputs of any size. Everything follows from the seed.
//
// A read is a stretch of the genome from a random place, from one strand or the other. One base in 200 is read wrong,
// and one in 1,000 not at all (N). There are as many reads as cover each place of the genome 30 times on average.
#pragma once

#include "apps/kmer/reads.hpp"

namespace kmer {

struct genome {
  std::int64_t reads = 0;
  std::int64_t read_length = 100;
  std::uint64_t seed = 1;

  std::int64_t length() const;
  std::string read(std::int64_t number) const;
};

// The reads [begin, end) of it.
class synthetic final : public reads {
 public:
  synthetic(genome of, std::int64_t begin, std::int64_t end) : of_(of), first_(begin), position_(begin), end_(end) {}

  bool next(std::string& bases) override {
    if (position_ == end_) return false;
    bases = of_.read(position_++);
    return true;
  }
  std::string_view unit() const override { return "read"; }
  std::int64_t first() const override { return first_; }
  std::int64_t position() const override { return position_; }
  std::int64_t end() const override { return end_; }

 private:
  genome of_;
  std::int64_t first_, position_, end_;
};

// All reads, as a FASTQ file; it appears when it is complete. Throws input_error.
void write_fastq(const genome& of, const std::string& file);

}  // namespace kmer
