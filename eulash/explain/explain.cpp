#include "eulash/explain/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <tuple>

namespace eulash {
namespace {

// EULASH's rule: what one process has is local, what several have is mobile, what is not known is shared.
std::string_view placement(sharing s) {
  switch (s) {
    case sharing::of_thread:
      return "private to a thread; local";
    case sharing::one_process:
      return "used in process 0; local";
    case sharing::read_only:
      return "read only; local, the same in each process";
    case sharing::several:
      return "used by several processes; mobile: each block goes to who writes it, and is copied to who reads it "
             "(write-invalidate)";
    case sharing::unknown:
      return "unknown; shared, as what several processes use";
  }
  return "";
}

bool is_told(const facts& f, const shared_objects& proven, object o) {
  const object_facts& known = f.objects[static_cast<std::size_t>(o)];
  if (known.at.line == 0) return false;
  if (known.kind == object_kind::variable || known.kind == object_kind::heap) return true;
  return known.kind == object_kind::local && !proven.of(o).is_private();
}

std::string_view placement(keeping k) {
  switch (k) {
    case keeping::invalidate:
      return "used by several processes; mobile: each block goes to who writes it, and is copied to who reads it "
             "(write-invalidate), by the profile";
    case keeping::mobile:
      return "used by several processes; mobile: each block goes to who accesses it, by the profile";
    case keeping::update:
      return "used by several processes; write-update: each block is copied to who reads it, and copies are updated, "
             "by the profile";
    case keeping::global:
      return "used by several processes; shared: each block stays at its home, by the profile";
  }
  return "";
}

// "file:line:column: what: "
std::string beginning_of(const object_facts& known) {
  std::string what = known.kind == object_kind::heap
                         ? fmt::format("what {} is allocated", known.name.empty() ? "here" : known.name)
                         : fmt::format("{} ({})", known.name, known.type);
  if (known.kind == object_kind::local) what += " on a stack";
  return fmt::format("{}:{}:{}: {}: ", known.at.file, known.at.line, known.at.column, what);
}

// What was recorded of a variable or an allocation; null: nothing.
const recorded_site* record_of(const facts& f, const shared_objects& proven, object o, const run_profile* recorded) {
  const object_facts& known = f.objects[static_cast<std::size_t>(o)];
  const bool has_site = known.kind == object_kind::variable || known.kind == object_kind::heap;
  return recorded == nullptr || !has_site || proven.of(o).is_private() ? nullptr : recorded->find(known.at);
}

std::string line_of(const facts& f, const shared_objects& proven, object o, const run_profile* recorded) {
  const object_facts& known = f.objects[static_cast<std::size_t>(o)];
  const verdict& v = proven.of(o);
  const recorded_site* const record = record_of(f, proven, o, recorded);
  std::string_view where = record != nullptr ? placement(record->best) : placement(v.is);
  // Stacks do not travel: who has its address asks its owner.
  if (known.kind == object_kind::local) where = "used by several threads; local, and others ask its process for it";
  return fmt::format("{}{}: {}\n", beginning_of(known), where, v.why);
}

// In the order of the text.
std::vector<object> told_objects(const facts& f, const shared_objects& proven) {
  std::vector<object> told;
  for (object o = 0; o != static_cast<object>(f.objects.size()); ++o)
    if (is_told(f, proven, o)) told.push_back(o);
  std::ranges::sort(told, {}, [&](object o) {
    const place& at = f.objects[static_cast<std::size_t>(o)].at;
    return std::tuple(at.file, at.line, at.column, o);
  });
  return told;
}

}  // namespace

std::string explained(const facts& f, const shared_objects& proven, const run_profile* recorded) {
  int locals = 0;
  for (object o = 0; o != static_cast<object>(f.objects.size()); ++o) {
    const object_facts& known = f.objects[static_cast<std::size_t>(o)];
    if (known.kind == object_kind::local && proven.of(o).is_private()) ++locals;
  }
  std::string text;
  for (const object o : told_objects(f, proven)) text += line_of(f, proven, o, recorded);
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
  for (const object o : told_objects(f, proven)) {
    const recorded_site* const record = record_of(f, proven, o, &recorded);
    if (record == nullptr) continue;
    ++known;
    if (record->had == record->best) continue;
    ++changed;
    text += fmt::format("{}{} instead of {}: messages of its line cost {} instead of {}\n",
                        beginning_of(f.objects[static_cast<std::size_t>(o)]), name_of(record->best),
                        name_of(record->had), duration(record->best_ns), duration(record->spent_ns));
  }
  if (known == 0)
    throw std::runtime_error(fmt::format("the profile is one of {}, and knows nothing of what this program shares",
                                         recorded.program_name()));
  return text + fmt::format("{} of {} placements that the run had change: {}\n", changed, known, recorded.prediction());
}

}  // namespace eulash
