// The functions of the C library and of POSIX that programs may call: what they do with memory, and how they are called
// in a placed program. One table, for the analysis, the rewriting and what is refused.
#pragma once

#include <span>
#include <string_view>

namespace eulash {

enum class call_kind : unsigned char {
  plain,       // as it is: nothing that it reads or writes by pointer may be shared
  translated,  // eulash_NAME, where a pointer may lead to shared memory
  runtime,     // eulash_NAME, always: what process 0 does, what ends the program, what has a state
  allocation,  // eulash_NAME with the site as a last argument, unless the memory is private
  threads,  // by a macro of tsubu/eulash/threads.h: the objects that it is given are those that threads synchronise by
};

struct library_function {
  std::string_view name;
  call_kind kind;
  // Words: `rN`, `wN` read, write what argument N points to (`N+`: and all behind it), `WN` what
  // pointers there lead to; `cD<S` copies contents; `sN<M`
  // stores argument M where N points; `oN` tells what lies where argument N points to somebody outside; `pN` tells
  // arguments N and those behind if the format before them has %p; `=N` returns argument N, `=*N` a pointer that is
  // where N points, `=new` new memory, `nN` puts new memory where N points, `=lib` memory of the library's; `fN(A,B)`
  // calls argument N with those.
  std::string_view effect;
};

// Null: not known.
const library_function* find_library_function(std::string_view name);
std::span<const library_function> library_functions();

}  // namespace eulash
