#include "abcl/messages/messages.hpp"

#include "abcl/messages/tables.hpp"
#include "abcl/messages/texts.hpp"

namespace abcl {

using namespace messages;

code::program to_messages(const program& p, const sources& texts, const class_def& start) {
  tables to(texts, uses_of(p));
  const std::vector<const class_def*> classes = to.number_classes(p);
  const std::vector<const function_def*> functions = to.number_functions(p);
  to.describe(p);
  for (const class_def* c : classes) add_class_text(to, *c, {.has_name = true, .is_start = c == &start});
  for (const function_def* f : functions) add_function_text(to, *f);
  to.start_with(start);
  return to.take();
}

code::program more_messages(const program& p, const sources& texts, const class_def& start, int start_number,
                            growing& so_far) {
  tables to(texts, everything, so_far);
  to.number(start, start_number);
  const std::vector<const class_def*> classes = to.number_classes(p);
  const std::vector<const function_def*> functions = to.number_functions(p);
  to.describe(p);
  for (const class_def* c : classes) add_class_text(to, *c, {.has_name = true, .is_start = false});
  add_class_text(to, start, {.has_name = false, .is_start = true});
  for (const function_def* f : functions) add_function_text(to, *f);
  to.start_at(start_number);
  to.forget(start);
  to.return_to(so_far);
  return to.take();
}

}  // namespace abcl
