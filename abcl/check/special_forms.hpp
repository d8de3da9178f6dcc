// The forms with rules of their own: a table from their names to the rules.
#pragma once

#include <span>
#include <string_view>

#include "abcl/check/form_rules.hpp"

namespace abcl {

struct special_form {
  std::string_view name;
  form_rule* check;
  std::size_t least, most;  // parts behind the name; the rule is asked only if they are so many
  const char* usage;
  bool executes = false;  // the forms in it may stand where it stands, as those of `begin` may
};

// All, in the order of their names.
std::span<const special_form> special_forms();
// Null if there is none.
const special_form* find_special_form(std::string_view name);

}  // namespace abcl
