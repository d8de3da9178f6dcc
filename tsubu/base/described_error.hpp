// What exceptions that nobody catches say of themselves.
#pragma once

#include <exception>
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

namespace detail {
// What is told of an exception that nobody catches: "std::out_of_range: no more", its description() if it has one,
// "int: 42", or its type alone.
std::string describe_exception(const std::exception_ptr& error);
// What the exception that is being handled says: its what(), or itself if it is a number or text; "" if none.
std::string text_of_exception();
}  // namespace detail

}  // namespace tsubu
