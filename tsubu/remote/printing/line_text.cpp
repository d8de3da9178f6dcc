#include "tsubu/remote/printing/line_text.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <utility>

#include "tsubu/base/check.hpp"

namespace tsubu::detail {
namespace {

using argument_store = fmt::dynamic_format_arg_store<fmt::format_context>;

void push(argument_store& store, const line_value& a) {
  switch (a.what()) {
    case line_value::kind::integer:
      store.push_back(a.integer());
      break;
    case line_value::kind::natural:
      store.push_back(a.natural());
      break;
    case line_value::kind::real:
      store.push_back(a.real());
      break;
    case line_value::kind::single:
      store.push_back(a.single());
      break;
    case line_value::kind::truth:
      store.push_back(a.integer() != 0);
      break;
    case line_value::kind::character:
      store.push_back(a.character());
      break;
    case line_value::kind::text:
      store.push_back(fmt::string_view(a.text().data(), a.text().size()));
      break;
    case line_value::kind::made: {
      line_value::made_value made = a.make();
      if (made.value.what() == line_value::kind::text) {
        store.push_back(std::move(made.text));  // which the store keeps
      } else {
        push(store, made.value);
      }
      break;
    }
  }
}

}  // namespace

line_value::made_value line_value::make() const { return made_.make(made_.of); }

std::string line_text(std::string_view line, std::initializer_list<line_value> arguments, std::source_location where) {
  argument_store store;
  for (const line_value& a : arguments) push(store, a);
  try {
    return fmt::vformat(fmt::string_view(line.data(), line.size()), store);
  } catch (const fmt::format_error& e) {
    fail("the line \"" + std::string(line) + "\" does not fit its arguments: " + e.what(), where);
  }
}

}  // namespace tsubu::detail
