// The names of the objects whose home is this PE: who has one, and who had it before.
//
// Whoever creates an object must know its name at once, and nobody may wait for that. So the creator numbers what it
// creates, by itself (numbers.hpp), and the home keeps a table for each creator, with the number as the index. A slot
// tells the generation, the class and the address; a message is checked against the first two before anything is
// touched. When an object has ended, its number goes back to its creator for the next generation, and the old name
// finds nobody. A name of which the table has never heard is of the future: its object is yet to be created.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "tsubu/base/owned.hpp"
#include "tsubu/object/identity.hpp"
#include "tsubu/object/numbers.hpp"

namespace tsubu::objects {

class object_base;

// Why there is no object of a name: it has ended, is yet to be created, or lives elsewhere.
enum class absence { gone, unborn, away };

// What a table says of one number.
struct name_slot {
  // Numbers that stand where a slot has its class. Those of classes are higher.
  static constexpr std::uint32_t no_type = 0;
  static constexpr std::uint32_t away_type = 1;
  static std::uint64_t key_of(std::uint32_t generation, std::uint32_t type) {
    return static_cast<std::uint64_t>(type) << 32 | generation;
  }

  union {
    object_base* object;      // if it is of a class
    std::uint64_t next_free;  // if it is free, of the numbers that this PE may give to its own objects
  };
  std::uint64_t key;
  std::uint32_t type() const { return static_cast<std::uint32_t>(key >> 32); }
  std::uint32_t generation() const { return static_cast<std::uint32_t>(key); }
  bool has_object() const { return type() > away_type; }
};

class name_table {
 public:
  using slot = name_slot;
  struct claimed {
    slot& at;
    identity id;
  };

  // In the first job of a process, or in one behind so many others.
  name_table(pe_id me, pe_id pes, std::uint32_t jobs_before = 0);
  ~name_table();
  name_table(const name_table&) = delete;
  name_table& operator=(const name_table&) = delete;

  pe_id me() const { return me_; }
  pe_id pes() const { return pes_; }
  // The generation that a number begins with in this job.
  std::uint32_t first_generation() const { return numbers_.first_generation(); }

  // ---- finding

  // The object of that class and name, if this is its home and it lives here.
  [[gnu::always_inline]] object_base* find(const identity& id, std::uint32_t type) const {
    if (static_cast<std::uint32_t>(id.creator()) >= static_cast<std::uint32_t>(pes_)) [[unlikely]]
      return nullptr;
    const table& t = tables_[static_cast<std::uint32_t>(id.creator())];
    if (id.number() < t.size) [[likely]] {
      const slot& s = t.slots[id.number()];
      if (s.key == slot::key_of(id.generation(), type)) [[likely]] {
        if (s.object == nullptr) __builtin_unreachable();
        return s.object;
      }
    }
    return nullptr;
  }
  // What find() will read; null if there is no such name.
  const slot* slot_address(pe_id creator, std::uint32_t number) const {
    if (static_cast<std::uint32_t>(creator) >= static_cast<std::uint32_t>(pes_)) return nullptr;
    const table& t = tables_[static_cast<std::uint32_t>(creator)];
    return number < t.size ? &t.slots[number] : nullptr;
  }
  // Whether it is of an earlier job of this process.
  bool is_of_another_job(const identity& id) const {
    return id.generation() - first_generation() >= identity::generations_of_job;
  }
  // Why find() found nothing. Ends the job if there is an object of another class, or no such name can be.
  absence why_not(const identity& id, std::uint32_t type) const;
  // The object of that name whose home and place is here, of whatever class, and its slot; or null.
  const slot* slot_at_home(const identity& id) const {
    const slot* const s = slot_address(id.creator(), id.number());
    return s != nullptr && s->has_object() && s->generation() == id.generation() ? s : nullptr;
  }
  object_base* at_home(const identity& id) const {
    const slot* const s = slot_at_home(id);
    return s != nullptr ? s->object : nullptr;
  }
  // The slot of a name that has been claimed.
  slot& slot_of(pe_id creator, std::uint32_t number) const {
    return tables_[static_cast<std::uint32_t>(creator)].slots[number];
  }
  identity identity_of(pe_id creator, std::uint32_t number) const {
    return {me_, creator, number, slot_of(creator, number).generation()};
  }
  // Calls f(object, type) for each object that lives here.
  template <class F>
  void for_each(F f) const {
    for (place at; for_some(at, ~std::uint32_t{0}, f);) continue;
  }
  // Which of them for_some() looks at next.
  struct place {
    pe_id creator = 0;
    std::uint32_t number = 0;
  };
  // How many numbers of each creator there are.
  std::vector<std::uint32_t> sizes() const;
  // The same from that place on, for so many numbers at most; false at the end. What is made meanwhile may be left out.
  // ends: numbers from there on are left out, by creator; null: none are.
  template <class F>
  bool for_some(place& at, std::uint32_t most, F f, const std::uint32_t* ends = nullptr) const {
    for (; at.creator < pes_; ++at.creator, at.number = 0) {
      const table& t = tables_[static_cast<std::uint32_t>(at.creator)];
      const std::uint32_t end = ends != nullptr ? ends[at.creator] : t.size;
      for (; at.number < end; ++at.number) {
        if (most-- == 0) return true;
        constexpr std::uint32_t ahead = 8;
        if (at.number + ahead < end && t.slots[at.number + ahead].has_object())
          __builtin_prefetch(t.slots[at.number + ahead].object);
        if (t.slots[at.number].has_object()) f(*t.slots[at.number].object, t.slots[at.number].type());
      }
    }
    return false;
  }

