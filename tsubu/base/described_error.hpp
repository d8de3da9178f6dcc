// What some exceptions say of themselves.
#pragma once

#include <string>

namespace tsubu {

// An exception that says what is told of it where nobody catches it, in place of its type and what().
// Local; does not block; throws std::bad_alloc.
class described_error {
 public:
  // That line, without its end.
  virtual std::string description() const = 0;

 protected:
  described_error() = default;
  described_error(const described_error&) = default;
  described_error& operator=(const described_error&) = default;
  ~described_error() = default;
};

}  // namespace tsubu
