// An exception on its way to who asked for what threw it; what is caught there: remote_error.hpp.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

#include "tsubu/base/types.hpp"

namespace tsubu::remote {

// An exception as it travels.
struct error_report {
  pe_id pe = no_pe;              // where it was thrown
  std::string type;              // readable name
  std::string message;           // its what()
  bool keeps_type = false;       // it is registered where it was thrown
  std::vector<std::byte> state;  // what a registered type has besides, by its serialize()
  template <class A>
  void serialize(A& a) {
    a(pe, type, message, keeps_type, state);
  }
};

// The exception that is being handled, as who asked for it gets it. One that has come from a PE keeps what it was
// there.
error_report error_being_handled();
// What its asker throws.
std::exception_ptr exception_of(const error_report& report);
// The two in one, where who asked is on this PE: it catches the same wherever it asked.
std::exception_ptr answered_exception();

}  // namespace tsubu::remote
