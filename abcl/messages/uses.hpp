// What a program uses of the language. What it does not use, its instructions need not expect.
#pragma once

#include "abcl/check/tree.hpp"

namespace abcl::messages {

struct uses {
  bool wide = false;            // an object stands for a reply destination somewhere: all names have two words
  bool nil_replies = false;     // a destination may be nil
  bool future_replies = false;  // or a future
  bool leaves = false;          // it has (non-resume): who waits for a reply of a clause that is left, is left, too
  bool express = false;         // some messages are sent as express messages
};

// A program that grows may use all of it.
inline constexpr uses everything{true, true, true, true, true};

uses uses_of(const program& p);

}  // namespace abcl::messages
