#include "eulash/explain/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// What was recorded of a variable or an allocation; null: nothing.
const recorded_site* record_of(const facts& f, const shared_objects& proven, object o, const run_profile* recorded) {
  const object_facts& known = f.objects[static_cast<std::size_t>(o)];
  const bool has_site = known.kind == object_kind::variable || known.kind == object_kind::heap;
  return recorded == nullptr || !has_site || proven.of(o).is_private() ? nullptr : recorded->find(known.at);
}

std::string name_of(const object_facts& known) {
  if (known.kind == object_kind::heap)
    return fmt::format("what {} is allocated", known.name.empty() ? "here" : known.name);
  return fmt::format("{} ({}){}", known.name, known.type,
                     known.kind != object_kind::local ? ""
                     : known.function < 0             ? " of each thread"
                                                      : " on a stack");
}

}  // namespace

std::vector<note> notes_on(const facts& f, const shared_objects& proven, const run_profile* recorded) {
  std::vector<note> all;
  for (object o = 0; o != static_cast<object>(f.objects.size()); ++o) {
    if (!is_told(f, proven, o)) continue;
    const object_facts& known = f.objects[static_cast<std::size_t>(o)];
    const verdict& v = proven.of(o);
    const recorded_site* const record = record_of(f, proven, o, recorded);
    const bool on_stack = known.kind == object_kind::local;
    std::string_view where = record != nullptr ? placement(record->best) : placement(v.is);
    // Stacks do not travel: who has its address asks its owner.
    if (on_stack) where = "used by several threads; local, and others ask its process for it";
    all.push_back({known.at, name_of(known), v.is, on_stack, where, v.why, record});
  }
  std::ranges::stable_sort(all, {}, [](const note& n) { return std::tie(n.at.file, n.at.line, n.at.column); });
  return all;
}

}  // namespace eulash
