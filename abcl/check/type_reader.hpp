// Types as they are written: from forms to types.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "abcl/check/declarations.hpp"
#include "abcl/read/form.hpp"
#include "abcl/text/diagnostic.hpp"

namespace abcl {

class type_reader {
 public:
  type_reader(program& of, diagnostics& said) : program_(of), types_(of.types), said_(said) {}

  // From now on their names may stand for types, in any order.
  void add(const std::vector<alias_text>& names);

  // The unknown one, if `f` is no type; an error has been said then.
  const type* type_of(const form& f);
  // The same for an interface, (obj message ...). `places`: where to note which message stands where.
  const type* interface_of(const form& f, std::vector<std::pair<const type*, span>>* places);
  // Whether `f` names a type that the program has given this name to.
  bool is_alias(const form& f) const;
  // The same for the name of an interface, which is not the unknown type.
  const type* named_interface(const form& f, std::vector<std::pair<const type*, span>>* places);
  // `t` is sent in messages, and stands at `f`: a future is not.
  void expect_travels(const type* t, const form& f);

 private:
  const type* named(const form& f);
  const type* meaning_of(type_alias& a);
  void require_moderate(const type_alias& a, const type* of);
  const type* message_of(const form& f);
  void say_unknown(const form& f);
  // Which of the messages is meant could not be seen.
  void tell_apart(std::vector<const type*>& messages, const form& f);

  // A name of a type, from its form to what it stands for.
  struct alias_in_work {
    const form* from = nullptr;
    bool being_read = false;
    std::vector<std::pair<const type*, span>> messages{};  // of an interface: where they stand
  };

  program& program_;
  type_table& types_;
  diagnostics& said_;
  std::map<const type_alias*, alias_in_work> aliases_;
  int nested_names_ = 0;             // those that are being read
  std::set<std::string_view> told_;  // names that have been said to be unknown
};

}  // namespace abcl
