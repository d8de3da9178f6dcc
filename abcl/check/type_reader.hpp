// Types as they are written: from forms to types.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "abcl/check/tree.hpp"
#include "abcl/read/form.hpp"
#include "abcl/text/diagnostic.hpp"

namespace abcl {

class type_reader {
 public:
  type_reader(program& of, diagnostics& said) : program_(of), types_(of.types), said_(said) {}

  // The unknown one, if `f` is no type; an error has been said then.
  const type* type_of(const form& f);
  // The same for an interface, (obj message ...). `places`: where to note which message stands where.
  const type* interface_of(const form& f, std::vector<std::pair<const type*, span>>* places);
  // `t` is sent in messages, and stands at `f`: a future is not.
  void expect_travels(const type* t, const form& f);

 private:
  const type* named(const form& f);
  const type* message_of(const form& f);
  void say_unknown(const form& f);
  // Which of the messages is meant could not be seen.
  void tell_apart(std::vector<const type*>& messages, const form& f);

  program& program_;
  type_table& types_;
  diagnostics& said_;
  std::set<std::string_view> told_;  // names that have been said to be unknown
};

}  // namespace abcl
