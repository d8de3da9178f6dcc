// An exception that says what is told of it where nobody catches it, in place of its type and what().
#pragma once

#include <string>

namespace tsubu {

class described_error {
 public:
  virtual std::string description() const = 0;

 protected:
  described_error() = default;
  described_error(const described_error&) = default;
  described_error& operator=(const described_error&) = default;
  ~described_error() = default;
};

}  // namespace tsubu
