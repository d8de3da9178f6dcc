#include "tsubu/remote/line_text.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <utility>
#include <variant>

#include "tsubu/base/check.hpp"

namespace tsubu::detail {

std::string line_text(std::string_view line, std::initializer_list<line_value> arguments, std::source_location where) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const line_value& a : arguments) {
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
      case line_value::kind::made:
        std::visit([&store](auto made) { store.push_back(std::move(made)); }, a.made());
        break;
    }
  }
  try {
    return fmt::vformat(fmt::string_view(line.data(), line.size()), store);
  } catch (const fmt::format_error& e) {
    fail("the line \"" + std::string(line) + "\" does not fit its arguments: " + e.what(), where);
  }
}

}  // namespace tsubu::detail
