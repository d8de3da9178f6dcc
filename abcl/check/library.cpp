#include "abcl/check/library.hpp"

#include <algorithm>

namespace abcl {
namespace {

using enum library_type;
constexpr bool acts = true, waits = true, fails = true;

// In the order of the names, so that one is found quickly.
constexpr library_function library[] = {
    {library_id::append_file,
     "append-file",
     {{text, "path"}, {text, "text"}},
     empty,
     acts,
     !waits,
     fails,
     "Writes the text behind what the file has; makes the file if there is none."},
    {library_id::bit_and,
     "bit-and",
     {{integer, "a"}, {integer, "b"}},
     integer,
     !acts,
     !waits,
     !fails,
     "The bits that both have."},
    {library_id::bit_not, "bit-not", {{integer, "a"}}, integer, !acts, !waits, !fails, "The bits that it has not."},
    {library_id::bit_or,
     "bit-or",
     {{integer, "a"}, {integer, "b"}},
     integer,
     !acts,
     !waits,
     !fails,
     "The bits that one of them has, or both."},
    {library_id::bit_xor,
     "bit-xor",
     {{integer, "a"}, {integer, "b"}},
     integer,
     !acts,
     !waits,
     !fails,
     "The bits that one of them has, and not both."},
    {library_id::clock,
     "clock",
     {},
     real,
     acts,
     !waits,
     !fails,
     "The seconds of the job's time, from a beginning of the node's own; on a simulated machine, of its time."},
    {library_id::is_file,
     "file?",
     {{text, "path"}},
     boolean,
     acts,
     !waits,
     !fails,
     "Whether there is a file of that name, and no folder."},
    {library_id::is_float,
     "float?",
     {{text, "text"}},
     boolean,
     !acts,
     !waits,
     !fails,
     "Whether parse-float takes the text."},
    {library_id::index_of,
     "index-of",
     {{text, "text"}, {text, "part"}},
     integer,
     !acts,
     !waits,
     !fails,
     "Where the part first stands in the text, counted from 0; -1 if it does not."},
    {library_id::is_int, "int?", {{text, "text"}}, boolean, !acts, !waits, !fails, "Whether parse-int takes the text."},
    {library_id::join,
     "join",
     {{texts, "parts"}, {text, "separator"}},
     text,
     !acts,
     !waits,
     !fails,
     "The texts of the array, with the separator between two."},
    {library_id::more_input,
     "more-input?",
     {},
     boolean,
     acts,
     waits,
     fails,
     "Whether the standard input has another line. Waits until that is known."},
    {library_id::parse_float,
     "parse-float",
     {{text, "text"}},
     real,
     !acts,
     !waits,
     fails,
     "The number that the text is, as 2, -0.5 or 1e3; ends the job if it is none."},
    {library_id::parse_int,
     "parse-int",
     {{text, "text"}},
     integer,
     !acts,
     !waits,
     fails,
     "The Int that the text is, digits behind an optional sign; ends the job if it is none."},
    {library_id::random,
     "random",
     {{integer, "n"}},
     integer,
     acts,
     !waits,
     fails,
     "A random Int from 0 to n - 1; ends the job if n is not positive."},
    {library_id::random_float, "random-float", {}, real, acts, !waits, !fails, "A random Float from 0.0 to below 1.0."},
    {library_id::random_seed,
     "random-seed",
     {{integer, "seed"}},
     empty,
     acts,
     !waits,
     !fails,
     "From now on the random numbers of this node are those that follow from the seed."},
    {library_id::read_file,
     "read-file",
     {{text, "path"}},
     text,
     acts,
     !waits,
     fails,
     "All bytes of the file; ends the job if it cannot be read."},
    {library_id::read_line,
     "read-line",
     {},
     text,
     acts,
     waits,
     fails,
     "The next line of the standard input, without its end. Waits for it; ends the job behind the last one."},
    {library_id::shift_left,
     "shift-left",
     {{integer, "a"}, {integer, "by"}},
     integer,
     !acts,
     !waits,
     !fails,
     "The bits, by so many places to the left, with zeros behind; a negative number of places is to the right."},
    {library_id::shift_right,
     "shift-right",
     {{integer, "a"}, {integer, "by"}},
     integer,
     !acts,
     !waits,
     !fails,
     "The bits, by so many places to the right, with the sign before them; a negative number is to the left."},
    {library_id::shift_right_zero,
     "shift-right-zero",
     {{integer, "a"}, {integer, "by"}},
     integer,
     !acts,
     !waits,
     !fails,
     "The same as shift-right, with zeros before them."},
    {library_id::split,
     "split",
     {{text, "text"}, {text, "separator"}},
     texts,
     !acts,
     !waits,
     fails,
     "The parts of the text between the separators, empty ones too; ends the job if the separator is empty."},
    {library_id::substring,
     "substring",
     {{text, "text"}, {integer, "from"}, {integer, "to"}},
     text,
     !acts,
     !waits,
     fails,
     "The bytes of the text from the one at `from` to before the one at `to`; ends the job if they are not there."},
    {library_id::trim,
     "trim",
     {{text, "text"}},
     text,
     !acts,
     !waits,
     !fails,
     "The text without spaces, tabs and line ends at its begin and its end."},
    {library_id::words,
     "words",
     {{text, "text"}},
     texts,
     !acts,
     !waits,
     !fails,
     "What stands in the text between spaces, tabs and line ends; nothing is empty."},
    {library_id::write_file,
     "write-file",
     {{text, "path"}, {text, "text"}},
     empty,
     acts,
     !waits,
     fails,
     "Makes the file, or replaces it by one with this text, as a whole; ends the job if it cannot."},
};
static_assert(std::ranges::is_sorted(library, {}, &library_function::name));

std::string_view shown_type(library_type t) {
  switch (t) {
    case empty:
      return "[]";
    case integer:
      return "Int";
    case real:
      return "Float";
    case boolean:
      return "Bool";
    case text:
      return "Str";
    case texts:
      return "(array Str)";
  }
  return {};
}

}  // namespace

std::span<const library_function> library_functions() { return library; }

const library_function* find_library_function(std::string_view name) {
  const auto* const found = std::ranges::lower_bound(library, name, {}, &library_function::name);
  return found != std::end(library) && found->name == name ? found : nullptr;
}

const type* as_type(library_type t, type_table& types) {
  switch (t) {
    case empty:
      return types.empty;
    case integer:
      return types.integer;
    case real:
      return types.real;
    case boolean:
      return types.boolean;
    case text:
      return types.text;
    case texts:
      return types.array(types.text);
  }
  return types.unknown;
}

std::string signature(const library_function& f) {
  std::string all = '(' + std::string(f.name);
  for (const library_argument& a : f.arguments)
    all.append(" (").append(shown_type(a.of)).append(" ").append(a.name).append(")");
  return all.append(") ").append(shown_type(f.result));
}

}  // namespace abcl
