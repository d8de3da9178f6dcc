// The reads of a FASTQ file that begin in a range of its bytes.
//
// A record is four lines: @name, bases, +, one quality for each base. A quality may begin with @ as well, so a reader
// that starts anywhere looks two lines further: there a record has its +, and what follows a quality has the next
// bases.
//
// Parts of a file read by several readers are all of it exactly if each one's position() at its end is the next one's
// first(): a malformed record may mislead a reader that starts in it, and then these differ.
//
// Source: Cock et al., The Sanger FASTQ file format for sequences with quality scores, NAR 38, 2010. Sequences that go
// over several lines are not accepted.
#pragma once

#include <istream>
#include <memory>

#include "apps/kmer/reads.hpp"

namespace kmer {

// Bytes of `file`. Throws input_error if it cannot be read or is empty.
std::int64_t fastq_size(const std::string& file);

class fastq final : public reads {
 public:
  // The reads of `file` that begin in the bytes [begin, end). Throws input_error.
  fastq(std::string file, std::int64_t begin, std::int64_t end);
  // The same from a stream of `size` bytes; `file` names it in messages.
  fastq(std::unique_ptr<std::istream> in, std::string file, std::int64_t size, std::int64_t begin, std::int64_t end);

  bool next(std::string& bases) override;
  std::string_view unit() const override { return "byte"; }
  std::int64_t first() const override { return first_; }
  std::int64_t position() const override { return position_; }
  std::int64_t end() const override { return end_; }

 private:
  bool get_line(std::string& line);
  void find_first();
  void pass_blank_end();
  void check_bases(const std::string& bases) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string file_;
  const std::unique_ptr<std::istream> in_;
  std::int64_t size_;
  std::int64_t end_;
  std::int64_t next_line_ = 0;  // where the stream is
  std::int64_t first_ = 0;
  std::int64_t position_ = 0;  // of the next record, or of the one at fault
  std::string name_, plus_, quality_;
};

}  // namespace kmer
