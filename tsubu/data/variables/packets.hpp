// What the home of a variable and the PEs that use it say to each other, but for the accesses themselves
// (access_request.hpp).
//
// Each message is checked where it lands against what that PE knows of the variable: that it has something of it, and
// hears this from the home; that what is invalidated can be read, and a new value was announced; that an answer was
// asked for, and that the PE which returns a value owns it.
#pragma once

#include <utility>

#include "tsubu/data/space.hpp"
#include "tsubu/remote/messages/send.hpp"

namespace tsubu::data {

// Before a message about it is sent.
inline void check_named(key name) {
  require(name != key(),
          "a shared variable is accessed through a name that was never set: take it from create_shared()");
}

// ---- from the home

// The copy is invalid from now on. The new value follows, or not.
struct invalidate {
  using layout = wire::layout<key, bool>;
  static void call(const message::delivery& d, key name, bool value_follows);
};

// The owner shall write the value back; it may keep a copy to read.
template <class T>
struct recall {
  using layout = wire::layout<key, bool>;
  static void call(const message::delivery& d, key name, bool leaves_a_copy);
};

// The new value, for who has had a copy of the old one.
template <class T>
struct new_value {
  using layout = wire::layout<key, T>;
  static void call(const message::delivery& d, key name, T value) {
    data_space& s = this_space();
    copy* c = s.here(name, d.from);
    if (c == nullptr) return;
    require(
        c->value_follows(), "PE {} sends a new value of {} to PE {}, where no invalidation has announced one", d.from,
        [&] { return describe(name, typeid(T)); }, s.me);
    c->set_value_follows(false);
    c->set(copy::state::shared, std::move(value));
    s.changed(name, *c);
  }
};

// The home has answered one of the accesses that this PE has under way.
inline void end_access(copy& c, key name, pe_id home) {
  require(c.under_way() != 0, "PE {} answers an access to {} while none is under way", home,
          [&] { return describe(name); });
  c.end_access();
}

// An access has been done, and its PE keeps nothing, or this.
struct completed {
  using layout = wire::layout<key>;
  static void call(const message::delivery& d, key name) {
    data_space& s = this_space();
    copy* c = s.here(name, d.from);
    if (c == nullptr) return;
    end_access(*c, name, d.from);
    c->set_invalid();
    s.changed(name, *c);
  }
};
template <class T>
struct granted {
  using layout = wire::layout<key, grant, T>;
  static void call(const message::delivery& d, key name, grant kept, T value) {
    data_space& s = this_space();
    copy* c = s.here(name, d.from);
    if (c == nullptr) return;
    end_access(*c, name, d.from);
    c->set(kept == grant::modified ? copy::state::modified : copy::state::shared, std::move(value));
    s.changed(name, *c);
  }
};

// ---- to the home

// So often has this PE read its copy, which it now gives up for a write.
struct copy_was_read {
  using layout = wire::layout<key, std::uint32_t>;
  static constexpr std::uint32_t least = 8;  // fewer are told where there is a profile only
  static void call(const message::delivery& d, key name, std::uint32_t reads);
};

void tell_home_of_reads(pe_id home, key name, std::uint32_t reads);

struct acknowledge {
  using layout = wire::layout<key, std::uint32_t>;
  static void call(const message::delivery& d, key name, std::uint32_t reads) {
    data_space& s = this_space();
    directory_entry* entry = s.asked(name, d.from);
    if (entry == nullptr) return;
    data_space::seen(*entry, d.from, reads, 0);
    home::acknowledged(*entry, d.from);
    s.done_with(name);
  }
};

template <class T>
struct write_back {
  using layout = wire::layout<key, bool, std::uint32_t, std::uint32_t, T>;
  static void call(const message::delivery& d, key name, bool left_a_copy, std::uint32_t reads, std::uint32_t writes,
                   T value) {
    data_space& s = this_space();
    directory_entry* entry = s.asked(name, d.from);
    if (entry == nullptr) return;
    require(entry->owner == d.from, "PE {} returns {}, which it does not have", d.from,
            [&] { return describe(name, entry->type->type); });
    value_of<T>(*entry) = std::move(value);
    data_space::seen(*entry, d.from, reads, writes);
    home::written_back(*entry, d.from, left_a_copy);
    s.done_with(name);
  }
};

template <class T>
void recall<T>::call(const message::delivery& d, key name, bool leaves_a_copy) {
  data_space& s = this_space();
  copy* const found = s.here(name, d.from);
  if (found == nullptr) return;
  copy& c = *found;
  require(
      c.has() == copy::state::modified, "PE {} wants {} back, which PE {} does not have", d.from,
      [&] { return describe(name, typeid(T)); }, s.me);
  const copy::uses used = c.take_used();
  remote::send<write_back<T>>(d.from, name, leaves_a_copy, used.reads, used.writes, c.value<T>());
  if (leaves_a_copy) {
    c.set_shared();
  } else {
    c.set_invalid();
    s.changed(name, c);
  }
}

// How much of a message a value is, about.
template <class T>
std::size_t bytes_of(const T& value) {
  if constexpr (requires {
                  typename T::value_type;
                  value.size();
                }) {
    return value.size() * sizeof(typename T::value_type);
  } else {
    return sizeof value;
  }
}

// What is done to variables of T.
template <class T>
inline const value_type value_type_of{
    typeid(T),
    [](const directory_entry& of, bool leaves_a_copy) { remote::send<recall<T>>(of.owner, of.name, leaves_a_copy); },
    [](const directory_entry& of, pe_id to) {
      remote::send<new_value<T>>(to, of.name, value_of<T>(const_cast<directory_entry&>(of)));
    },
    [](directory_entry& of) { delete_pooled(&static_cast<variable_entry<T>&>(of)); },
    [](const directory_entry& of) {
      if constexpr (wire::plain<T>) return sizeof(T);  // it may be with another PE, or in the file
      return bytes_of(value_of<T>(const_cast<directory_entry&>(of)));
    }};

}  // namespace tsubu::data
