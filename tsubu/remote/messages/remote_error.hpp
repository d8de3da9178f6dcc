// What a caller gets when what it called on another PE, or an object, threw.
//
//   struct paper_jam : std::runtime_error {
//     using std::runtime_error::runtime_error;
//     int tray = 0;
//     template <class A> void serialize(A& a) { a(tray); }
//   };
//   const bool jams = register_exception<paper_jam>();     // at namespace scope
//   ...
//   try { co_await at(3).now<print>(page); }
//   catch (const paper_jam& jam) { ... jam.tray ... }      // or: catch (const remote_error& e) { ... e.pe() ... }
//
// An exception of a registered type arrives as that type and as a remote_error at the same time. Any other arrives as a
// std::runtime_error and a remote_error. Registered are the exceptions of <stdexcept>, std::bad_alloc, and those of
// this runtime.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "tsubu/base/described_error.hpp"
#include "tsubu/base/types.hpp"
#include "tsubu/remote/messages/error_report.hpp"

namespace tsubu {

// No std::exception by itself: what is thrown is one besides, so that a handler for std::exception takes it.
// Local; does not block; throws nothing.
class remote_error : public described_error {
 public:
  explicit remote_error(remote::error_report report);
  remote_error(const remote_error&) = default;
  remote_error(remote_error&&) = default;
  remote_error& operator=(const remote_error&) = default;
  remote_error& operator=(remote_error&&) = default;
  virtual ~remote_error() = default;  // what is thrown is derived from it

  pe_id pe() const { return report_.pe; }                         // where it was thrown
  const std::string& type() const { return report_.type; }        // readable name of the exception's type
  const std::string& message() const { return report_.message; }  // its what()
  // "PE 3 threw std::out_of_range: no more".
  const char* what() const noexcept { return what_.c_str(); }

  // Its name and what().
  std::string description() const override { return "tsubu::remote_error: " + what_; }
  // The runtime's.
  const remote::error_report& report() const { return report_; }

 private:
  remote::error_report report_;
  std::string what_;
};

// From then on exceptions of type E, and not of one derived from it, keep their type when they go from PE to PE. E is
// made from a string, its what(), or by default; then its serialize(), if it has one, reads the rest. Called before the
// job, most simply at namespace scope; again does nothing. True.
// Local; does not block; two types of one name end the process.
template <class E>
bool register_exception();

namespace remote {

// ---- registered types

// What is thrown at the caller for an E. what() is that of E; remote_error's says where it comes from.
template <class E>
class thrown final : public E, public remote_error {
 public:
  thrown(E error, error_report report) : E(std::move(error)), remote_error(std::move(report)) {}
};

struct exception_type {
  const std::type_info* type;
  // Writes what the exception that is being handled, which is of that type, has besides its text.
  void (*save)(std::vector<std::byte>& state);
  std::exception_ptr (*make)(const error_report& report);
};
void add_exception_type(const exception_type& type);

// Where it is made from its text, or by default.
template <class E>
E made_with(const std::string& message) {
  static_assert(std::is_constructible_v<E, const std::string&> || std::is_default_constructible_v<E>,
                "an exception that is registered is made from a std::string, or by default");
  if constexpr (std::is_constructible_v<E, const std::string&>) {
    return E(message);
  } else {
    return E();
  }
}

}  // namespace remote
}  // namespace tsubu
