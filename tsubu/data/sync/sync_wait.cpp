#include "tsubu/data/sync/sync_wait.hpp"

#include <fmt/format.h>

#include "tsubu/base/check.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/wait_reports.hpp"

namespace tsubu::data {
namespace {

remote::wait_reports::wait_text describe_sync_wait(const wait_record& w) {
  const bool known = w.what == turn_text || w.what == zero_text || w.what == arrivals_text || w.what == counter_text;
  if (!known) return {};
  const auto& of = *static_cast<const sync_wait*>(w.object);
  remote::wait_reports::wait_text text;
  text.whom = describe(of.kind, of.name);
  return text;
}

struct reports {
  reports() { remote::current_pe->waits.describe_by(&describe_sync_wait); }
};
const pe_local<reports> reports_here;

const char* name_of(sync_kind kind) {
  switch (kind) {
    case sync_kind::lock:
      return "lock";
    case sync_kind::rw_lock:
      return "rw_lock";
    case sync_kind::counter:
      return "counter";
    case sync_kind::barrier:
      return "barrier";
  }
  return "nothing known";  // bytes of a packet
}

}  // namespace

std::string describe(sync_kind kind, key name) {
  return fmt::format("{} {} of PE {}", name_of(kind), name.slot(), name.home());
}

void report_sync_waits() { (void)*reports_here; }

void check_made(sync_kind kind, key name) {
  require(!name.is_element(), "a {} is used that names none: create_{}() makes one", name_of(kind), name_of(kind));
}

void refuse_ended(sync_kind kind, key name, pe_id from, const std::string& what) {
  fail(fmt::format("PE {} {} {}, which has ended or was never there", from, what, describe(kind, name)));
}

}  // namespace tsubu::data
