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
                             place_function place_, bool counted_, message_kind kind_, std::size_t words_)
    : packet_bytes(static_cast<std::uint32_t>(packet_bytes_)),
      execute(execute_),
      place(place_),
      name(name_),
      counted(counted_),
      kind(kind_),
      words(static_cast<std::uint16_t>(words_)),
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

std::string target_name(const handler_entry& handler) {
  const std::string name = readable_name(handler);
  const std::size_t begin = name.find('<');
  if (!name.starts_with("tsubu::") || begin == std::string::npos || !name.ends_with('>')) return name;
  // The template arguments of the handler: the one that is a function or a method, or else the first if it is a lambda.
  const std::string_view arguments = std::string_view(name).substr(begin + 1, name.size() - begin - 2);
  std::string_view lambda;
  int depth = 0;
  std::size_t first = 0;
  for (std::size_t at = 0; at <= arguments.size(); ++at) {
    const char c = at < arguments.size() ? arguments[at] : ',';
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
    if (c != ',' || depth != 0) continue;
    std::string_view argument = arguments.substr(first, at - first);
    if (argument.starts_with('&')) {
      argument.remove_prefix(1);
      if (argument.starts_with('(') && argument.ends_with(')')) argument = argument.substr(1, argument.size() - 2);
      return std::string(argument);
    }
    const bool is_lambda = argument.find("lambda") != argument.npos || argument.find("::$_") != argument.npos;
    if (first == 0 && is_lambda) lambda = argument;
    first = std::min(arguments.size(), at + 2);  // ", "
  }
  return lambda.empty() ? name : std::string(lambda);
}

}  // namespace tsubu::wire
