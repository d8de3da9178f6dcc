// What to say of a message that its target does not understand.
#pragma once

#include <string_view>

#include "abcl/check/context.hpp"

namespace abcl {

// A message that is sent: where it is written, its tag, "" for none, and the number of its elements.
struct sent_message {
  const form& written;
  std::string_view tag;
  std::size_t count;
};

// No message that `target` understands has the tag and so many elements; or it has, and does not reply, although `how`
// is not op::past.
void say_not_understood(const context& at, const sent_message& sent, const type* target, op how);

// Adds what an object of type `t` understands.
void help_with_interface(const context& at, diagnostic& d, const type* t);

}  // namespace abcl
