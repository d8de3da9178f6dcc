// The library's functions (abcl/check/library.hpp) for programs on the register machine: those of compiled programs.
#pragma once

#include <exception>
#include <string>

#include "abcl/check/library.hpp"
#include "abcl/machine/heap.hpp"
#include "abcl/machine/processor.hpp"

namespace abcl::machine {

// A function that does not wait.
word call_library(library_id what, heap& values, const image& of, word a, word b, word c, int site);

// One that does, for an object of this node: an answer comes to it when there is one.
void ask_outside(library_id what, word object, const image& of, int site);

// What the node's processor has to be given when that is there.
void answer(word object, const std::string& text, bool is_text);
// There will be none: what a function has thrown that waited.
void no_answer(word object, std::exception_ptr why);

}  // namespace abcl::machine
