#include "tsubu/eulash/races.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

#include "tsubu/base/check.hpp"
#include "tsubu/eulash/place.hpp"
#include "tsubu/eulash/threads.h"
#include "tsubu/eulash/threads.hpp"

namespace tsubu::placed {
namespace {

// The processes' own. Whoever comes first makes it, and it ends with the last of them.
struct watch_of_job {
  watch_of_job() {
    thread_local std::weak_ptr<race_watch> current;
    watch = current.lock();
    if (watch == nullptr) current = watch = std::make_shared<race_watch>();
  }
  std::shared_ptr<race_watch> watch;
};
const pe_local<watch_of_job> watches;

std::string text_of(const eulash_place* where) {
  if (where == nullptr) return "in a function of the C library";
  const std::string_view function = where->function;
  return fmt::format("at {}:{}, in {}", where->file, where->line, function == "eulash_main" ? "main" : function);
}

std::string name_of_datum(std::uint64_t address) {
  if (is_stack(address)) {
    return fmt::format("a variable on the stack of a thread of process {}", views->where.owner_of_stack(address));
  }
  const race_watch::allocation of = races_of_job().allocation_at(address);
  if (of.site == nullptr) return fmt::format("what is at {:#x}", address);
  const eulash_place& declared = of.site->where;
  const std::uint64_t inside = address - of.address;
  return fmt::format("{}{} ({}:{})", of.site->name, inside == 0 ? "" : fmt::format(" + {} bytes", inside),
                     declared.file, declared.line);
}

}  // namespace

race_watch& races_of_job() { return *watches->watch; }

void tell_access(std::uint64_t address, std::uint64_t bytes, bool writes) {
  if (running == nullptr || (!is_shared(address) && !is_stack(address))) return;
  const eulash_place* const here = running->line;
  const auto race = races_of_job().access(running->number, address, bytes, writes, here);
  if (!race) return;
  const std::string told =
      fmt::format("a data race on {}: {} {} {}, and {} has {} it {}; nothing orders the two",
                  name_of_datum(race->address), name_of_thread(running->number), writes ? "writes" : "reads",
                  text_of(here), name_of_thread(race->thread), race->writes ? "written" : "read", text_of(race->where));
  end_job(exit_code::failed, fmt::format("tsubu: PE {}: {}", views->me, told));
}

void begin_atomic(std::uint64_t address, std::uint64_t bytes, bool writes) {
  if (!looks_for_races()) return;
  has_got(address);
  tell_access(address, bytes, writes);
  lets_go(address);
}

}  // namespace tsubu::placed

using namespace tsubu::placed;

extern "C" {

void eulash_tell_line(eulash_line where) { running->line = where; }

void eulash_tell_access(const void* p, std::size_t n, int writes, eulash_line where) {
  running->line = where;
  accesses(p, n, writes != 0);
}

}  // extern "C"
