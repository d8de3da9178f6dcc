#include "tsubu/data/space.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "tsubu/base/job_names.hpp"
#include "tsubu/data/arrays/loans.hpp"
#include "tsubu/data/profile/profile.hpp"
#include "tsubu/data/settings.hpp"
#include "tsubu/data/variables/control.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::data {

namespace {
detail::job_names numbers_of_arrays(key::most_arrays / 2, key::most_arrays / 2);
}  // namespace

data_space::data_space()
    : tells_(configured().tell),
      me(this_pe()),
      recorded(profile::wanted_here()),
      lent(std::make_unique<loans>(memory, me, pe_count())),
      memory(configured(), lent.get()),
      arrays(numbers_of_arrays.first()) {}

data_space::~data_space() {
  numbers_of_arrays.used(static_cast<std::uint32_t>(arrays.size()));
  memory.leave_others();
  if (tells_ && lent->blocks_lent() + memory.blocks_written() != 0) {
    fmt::print(
        stderr,
        "tsubu: PE {}: shared arrays were larger than --tsubu-data-memory: of blocks of {} KiB, {} went to other "
        "PEs and {} came back, {} went to a file and {} came back\n",
        me, block_store::block_bytes / 1024, lent->blocks_lent(), lent->blocks_fetched(), memory.blocks_written(),
        memory.blocks_read());
  }
  if (tells_ && lent->blocks_received() != 0) {
    fmt::print(stderr, "tsubu: PE {}: {} blocks of other PEs' shared arrays were here\n", me, lent->blocks_received());
  }
}

void data_space::note(directory_entry& entry, pe_id who, std::uint32_t reads, std::uint32_t writes) {
  profile::note(entry, who, reads, writes);
}

void data_space::declare(directory_entry& entry, protocol how, const std::source_location& where) {
  if (recorded != nullptr) return recorded->declare(entry, how, where);
  set_protocol(entry, how);
}

declared data_space::declare_array(const value_type& t, protocol how, const std::source_location& where,
                                   std::uint64_t elements) {
  return recorded == nullptr ? declared{how} : recorded->declare_array(t, how, where, elements);
}

void data_space::begin_wait(wait_kind what) { recorded->begin_wait(what); }

void data_space::end_wait(wait_kind what, bool from_another) { recorded->end_wait(what, from_another); }

directory_entry* data_space::find(key name, pe_id from) {
  if (!name.is_element()) [[likely]] {
    require(name.home() == me, "PE {} accesses {} on PE {}", from, [&] { return describe(name); }, me);
    return variables.find(name);
  }
  require(
      name.array() < arrays.size() && arrays[name.array()] != nullptr,
      "PE {} accesses {}, but that array has ended, or PE {} has not made it", from, [&] { return describe(name); },
      me);
  return &arrays[name.array()]->entry_at(name.index(), from);
}

void data_space::choose(directory_entry& entry) {
  if (!entry.watch()->adapts()) return;
  const protocol better = entry.watch()->better_than(entry.how, message_figures());
  if (better != entry.how) change_protocol_here(entry, better);
}

void data_space::set_protocol(directory_entry& entry, protocol how) {
  if (how != protocol::adaptive) {
    entry.how = how;
  } else if (entry.watch() == nullptr) {
    entry.set_watch(new_pooled<history>(true, nullptr));
  }
  if (entry.watch() != nullptr) entry.watch()->set_adapts(how == protocol::adaptive);
}

void data_space::refuse_type(const directory_entry& entry, const value_type& t, pe_id from) {
  fail("PE " + std::to_string(from) + " accesses " + describe(entry.name, entry.type->type) +
       " as a value of another type, " + describe(entry.name, t.type));
}

void data_space::refuse_array(std::uint32_t array, const value_type& t, pe_id from) const {
  const std::string what = describe(key::of_element(array, 0), t.type);
  if (array >= arrays.size() || arrays[array] == nullptr) {
    fail("PE " + std::to_string(from) + " accesses an element of an array that has ended, or that PE " +
         std::to_string(me) + " has not made: " + what);
  }
  fail("PE " + std::to_string(from) + " accesses " + describe(key::of_element(array, 0), arrays[array]->type->type) +
       " as a value of another type: " + what);
}

array_part& data_space::array_here(std::uint32_t array) const {
  require(array != no_array,
          "a shared array is used through a name that was never set: take it from create_shared_array()");
  require(array < arrays.size() && arrays[array] != nullptr, "shared array {} is used on PE {}, where it has ended",
          array, me);
  return *arrays[array];
}

void data_space::end_array(std::uint32_t array) {
  std::vector<key> of_it;
  copies.for_each([&](key name, copy& c) {
    if (!name.is_element() || name.array() != array) return;
    require(c.under_way() == 0 && !c.has_waiting(), "shared array {} ends while PE {} accesses element {}", array, me,
            name.index());
    of_it.push_back(name);
  });
  for (const key name : of_it) {
    copy& c = *copies.find(name);
    c.set_value_follows(false);
    c.set_invalid();
    c.wake_waiting();
    copies.remove(name);
  }
  arrays[array]->for_each_entry([](directory_entry& entry) { home::refuse_waiting(entry); });
  arrays[array].reset();
}

bool data_space::has_ended(key name) const {
  return name.is_element() && name.array() < arrays.size() && arrays[name.array()] == nullptr;
}

directory_entry* data_space::asked(key name, pe_id from) {
  if (has_ended(name)) return nullptr;
  directory_entry* entry = nullptr;
  if (!name.is_element()) {
    entry = variables.find(name);
  } else if (name.array() < arrays.size()) {
    entry = &arrays[name.array()]->entry_at(name.index(), from);
  }
  require(
      entry != nullptr && entry->busy != 0, "PE {} answers for {}, about which PE {} has not asked", from,
      [&] { return describe(name); }, me);
  return entry;
}

copy* data_space::here(key name, pe_id from) const {
  copy* c = copies.find(name);
  if (c == nullptr && has_ended(name)) return nullptr;
  require(
      c != nullptr, "PE {} says something about the copy of {} on PE {}, which has none", from,
      [&] { return describe(name); }, me);
  const pe_id home = home_of(name);
  require(
      from == home, "PE {} says something about the copy of {} on PE {}, which hears of it from its home, PE {}", from,
      [&] { return describe(name); }, me, home);
  return c;
}

pe_id data_space::home_of(key name) const {
  if (!name.is_element()) return name.home();
  const array_part& part = *arrays[name.array()];
  return part.home_of(part, name.index());
}

void data_space::changed(key name, copy& c) {
  // Who looks again may ask the home once more, and begins a copy anew if this one is unused.
  waiting_access* const waiting = c.take_waiting();
  if (c.unused()) {
    if (name.is_element()) arrays[name.array()]->count_copies(-1);
    copies.remove(name);
  }
  copy::wake(waiting);
}

}  // namespace tsubu::data
