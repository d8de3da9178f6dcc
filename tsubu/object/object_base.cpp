#include "tsubu/object/object_base.hpp"

#include <vector>

#include "tsubu/base/program_text.hpp"
#include "tsubu/object/move.hpp"
#include "tsubu/object/reports.hpp"
#include "tsubu/object/routes.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/object/watches.hpp"

namespace tsubu::objects {

namespace {

// The first numbers are of no class: see name_table.
std::vector<object_type>& types() {
  static std::vector<object_type> all(2);
  return all;
}

std::string name_of(const char* mangled) { return without_anonymous(readable(mangled)); }

}  // namespace

std::uint32_t register_type(const object_type& type) {
  types().push_back(type);
  type_table = types().data();
  return static_cast<std::uint32_t>(types().size() - 1);
}

std::uint32_t type_count() { return static_cast<std::uint32_t>(types().size()); }

std::string class_name(std::uint32_t number) {
  return number < 2 || number >= types().size() ? "an object" : name_of(types()[number].name);
}

std::string name_text(const identity& id, std::uint32_t type) {
  return class_name(type) + ' ' + std::to_string(id.creator()) + '.' + std::to_string(id.number()) + " on PE " +
         std::to_string(id.home);
}

void object_base::tsubu_move(reply_to<pe_id> done, pe_id to) { leave_for(*this, to, std::move(done)); }

object_status object_base::tsubu_status() { return status_of(*this); }

void object_base::tsubu_watch(reply_to<void> told, pe_id pe, std::uint64_t number) {
  this_space().watchers().add(*this, {pe, number}, std::move(told));
}

void object_base::tsubu_unwatch(pe_id pe, std::uint64_t number) { this_space().watchers().remove(*this, {pe, number}); }

void object_base::made_elsewhere(object_base& o) {
  const std::uint64_t nameless = header::newborn(0, 0);
  std::memcpy(static_cast<void*>(&o.tsubu_header), &nameless, sizeof nameless);
  this_space().places().begin_guest(o);  // its constructor may ask for its name
}

}  // namespace tsubu::objects
