// The objects of one PE, put together from parts that each do one thing:
//
//   names        who is called what (names.hpp)
//   creations()  those that are about to be sent, with the first message if they can (deferred_creations.hpp)
//   runs         when a message is executed, and in which order (execution.hpp)
//   early        messages that came before their object (early.hpp)
//   waiting      how many bytes of messages wait, and may (mailboxes.hpp)
//   bases        what else than its own class an object is (base_classes.hpp)
//   places()     objects that have moved, and the ways to them (routes.hpp)
//   balance()    work for idle PEs (balance.hpp)
//   watchers()   who is to be told when an object ends (watches.hpp)
//   of_arenas()  what is to end with its arena (arenas.hpp)
//
// What is here is what concerns several of them: what happens when a method ends, when an object ends, and when a
// message finds nobody. Ordinary delivery touches the names and one number of `runs`.
#pragma once

#include <memory>
#include <string>

#include "tsubu/base/owned.hpp"
#include "tsubu/object/base_classes.hpp"
#include "tsubu/object/early.hpp"
#include "tsubu/object/execution.hpp"
#include "tsubu/object/mailboxes.hpp"
#include "tsubu/object/names.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::objects {

struct counters {
  std::uint64_t created = 0;  // here
  std::uint64_t ended = 0;
  std::uint64_t queued = 0;   // messages that waited for their object
  std::uint64_t put_off = 0;  // questions that waited, as many methods did, though their object was dormant
  std::uint64_t gone = 0;     // past messages for objects that had ended
  std::uint64_t moved_in = 0;
};

struct space_settings;  // settings.hpp
class tombstones;
class routes;
class balancer;
class watches;
class deferred_creations;
class arenas;

class object_space {
 public:
  using bits = object_base::header::bits;

  object_space();  // as configured
  explicit object_space(const space_settings& settings);
  ~object_space();
  object_space(const object_space&) = delete;
  object_space& operator=(const object_space&) = delete;

  pe_id me() const { return names.me(); }
  pe_id pes() const { return names.pes(); }
  counters counted() const;

  // ---- the parts

  name_table names;
  name_choice packet_names;
  deferred_creations& creations() { return *creations_; }
  execution runs{*this};
  early_arrivals early;
  mailboxes waiting;
  base_classes bases;

  bool knows_routes() const { return routes_ != nullptr; }
  routes& places();     // made when first asked for
  balancer& balance();  // made when first asked for
  watches& watchers();  // made when first asked for
  arenas& of_arenas();  // made when first asked for
  // Whether a new object that may go anywhere() stays here: nobody is known to be idle. Else its place.
  bool keeps_new() const { return keeps_new_; }
  pe_id place_new(bool can_move);
  void keep_new(bool yes) { keeps_new_ = yes; }
  // Told of each object after which a message is sent on from here, if it may be of a class that is collected; null
  // while nobody collects.
  void (*sent_on)(const identity&) = nullptr;
  // The destination of the answer of the delegating method that runs now.
  destination delegated_to;

  // ---- an object here, of any kind

  identity identity_of(const object_base& o) const;
  std::uint32_t type_of(const object_base& o) const;
  // "counter 3.17 on PE 2": of the class, its creator, its number and its home.
  std::string name_of(const object_base& o) const { return name_text(identity_of(o), type_of(o)); }
  // The object of that name, at home or come from elsewhere; null if it is not here.
  object_base* object_named(const identity& id);

  // ---- an object here, where the ref that names it may be of a base class

  // As names.find(), of an object whose class is derived from `base`.
  object_base* find_derived(const identity& id, std::uint32_t base);
  // Whether it is of that class, or of one derived from it.
  bool is_of(object_base& o, std::uint32_t type);
  // What of it is of that class, from which its own is derived.
  void* part_of(object_base& o, std::uint32_t base);

  // ---- its life

  // An object has been made under a name that may have been sent messages already: it takes them.
  void take_early(object_base& o, const identity& id) {
    if (!early.empty()) [[unlikely]]
      adopt_messages(o, id);
  }
  // Its constructor has thrown, and is being handled. What it had been sent by then is `reentrant` and `own`.
  [[gnu::cold]] void failed_to_make(identity id, const wire::handler_entry& as, message_queue reentrant,
                                    message_queue own);
  void count_made() { ++created_; }
  // It was made by code of an epoch.
  [[gnu::noinline]] void made_in_epoch(const identity& id);

