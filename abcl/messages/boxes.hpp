// Boxes: what is written into them, and how a reply is waited for in one.
#pragma once

#include "abcl/messages/context.hpp"

namespace abcl::messages {

// Words of a value of type `of`, from word `first` on, into a box or a new object, wherever it is.
void put_all(const context& at, value box, int first, const values& v, const type* of);
// A box for a reply of `count` words. `watched`: whether there is one can be asked.
value open_box(const context& at, int count, bool watched);
// Waits for the reply in a box, as `wait` says to people, and gives the box back.
values take_reply(const context& at, value box, const type* of, bool only_one, code::wait_info wait);

}  // namespace abcl::messages
