// Updates that are deferred for a moment, because another one for the same key may come and be merged with it.
//
// A combiner is a small direct-mapped table, one on each PE for each function: a slot holds one update, and the next
// one of another key that needs the slot sends it. What is left is sent when the PE would send what it has gathered.
// Until then it counts as something that its PE has to do, and its epoch waits for it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "tsubu/remote/messages/send.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/step_hooks.hpp"

namespace tsubu::remote {

// F is void(key, value); Op combines two values. H sends to F.
template <class H, class Key, class Value, class Op>
class write_combining_table final : deferred_sends {
 public:
  static constexpr std::size_t slots = 1024;

  void add(pe_id to, const Key& key, const Value& value) {
    const std::size_t place = place_of(to, key);
    slot& s = table_[place];
    if (s.to == to && s.key == key && s.group == this_task_group) {
      s.value = Op()(s.value, value);
      return;
    }
    if (s.to != no_pe) {
      send_one(s);
    } else {
      keep(place);
    }
    s = {this_task_group, key, value, to};
    if (s.group != nullptr) ++s.group->waiting;
  }

 private:
  struct slot {
    task_group* group = nullptr;
    Key key{};
    Value value{};
    pe_id to = no_pe;
  };

  static std::size_t place_of(pe_id to, const Key& key) {
    const std::uint64_t both = std::hash<Key>()(key) + static_cast<std::uint64_t>(to) * 0x9e3779b97f4a7c15U;
    return both * 0xbf58476d1ce4e5b9U >> 48 & (slots - 1);
  }

  void keep(std::size_t place) {
    if (used_.empty()) current_pe->defer(*this);
    used_.push_back(static_cast<std::uint32_t>(place));
  }

  static void send_one(const slot& s) {
    const task_group_scope inside(s.group);
    send<H>(s.to, s.key, s.value);
    if (s.group != nullptr) --s.group->waiting;
  }

  void send_all() override {
    for (const std::uint32_t place : used_) {
      send_one(table_[place]);
      table_[place].to = no_pe;
    }
    used_.clear();
  }

  std::array<slot, slots> table_;
  std::vector<std::uint32_t> used_;
};

template <class H, class Key, class Value, class Op>
inline pe_local<write_combining_table<H, Key, Value, Op>> write_combining_here;

template <class H, class Op, class Key, class Value>
void add_combining(pe_id to, const Key& key, const Value& value) {
  write_combining_here<H, Key, Value, Op>->add(to, key, value);
}

}  // namespace tsubu::remote
