// What this PE has added to variables of others and not yet sent: more may come for the same variable, and become one
// with it.
//
// A direct-mapped table: a variable that needs the place of another sends that one's sum. What is left is sent when the
// PE sends what it has gathered. Only variables of which the PE has nothing are here; whoever accesses one on this PE
// sends its sum first, so that a PE finds done what it has done. An epoch waits for what was added in it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tsubu/base/pool.hpp"
#include "tsubu/data/key.hpp"
#include "tsubu/remote/step_hooks.hpp"
#include "tsubu/task/group.hpp"

namespace tsubu::data {

class write_combining_buffer final : remote::deferred_sends {
 public:
  // A sum for a variable, of one type and operation.
  class sum {
   public:
    sum(key of, const char* kind) : name(of), kind_of(kind), group(this_task_group) {}
    virtual void send() = 0;
    virtual void discard() = 0;
    bool fits(key of, const char* kind) const { return name == of && kind_of == kind && group == this_task_group; }

    const key name;
    const char* const kind_of;
    task_group* const group;

   protected:
    ~sum() = default;
  };

  // The sum that an add of that kind to that variable can join, or null.
  [[gnu::always_inline]] sum* find(key name, const char* kind) const {
    sum* s = places_[place_of(name)];
    return s != nullptr && s->fits(name, kind) ? s : nullptr;
  }
  // Keeps a new one.
  void keep(sum& s);
  // Before another access to that variable.
  void send_if_kept(key name) {
    sum* s = places_[place_of(name)];
    if (s != nullptr && s->name == name) [[unlikely]]
      send(place_of(name));
  }
  void send_all() override;

 private:
  static constexpr std::size_t places = 1024;
  static std::size_t place_of(key name) { return name.bits() * 0x9e3779b97f4a7c15U >> 54; }
  void send(std::size_t place);

  std::array<sum*, places> places_{};
  std::vector<std::uint16_t> used_;  // since the last send_all(); some may be empty again
};

}  // namespace tsubu::data
