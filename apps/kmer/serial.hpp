// Counts k-mers in the plainest way, to check what the PEs have counted: one map of texts, no code shared with them.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <unordered_map>

namespace kmer {

class serial_counter {
 public:
  explicit serial_counter(int k) : k_(static_cast<std::size_t>(k)) {}

  void add_read(std::string bases);
  void add_fastq(std::istream& in);  // a well-formed one

  const std::unordered_map<std::string, std::uint64_t>& counts() const { return counts_; }

 private:
  std::size_t k_;
  std::unordered_map<std::string, std::uint64_t> counts_;  // of canonical k-mers
};

}  // namespace kmer
