#include "eulash/explain/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
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

std::string line_of(const facts& f, const shared_objects& proven, object o) {
  const object_facts& known = f.objects[static_cast<std::size_t>(o)];
  const verdict& v = proven.of(o);
  std::string what = known.kind == object_kind::heap
                         ? fmt::format("what {} is allocated", known.name.empty() ? "here" : known.name)
                         : fmt::format("{} ({})", known.name, known.type);
  if (known.kind == object_kind::local) what += " on a stack";
  std::string_view where = placement(v.is);
  // Stacks do not travel: who has its address asks its owner.
  if (known.kind == object_kind::local) where = "used by several threads; local, and others ask its process for it";
  return fmt::format("{}:{}:{}: {}: {}: {}\n", known.at.file, known.at.line, known.at.column, what, where, v.why);
}

}  // namespace

std::string explained(const facts& f, const shared_objects& proven) {
  std::vector<object> told;
  int locals = 0;
  for (object o = 0; o != static_cast<object>(f.objects.size()); ++o) {
    if (is_told(f, proven, o)) told.push_back(o);
    const object_facts& known = f.objects[static_cast<std::size_t>(o)];
    if (known.kind == object_kind::local && proven.of(o).is_private()) ++locals;
  }
  std::ranges::sort(told, {}, [&](object o) {
    const place& at = f.objects[static_cast<std::size_t>(o)].at;
    return std::tuple(at.file, at.line, at.column, o);
  });
  std::string text;
  for (const object o : told) text += line_of(f, proven, o);
  text += fmt::format("{} other variables are on stacks, and private to their threads\n", locals);
  for (const int function : f.thread_functions) {
    const function_facts& known = f.functions[static_cast<std::size_t>(function)];
    text += fmt::format(
        "{}:{}:{}: {} is executed by threads: the k-th thread that is created runs in process k modulo their number\n",
        known.at.file, known.at.line, known.at.column, known.name);
  }
  return text;
}

}  // namespace eulash