  // ---- giving names

  // A name for an object that this PE creates on `home`.
  [[gnu::always_inline]] identity name_for(pe_id home) {
    if (home == me_ && has_own_free()) [[likely]] {
      const slot& s = own_slots_[own_free_];
      return {me_, me_, std::exchange(own_free_, static_cast<std::uint32_t>(s.next_free)), s.generation()};
    }
    const numbered n = numbers_.next_on(home);
    return {home, me_, n.number, n.generation};
  }
  // `count` names in sequence, on each home, from the number that is returned.
  std::uint32_t names_everywhere(std::uint32_t count) { return numbers_.next_everywhere(count); }

  // A free number of this PE's own, for an object that it creates here: if has_own_free().
  bool has_own_free() const { return own_free_ != none_free; }
  [[gnu::always_inline]] claimed claim_own(std::uint32_t type) {
    const std::uint32_t number = own_free_;
    slot& s = own_slots_[number];
    own_free_ = static_cast<std::uint32_t>(s.next_free);
    const std::uint32_t generation = s.generation();
    s.key = slot::key_of(generation, type);
    return {s, identity(me_, me_, number, generation)};
  }
  // The slot for an object that is constructed next, under a name that its creator has given. Ends the job if no
  // correct PE gives it.
  [[gnu::always_inline]] slot& claim(const identity& id, std::uint32_t type) {
    const table& t = tables_[static_cast<std::uint32_t>(id.creator())];
    if (id.number() < t.size) [[likely]] {
      slot& s = t.slots[id.number()];
      if (s.key == slot::key_of(id.generation(), slot::no_type)) [[likely]] {
        s.key = slot::key_of(id.generation(), type);
        return s;
      }
    }
    return claim_new(id, type);
  }
  // The object of that name will be made later; its creator is this PE.
  void expect(const identity& id) {
    if (id.number() >= tables_[static_cast<std::size_t>(me_)].size) extend(me_, std::uint64_t{id.number()} + 1);
  }
  // The numbers below `end` of that creator may be used here.
  void extend(pe_id creator, std::uint64_t end);

  // ---- taking names back

  // The object of that name has ended.
  [[gnu::always_inline]] void release(pe_id creator, std::uint32_t number) {
    slot& s = creator == me_ ? own_slots_[number] : tables_[static_cast<std::uint32_t>(creator)].slots[number];
    const std::uint32_t next_generation = s.generation() + 1;
    s.key = slot::key_of(next_generation, slot::no_type);
    give_number_back(s, creator, number, next_generation);
  }
  // It could not be made. Its number is not used again: the reason stays with it.
  void leave_tombstone(const identity& id);
  // Numbers that this PE has given to objects on `home`, and that come back.
  void take_back(pe_id home, const returned_numbers& n) { numbers_.take_back(home, n); }

  // ---- objects that move: the name stays, and says that its object is away, or is here again

  void set_away(const identity& id);
  void set_here(const identity& id, std::uint32_t type, object_base& o);
  bool is_away(const identity& id) const {
    const slot* const s = slot_address(id.creator(), id.number());
    return s != nullptr && s->key == slot::key_of(id.generation(), slot::away_type);
  }
  // It ended elsewhere.
  void ended_away(const identity& id);

 private:
  static constexpr std::uint32_t none_free = ~std::uint32_t{0};
  struct table {
    slot* slots = nullptr;
    std::uint32_t size = 0;
    std::uint32_t capacity = 0;
  };

  slot& slot_of(const identity& id) const { return slot_of(id.creator(), id.number()); }
  slot& claim_new(const identity& id, std::uint32_t type);
  [[gnu::always_inline]] void give_number_back(slot& s, pe_id creator, std::uint32_t number,
                                               std::uint32_t next_generation) {
    if (next_generation % identity::generations_of_job == 0) [[unlikely]]
      return;  // it is used up
    if (creator == me_) {
      s.next_free = std::exchange(own_free_, number);
    } else {
      return_number(creator, {number, next_generation});
    }
  }
  void return_number(pe_id creator, numbered n);

  // Constant after construction.
  pe_id me_;
  pe_id pes_;

  // A number of this PE's own is in the table below `size`, and free exactly if the chain that begins with own_free_
  // has it. A slot's generation never falls, so a name that has found nobody once, and is not unborn, never will.
  std::uint32_t own_free_ = none_free;
  slot* own_slots_ = nullptr;          // of tables_, for me_
  detail::owned_array<table> tables_;  // by creator
  number_stocks numbers_;
};

[[noreturn, gnu::cold]] void no_such_creator(pe_id from, pe_id creator);
// Ends the job if the creator or the home is none of its PEs.
void check_name(pe_id from, const identity& id);
[[noreturn, gnu::cold]] void no_such_home(pe_id home);
[[noreturn, gnu::cold]] void no_such_generation(pe_id from, std::uint32_t generation);

}  // namespace tsubu::objects
