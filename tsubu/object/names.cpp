#include "tsubu/object/names.hpp"

#include <algorithm>
#include <cstdlib>

#include "tsubu/object/object_base.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/remote/messages/send.hpp"

namespace tsubu::objects {

namespace {

// Numbers of objects that have ended go back to who gave them.
struct numbers_returned {
  using layout = wire::layout<returned_numbers>;
  static void call(const message::delivery& d, const returned_numbers& n) { this_space().names.take_back(d.from, n); }
};

}  // namespace

[[noreturn]] void no_such_creator(pe_id from, pe_id creator) {
  fail("PE " + std::to_string(from) + " names an object that PE " + std::to_string(creator) +
       " created, but the job's PEs are 0 to " + std::to_string(tsubu::pe_count() - 1));
}

void check_name(pe_id from, const identity& id) {
  if (id.creator() >= tsubu::pe_count()) no_such_creator(from, id.creator());
  if (static_cast<std::uint32_t>(id.home) >= static_cast<std::uint32_t>(tsubu::pe_count())) {
    fail("PE " + std::to_string(from) + " names an object of PE " + std::to_string(id.home) +
         ", but the job's PEs are 0 to " + std::to_string(tsubu::pe_count() - 1));
  }
}

[[noreturn]] void no_such_generation(pe_id from, std::uint32_t generation) {
  fail("PE " + std::to_string(from) + " creates an object of generation " + std::to_string(generation) +
       " here, but the last one is " + std::to_string(identity::most_generation));
}

[[noreturn]] void no_such_home(pe_id home) {
  fail("an object is to be created on PE " + std::to_string(home) + ", but the job's PEs are 0 to " +
       std::to_string(tsubu::pe_count() - 1));
}

name_table::name_table(pe_id me, pe_id pes, std::uint32_t jobs_before)
    : me_(me),
      pes_(pes),
      tables_(std::make_unique<table[]>(static_cast<std::size_t>(pes))),
      numbers_(pes, jobs_before * identity::generations_of_job & identity::most_generation) {}

name_table::~name_table() {
  for (pe_id creator = 0; creator < pes_; ++creator) std::free(tables_[static_cast<std::size_t>(creator)].slots);
}

absence name_table::why_not(const identity& id, std::uint32_t type) const {
  const slot* const s = slot_address(id.creator(), id.number());
  if (is_of_another_job(id)) return absence::gone;
  if (id.creator() >= pes_) no_such_creator(me_, id.creator());
  if (s == nullptr) return absence::unborn;
  if (id.generation() < s->generation()) return absence::gone;
  if (id.generation() > s->generation() || s->type() == slot::no_type) return absence::unborn;
  if (s->type() == slot::away_type) return absence::away;
  fail("a message for " + name_text(id, type) + ", but that name is of " + name_text(id, s->type()));
}

std::vector<std::uint32_t> name_table::sizes() const {
  std::vector<std::uint32_t> all;
  all.reserve(static_cast<std::size_t>(pes_));
  for (pe_id creator = 0; creator < pes_; ++creator) all.push_back(tables_[static_cast<std::size_t>(creator)].size);
  return all;
}

void name_table::extend(pe_id creator, std::uint64_t end) {
  table& t = tables_[static_cast<std::size_t>(creator)];
  if (end > std::uint64_t{identity::most_number} + 1)
    fail("PE " + std::to_string(creator) + " creates more objects here than can be numbered");
  if (end > t.capacity) {
    const std::uint64_t capacity =
        std::min<std::uint64_t>(std::max<std::uint64_t>({64, end, 2ULL * t.capacity}), ~std::uint32_t{0});
    // Not a vector: the pages of a large table are moved, not copied.
    void* const grown = std::realloc(t.slots, capacity * sizeof(slot));
    if (grown == nullptr) throw std::bad_alloc();
    t.slots = static_cast<slot*>(grown);
    if (creator == me_) own_slots_ = t.slots;
    t.capacity = static_cast<std::uint32_t>(capacity);
  }
  for (; t.size < end; ++t.size) t.slots[t.size] = {{nullptr}, slot::key_of(first_generation(), slot::no_type)};
}

name_table::slot& name_table::claim_new(const identity& id, std::uint32_t type) {
  table& t = tables_[static_cast<std::size_t>(id.creator())];
  if (id.number() >= t.size) {
    // One creator's messages come in order, so its fresh numbers do.
    require(id.number() == t.size, "PE {} creates object {} here, but has created {}", id.creator(), id.number(),
            t.size);
    if (t.size == t.capacity) {
      extend(id.creator(), std::uint64_t{id.number()} + 1);
    } else {
      t.slots[t.size++] = {{nullptr}, slot::key_of(first_generation(), slot::no_type)};
    }
  }
  slot& s = t.slots[id.number()];
  require(s.key == slot::key_of(id.generation(), slot::no_type), "PE {} creates object {} here again", id.creator(),
          id.number());
  s.key = slot::key_of(id.generation(), type);
  return s;
}

void name_table::return_number(pe_id creator, numbered n) {
  returned_numbers bunch{};
  if (numbers_.owe(creator, n, bunch)) remote::send<numbers_returned>(creator, bunch);
}

void name_table::leave_tombstone(const identity& id) {
  slot_of(id) = {{nullptr}, slot::key_of(id.generation() + 1, slot::no_type)};
}

void name_table::set_away(const identity& id) {
  slot_of(id) = {{nullptr}, slot::key_of(id.generation(), slot::away_type)};
}

void name_table::set_here(const identity& id, std::uint32_t type, object_base& o) {
  o.tsubu_header.set_name(id.creator(), id.number());
  slot_of(id) = {{&o}, slot::key_of(id.generation(), type)};
}

void name_table::ended_away(const identity& id) {
  slot& s = slot_of(id);
  s = {{nullptr}, slot::key_of(id.generation() + 1, slot::no_type)};
  give_number_back(s, id.creator(), id.number(), id.generation() + 1);
}

}  // namespace tsubu::objects
