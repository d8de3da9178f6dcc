// Where reads (sequences of bases, as a sequencing machine gives them) come from, one by one: the part of a PE.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace kmer {

// what(): one line.
class input_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class reads {
 public:
  virtual ~reads() = default;

  // Puts the next read into `bases`; false at the end. Throws input_error.
  virtual bool next(std::string& bases) = 0;

  // What is counted in position(), for people: "byte".
  virtual std::string_view unit() const = 0;
  // This part begins at first(), and has got to position(); parts meet where one ends and the next begins.
  virtual std::int64_t first() const = 0;
  virtual std::int64_t position() const = 0;
  // Where no read of this part begins any more.
  virtual std::int64_t end() const = 0;
};

}  // namespace kmer
