// The functions that every program has, in one table: what the checker knows of them, and what a back end provides.
//
// A call is an op::library, and its `function` (tree::library_call) is the row. A function of the program's own with
// the same name is meant instead, so that a new row here changes no program.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "abcl/types/type.hpp"

namespace abcl {

enum class library_id {
  append_file,
  bit_and,
  bit_not,
  bit_or,
  bit_xor,
  clock,
  is_file,
  is_float,
  index_of,
  is_int,
  join,
  more_input,
  parse_float,
  parse_int,
  random,
  random_float,
  random_seed,
  read_file,
  read_line,
  shift_left,
  shift_right,
  shift_right_zero,
  split,
  substring,
  trim,
  words,
  write_file,
};

// Their types, which need no type_table; `empty` is [], and `texts` is (array Str).
enum class library_type { empty, integer, real, boolean, text, texts };

struct library_argument {
  library_type of;
  std::string_view name;
};

// A few, so that the table is a constant.
class library_arguments {
 public:
  constexpr library_arguments(std::initializer_list<library_argument> all) : size_(all.size()) {
    std::copy(all.begin(), all.end(), all_.begin());
  }
  constexpr std::size_t size() const { return size_; }
  constexpr const library_argument& operator[](std::size_t i) const { return all_[i]; }
  constexpr const library_argument* begin() const { return all_.data(); }
  constexpr const library_argument* end() const { return all_.data() + size_; }

 private:
  std::array<library_argument, 3> all_{};
  std::size_t size_;
};

struct library_function {
  library_id what;
  std::string_view name;
  library_arguments arguments;
  library_type result;
  bool acts;   // what it gives or does depends on when it is called: calls stay in their order, and are never left out
  bool waits;  // for the world outside, while other objects of the node go on; it acts, too
  bool fails;  // it may end the job, with the place of the call
  std::string_view about;  // one sentence, for editors
};

// All, in the order of their names.
std::span<const library_function> library_functions();
// Null if there is none.
const library_function* find_library_function(std::string_view name);

const type* as_type(library_type t, type_table& types);
// "(split (Str text) (Str separator)) (array Str)"
std::string signature(const library_function& f);

}  // namespace abcl
