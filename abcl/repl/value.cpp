#include "abcl/repl/value.hpp"

#include <fmt/format.h>

#include <bit>
#include <vector>

#include "abcl/code/print_instruction.hpp"
#include "abcl/messages/messages.hpp"
#include "abcl/runtime/values.hpp"

namespace abcl::repl {
namespace {

using machine::word;

constexpr std::size_t most_elements = 20;

std::string object_text(word name) {
  if (name == 0) return "nil";
  return fmt::format("object {} on PE {}", machine::address_of(name), machine::node_of(name));
}

// Takes the words of one value from `from`, at `at`.
std::string text_of(const type* t, machine::heap& heap, const std::vector<word>& from, std::size_t& at) {
  switch (t->what) {
    case type::kind::integer:
      return fmt::format("{}", static_cast<std::int64_t>(from[at++]));
    case type::kind::real: {
      std::string text;
      append_text(text, std::bit_cast<double>(from[at++]));
      return text;
    }
    case type::kind::boolean:
      return from[at++] != 0 ? "true" : "false";
    case type::kind::text:
      return code::quoted_line(heap.text_of(from[at++]));
    case type::kind::future:
      return from[at++] == 0 ? "no future" : "a future";
    case type::kind::object:
    case type::kind::a_class:
    case type::kind::nil:
      at += 2;
      return object_text(from[at - 2]);
    case type::kind::reply:
      at += 2;
      if (from[at - 2] == 0 || from[at - 1] == 0) return object_text(from[at - 2]);
      return fmt::format("destination {} on PE {}", machine::address_of(from[at - 1]), machine::node_of(from[at - 2]));
    case type::kind::message: {
      std::string text = "[" + std::string(t->name);
      for (const type* part : t->parts) text += (text.size() > 1 ? " " : "") + text_of(part, heap, from, at);
      return text + ']';
    }
    case type::kind::array: {
      const machine::heap::array* const all = heap.array_of(from[at++]);
      const std::size_t size = all == nullptr ? 0 : all->size();
      std::string text = fmt::format("(array of {}", size);
      for (std::size_t i = 0, k = 0; i < size && i < most_elements; ++i)
        text += (i == 0 ? ": " : " ") + text_of(t->of(), heap, all->words, k);
      return text + (size > most_elements ? " ..)" : ")");
    }
    default:
      return "";
  }
}

}  // namespace

std::string text_of_value(const type* t, machine::processor& cpu, machine::word object, int at) {
  std::vector<word> words;
  for (int i = 0; i < words_of(t, true); ++i) words.push_back(cpu.get(object, at + i));
  std::size_t next = 0;
  return text_of(t, cpu.values(), words, next);
}

}  // namespace abcl::repl
