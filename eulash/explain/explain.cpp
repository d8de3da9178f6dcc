#include "eulash/explain/explain.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "eulash/explain/notes.hpp"

namespace eulash {
namespace {

// "file:line:column: what: "
std::string beginning_of(const note& n) {
  return fmt::format("{}:{}:{}: {}: ", n.at.file, n.at.line, n.at.column, n.what);
}

}  // namespace

std::string explained(const facts& f, const shared_objects& proven, const run_profile* recorded) {
  int locals = 0;
  for (object o = 0; o != static_cast<object>(f.objects.size()); ++o) {
    const object_facts& known = f.objects[static_cast<std::size_t>(o)];
    if (known.kind == object_kind::local && proven.of(o).is_private()) ++locals;
  }
  std::string text;
  for (const note& n : notes_on(f, proven, recorded))
    text += fmt::format("{}{}: {}\n", beginning_of(n), n.where, n.why);
  text += fmt::format("{} other variables are on stacks, and private to their threads\n", locals);
  for (const int function : f.thread_functions) {
    const function_facts& known = f.functions[static_cast<std::size_t>(function)];
    text += fmt::format(
        "{}:{}:{}: {} is executed by threads: the k-th thread that is created runs in process k modulo their number\n",
        known.at.file, known.at.line, known.at.column, known.name);
  }
  return text;
}

std::string changed_by(const facts& f, const shared_objects& proven, const run_profile& recorded) {
  std::string text;
  int known = 0, changed = 0;
  for (const note& n : notes_on(f, proven, &recorded)) {
    if (n.recorded == nullptr) continue;
    ++known;
    const recorded_site& r = *n.recorded;
    if (r.had == r.best) continue;
    ++changed;
    text += fmt::format("{}{} instead of {}: messages of its line cost {} instead of {}\n", beginning_of(n),
                        name_of(r.best), name_of(r.had), duration(r.best_ns), duration(r.spent_ns));
  }
  if (known == 0)
    throw std::runtime_error(fmt::format("the profile is one of {}, and knows nothing of what this program shares",
                                         recorded.program_name()));
  return text + fmt::format("{} of {} placements that the run had change: {}\n", changed, known, recorded.prediction());
}

}  // namespace eulash