  // A method has ended, or the constructor: the object takes the next message, later, or is dormant, or ends.
  [[gnu::always_inline]] void method_ended(object_base& o) {
    object_base::header& h = o.tsubu_header;
    if ((h.state & ~bits::lasting) == bits::busy) [[likely]] {
      h.clear(bits::busy);
    } else {
      method_ended_slowly(o);
    }
  }
  // The same of an object of class T.
  template <class T>
  [[gnu::always_inline]] void method_ended_of(object_base& o) {
    object_base::header& h = o.tsubu_header;
    const unsigned state = h.state & ~static_cast<unsigned>(bits::may_roam | bits::waiting);
    if ((state & ~static_cast<unsigned>(bits::lasting)) == bits::busy) [[likely]] {
      h.clear(bits::busy | bits::waiting);
      return;
    }
    if constexpr (!names_derived<T>) {
      if (state == (bits::busy | bits::ending)) return end_usual<T>(o);
    }
    method_ended_slowly(o);
  }
  // A reentrant method that waited has ended.
  void reentrant_ended(object_base& o);
  // It ends now; if a method of it has begun, behind that. What waits for it is too late.
  void end_early(object_base& o);

  // ---- a message that cannot run now

  // It waits for `o`, which is busy or must not run now; or it has found nobody, if that is null.
  void run_later(object_base* o, const identity& id, pe_id from, mail& m, bool express);

  // No object of that name is here. Who sent the message is `from`, or no_pe if it was sent here.
  void missed(const identity& id, pe_id from, mail& m, bool express);
  // The same for one that is sent from here, where the object is known to have moved.
  bool has_moved(const identity& id);
  void send_after(const identity& id, mail& m, bool express);
  // The message is too late: who asked is told.
  void drop(mail& m, const identity& id);
  void drop_all(message_queue& queue, const identity& id);
  // Past messages that are too late are told to it, in the place of a line at the end of the job.
  void tell_late_to(late_message_teller teller);

  // A message for an object that can be moved goes to its home from here, where no other place of it is known.
  [[gnu::always_inline]] void sends_home(pe_id home) {
    if (static_cast<std::uint32_t>(home) < static_cast<std::uint32_t>(pes())) [[likely]]
      has_sent_home_[static_cast<std::uint32_t>(home)] = true;
  }
  // Whether one ever went there.
  bool has_sent_home(pe_id home) const { return has_sent_home_[static_cast<std::uint32_t>(home)]; }

  // Objects are run next; have been run.
  void before_running();
  void after_running();
  // An object that has arrived from elsewhere counts as made.
  void count_arrival() { ++moved_in_; }

 private:
  void method_ended_slowly(object_base& o);
  // Nobody waits for it, and its name is that of an object here.
  template <class T>
  [[gnu::noinline]] void end_usual(object_base& o) {
    ++ended_;
    names.release(o.tsubu_header.creator(), o.tsubu_header.number());
    delete_pooled(static_cast<T*>(&o));
  }
  void end_now(object_base& o);
  [[gnu::cold]] void adopt_messages(object_base& o, const identity& id);

  std::uint64_t created_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t moved_in_ = 0;
  bool keeps_new_ = false;
  const detail::owned_array<bool> has_sent_home_;  // by home
  const detail::owned<deferred_creations> creations_;
  detail::owned<tombstones> tombstones_;
  detail::owned<routes> routes_;      // null until an object here has moved, or has come
  detail::owned<balancer> balancer_;  // null until an object is created anywhere()
  detail::owned<watches> watches_;    // null until an object here is watched, or a monitor made
  detail::owned<arenas> arenas_;      // null until an object here is made in an arena, or one is opened
};

inline constexpr pe_local<object_space> spaces(remote::reserved_local::objects);

[[gnu::always_inline]] inline object_space& this_space() { return *spaces; }

// Ends the job if an object is to move to a PE that the job has not.
void check_place(pe_id pe);

}  // namespace tsubu::objects
