#include "tsubu/wire/handler.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/program_text.hpp"

namespace tsubu::wire {
namespace {

constinit handler_entry* announced = nullptr;  // a list, in the linker's order
std::vector<handler_entry*> by_number;
std::uint64_t digest = 0;

// FNV-1a.
void mix(std::uint64_t& hash, const void* data, std::size_t bytes) {
  const auto* p = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ p[i]) * 0x100000001b3ULL;
}

void number_once() {
  by_number.assign(1, nullptr);
  for (handler_entry* h = announced; h != nullptr; h = h->next) by_number.push_back(h);
  std::sort(by_number.begin() + 1, by_number.end(),
            [](const handler_entry* a, const handler_entry* b) { return std::strcmp(a->name, b->name) < 0; });
  require(by_number.size() <= most_number, "{} handlers, and a program may have {}", by_number.size() - 1,
          most_number - 1);
  digest = 0xcbf29ce484222325ULL;
  for (std::size_t i = 1; i < by_number.size(); ++i) {
    handler_entry& h = *by_number[i];
    if (i > 1 && std::strcmp(h.name, by_number[i - 1]->name) == 0) {
      fail("two handlers have the name " + readable_name(h) +
           ": functions or lambdas of that name stand in two source files; rename one");
    }
    h.number = static_cast<std::uint32_t>(i);
    h.code = code_of(h.number);
    mix(digest, h.name, std::strlen(h.name) + 1);
    mix(digest, &h.packet_bytes, sizeof h.packet_bytes);
  }
}

}  // namespace

handler_entry::handler_entry(const char* name_, execute_function execute_, std::size_t packet_bytes_,
                             place_function place_, bool counted_, message_kind kind_, std::size_t words_,
                             const ahead_functions* ahead_)
    : packet_bytes(static_cast<std::uint32_t>(packet_bytes_)),
      execute(execute_),
      place(place_),
      name(name_),
      counted(counted_),
      kind(kind_),
      words(static_cast<std::uint16_t>(words_)),
      ahead(ahead_),
      next(announced) {
  announced = this;
}

handler_entry::handler_entry(const char* name_)
    : packet_bytes(0),
      execute(nullptr),
      place(nullptr),
      name(name_),
      counted(false),
      kind(message_kind::control),
      words(0),
      next(nullptr) {}

void bad_run(const run& r, const std::byte* at, const std::string& what) {
  std::string where = "in a bulk";
  if (r.batch_begin != nullptr) where = "at offset " + std::to_string(at - r.batch_begin);
  fail("a bad batch came from PE " + std::to_string(r.from) + ": " + where + ": " + what);
}

void number_handlers() {
  static std::once_flag once;
  std::call_once(once, number_once);
}

std::span<handler_entry* const> handlers() { return by_number; }

std::uint64_t handlers_digest() { return digest; }

std::string readable_name(const handler_entry& handler) { return readable(handler.name); }

namespace {

// The template arguments in "name<first, second>", as far as there are any.
std::vector<std::string_view> template_arguments(std::string_view name) {
  std::vector<std::string_view> all;
  const std::size_t begin = name.find('<');
  if (begin == name.npos || !name.ends_with('>')) return all;
  const std::string_view list = name.substr(begin + 1, name.size() - begin - 2);
  int depth = 0;
  std::size_t first = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
    if (c != ',' || depth != 0) continue;
    const std::size_t end = list.find_last_not_of(' ', at - 1) + 1;  // "> >"
    all.push_back(list.substr(first, end - first));
    first = std::min(list.size(), at + 2);  // ", "
  }
  return all;
}

// What a handler of that name calls: the template argument that is a function or a method, or that one of these is in,
// as where another handler is executed in an epoch; or else the first argument, if it is a lambda.
std::string_view called_by(std::string_view name) {
  if (!name.starts_with("tsubu::")) return {};
  const std::vector<std::string_view> arguments = template_arguments(name);
  for (std::string_view argument : arguments) {
    if (!argument.starts_with('&')) continue;
    argument.remove_prefix(1);
    const bool in_brackets = argument.starts_with('(') && argument.ends_with(')');
    return in_brackets ? argument.substr(1, argument.size() - 2) : argument;
  }
  for (const std::string_view argument : arguments) {
    if (const std::string_view called = called_by(argument); !called.empty()) return called;
  }
  const bool of_a_lambda =
      !arguments.empty() && (arguments[0].find("lambda") != name.npos || arguments[0].find("::$_") != name.npos);
  return of_a_lambda ? arguments[0] : std::string_view();
}

}  // namespace

std::string target_name(const handler_entry& handler) {
  const std::string name = readable_name(handler);
  const std::string_view called = called_by(name);
  return called.empty() ? name : std::string(called);
}

}  // namespace tsubu::wire
