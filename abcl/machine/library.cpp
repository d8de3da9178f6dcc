#include "abcl/machine/library.hpp"

#include <string>
#include <utility>
#include <vector>

#include "abcl/machine/node.hpp"
#include "abcl/machine/parts.hpp"
#include "abcl/runtime/console.hpp"
#include "abcl/runtime/library.hpp"
#include "tsubu/remote/messages/at.hpp"

namespace abcl::machine {
namespace {

namespace lib = abcl::library;

array<std::string> as_array(heap& values, word handle) {
  std::vector<std::string> all;
  if (const heap::array* const from = values.array_of(handle)) {
    for (const word w : from->words) all.emplace_back(values.text_of(w));
  }
  return array<std::string>::of(std::move(all));
}

tsubu::task<void> wait_for_outside(int number, word object, std::string file, std::uint32_t line, std::string of_class,
                                   std::string message) {
  const abcl::site at{file.c_str(), line, of_class.c_str(), message.c_str()};
  const bool is_text = static_cast<library_id>(number) == library_id::read_line;
  std::string text;
  try {
    if (is_text) {
      text = co_await lib::read_line(at);
    } else {
      text = co_await lib::more_input_p(at) ? "1" : "";
    }
  } catch (...) {
    co_return no_answer(object, std::current_exception());
  }
  answer(object, text, is_text);
}

}  // namespace

word call_library(library_id what, heap& values, const image& of, word a, word b, word c, int number) {
  const abcl::site at = site_of(of, number);
  const auto text = [&](word w) { return std::string(values.text_of(w)); };
  const auto made = [&](std::string t) { return values.text(std::move(t)); };
  const auto texts = [&](const array<std::string>& all) {
    return values.texts({all.begin(), all.end()}, layout_of_texts(of));
  };
  const auto integer_of = [](word w) { return static_cast<integer>(w); };
  switch (what) {
    case library_id::append_file:
      lib::append_file(text(a), text(b), at);
      return 0;
    case library_id::bit_and:
      return static_cast<word>(lib::bit_and(integer_of(a), integer_of(b)));
    case library_id::bit_not:
      return static_cast<word>(lib::bit_not(integer_of(a)));
    case library_id::bit_or:
      return static_cast<word>(lib::bit_or(integer_of(a), integer_of(b)));
    case library_id::bit_xor:
      return static_cast<word>(lib::bit_xor(integer_of(a), integer_of(b)));
    case library_id::clock:
      return bits(lib::clock());
    case library_id::is_file:
      return lib::file_p(text(a)) ? 1 : 0;
    case library_id::is_float:
      return lib::float_p(text(a)) ? 1 : 0;
    case library_id::index_of:
      return static_cast<word>(lib::index_of(text(a), text(b)));
    case library_id::is_int:
      return lib::int_p(text(a)) ? 1 : 0;
    case library_id::join:
      return made(lib::join(as_array(values, a), text(b)));
    case library_id::parse_float:
      return bits(lib::parse_float(text(a), at));
    case library_id::parse_int:
      return static_cast<word>(lib::parse_int(text(a), at));
    case library_id::random:
      return static_cast<word>(lib::random(integer_of(a), at));
    case library_id::random_float:
      return bits(lib::random_float());
    case library_id::random_seed:
      lib::random_seed(integer_of(a));
      return 0;
    case library_id::read_file:
      return made(lib::read_file(text(a), at));
    case library_id::shift_left:
      return static_cast<word>(lib::shift_left(integer_of(a), integer_of(b)));
    case library_id::shift_right:
      return static_cast<word>(lib::shift_right(integer_of(a), integer_of(b)));
    case library_id::shift_right_zero:
      return static_cast<word>(lib::shift_right_zero(integer_of(a), integer_of(b)));
    case library_id::split:
      return texts(lib::split(text(a), text(b), at));
    case library_id::substring:
      return made(lib::substring(text(a), integer_of(b), integer_of(c), at));
    case library_id::trim:
      return made(lib::trim(text(a)));
    case library_id::words:
      return texts(lib::words(text(a)));
    case library_id::write_file:
      lib::write_file(text(a), text(b), at);
      return 0;
    case library_id::more_input:
    case library_id::read_line:
      break;  // they wait
  }
  return 0;
}

void ask_outside(library_id what, word object, const image& of, int number) {
  const abcl::site at = site_of(of, number);
  tsubu::here().past<wait_for_outside>(static_cast<int>(what), object, std::string(at.file), at.line,
                                       std::string(at.of_class), std::string(at.message));
}

}  // namespace abcl::machine
