// The objects of one PE: by name, with those that have something to run.
//
// An object is named by its home, the PE that numbered it (its creator), a number and a generation. The creator numbers
// what it creates by itself, so creating waits for nobody; and it gets numbers back, several with a packet, when their
// objects have ended. The home keeps a table for each creator. A message may come before the message that creates its
// object, over another way: it waits for it.
//
// An object runs one method at a time. A message for a dormant object is executed on the spot, on the stack of whoever
// brings it. Others wait in the object's queue, and the object goes to the list of those that have something to run
// when its method ends. The list is run from the PE's ready queue. A method that would have started on the spot but for
// a stack that is deep, or a slice that is over, is listed in front: trees of objects run depth first.
#pragma once

#include <coroutine>
#include <cstdlib>
#include <deque>
#include <memory>
#include <unordered_map>

#include "tsubu/object/object_base.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu {
template <class R>
class reply_to;
struct object_status;
}  // namespace tsubu

namespace tsubu::objects {

struct counters {
  std::uint64_t created = 0;  // here
  std::uint64_t ended = 0;
  std::uint64_t queued = 0;   // messages that waited for their object
  std::uint64_t put_off = 0;  // questions that waited in a crowd, though their object was dormant
  std::uint64_t gone = 0;     // past messages for objects that had ended
  std::uint64_t moved_in = 0;
};

class routes;
class balancer;

class object_space {
  static constexpr std::uint32_t no_type = 0;
  static constexpr std::uint32_t away_type = 1;
  struct slot {
    union {
      object_base* object;      // if the key is of a class
      std::uint64_t next_free;  // of the numbers that this PE may give to its own, if the key is of no_type
    };
    std::uint64_t key;
    bool has_object() const { return key >> 32 > away_type; }
  };

 public:
  object_space();
  ~object_space();
  object_space(const object_space&) = delete;
  object_space& operator=(const object_space&) = delete;

  using bits = object_base::header::bits;

  pe_id me() const { return me_; }
  pe_id pes() const { return pes_; }

  // ---- by name

  // The object of that class and name, if this is its home and it lives here. id.creator() is a PE.
  [[gnu::always_inline]] object_base* find(const identity& id, std::uint32_t type) const {
    const table& t = tables_[static_cast<std::uint32_t>(id.creator())];
    if (id.number() < t.size) [[likely]] {
      const slot& s = t.slots[id.number()];
      if (s.key == key_of(id.generation(), type)) [[likely]] {
        if (s.object == nullptr) __builtin_unreachable();
        return s.object;
      }
    }
    return nullptr;
  }
  // What find() will read; null if there is no such name.
  const void* slot_address(pe_id creator, std::uint32_t number) const {
    if (static_cast<std::uint32_t>(creator) >= static_cast<std::uint32_t>(pes_)) return nullptr;
    const table& t = tables_[static_cast<std::uint32_t>(creator)];
    return number < t.size ? &t.slots[number] : nullptr;
  }
  const object_base* object_at(pe_id creator, std::uint32_t number) const {
    return static_cast<const slot*>(slot_address(creator, number))->object;
  }

  // Whether a packet may name it by a short_name. Among others they would not pay: a run of packets of one handler has
  // a header. So all are long for a while after one that must be.
  [[gnu::always_inline]] bool fits_short(const identity& id) { return use_short(short_name::fits(id, me_)); }
  [[gnu::always_inline]] bool use_short(bool fits) {
    if (!fits) [[unlikely]]
      long_names_ = 64;
    if (long_names_ == 0) [[likely]]
      return true;
    --long_names_;
    return false;
  }

  enum class absence { gone, unborn, away };
  // Why find() found nothing. Ends the job if there is an object of another class, or no such name can be.
  absence why_not(const identity& id, std::uint32_t type) const;
  // Takes the messages for an object that is yet to be created.
  object_base& unborn(const identity& id);

  identity identity_of(const object_base& o) const;
  // "counter 3.17 on PE 2": of the class, its creator, its number and its home.
  std::string name_of(const object_base& o) const;
  std::string name_of(const identity& id, std::uint32_t type) const;

  // ---- creation

  // A name for an object that this PE creates on `home`.
  [[gnu::always_inline]] identity name_for(pe_id home) {
    if (home == me_ && own_free_ != none_free) [[likely]] {
      const slot& s = own_slots_[own_free_];
      return {me_, me_, std::exchange(own_free_, static_cast<std::uint32_t>(s.next_free)),
              static_cast<std::uint32_t>(s.key)};
    }
    stock& s = stocks_[static_cast<std::uint32_t>(home)];
    if (s.returned.empty()) {
      if (s.fresh > identity::most_number) [[unlikely]]
        no_more_names(home);
      return {home, me_, s.fresh++, 0};
    }
    const numbered n = s.returned.back();
    s.returned.pop_back();
    return {home, me_, n.number, n.generation};
  }
  // `count` names in sequence, on each home, from the number that is returned.
  std::uint32_t names_everywhere(std::uint32_t count);

  // Makes an object of class T with that name, whose home is here: T(arguments...). What its constructor throws goes
  // to on_past_exception(), and the object counts as ended.
  template <class T, bool roams, class... A>
  void make(const identity& id, std::uint32_t type, const wire::handler_entry& as, A&&... arguments) {
    construct<T, roams, true>(claim(id, type), id, as, std::forward<A>(arguments)...);
  }
  // The same, of an object that this PE creates here, under the next free name.
  template <class T, bool roams, class... A>
  [[gnu::always_inline]] identity make_own(std::uint32_t type, const wire::handler_entry& as, A&&... arguments) {
    if (own_free_ == none_free) [[unlikely]] {
      const identity id = name_for(me_);
      make<T, roams>(id, type, as, std::forward<A>(arguments)...);
      return id;
    }
    const std::uint32_t number = own_free_;
    slot& s = own_slots_[number];
    own_free_ = static_cast<std::uint32_t>(s.next_free);
    const auto generation = static_cast<std::uint32_t>(s.key);
    s.key = key_of(generation, type);
    const identity id(me_, me_, number, generation);
    construct<T, roams, false>(s, id, as, std::forward<A>(arguments)...);
    return id;
  }
  // Of a name that has been claimed; `known` if it may have been sent messages already.
  template <class T, bool roams, bool known, class... A>
  [[gnu::always_inline]] void construct(slot& s, identity id, const wire::handler_entry& as, A&&... arguments) {
    if (object_base::next_newborn != 0) [[unlikely]]
      return construct_for_another<T, roams, known>(s, id, as, std::forward<A>(arguments)...);
    object_base::next_newborn = object_base::header::newborn(id.creator(), id.number());
    void* at = nullptr;
    T* made = nullptr;
    try {
      at = this_pool.allocate(sizeof(T));
      s.object = static_cast<T*>(at);  // its constructor may send it messages
      made = new (at) T(std::forward<A>(arguments)...);
    } catch (...) {
      // If it came so far, it has a name, and may have been sent messages.
      message_queue queue;
      if (std::exchange(object_base::next_newborn, 0) == 0)
        queue = static_cast<object_base*>(static_cast<T*>(at))->tsubu_header.queue;
      if (at != nullptr) this_pool.free(at, sizeof(T));
      failed_to_make(id, as, queue);
      return;
    }
    ++counters_.created;
    if constexpr (roams) made->tsubu_header.set(bits::may_roam);
    if (known && !early_.empty()) [[unlikely]]
      adopt_messages(*made, id);
    method_ended_of<T>(*made);
  }
  // The same, while the arguments for the constructor of another are made, whose name stands ready.
  template <class T, bool roams, bool known, class... A>
  [[gnu::noinline, gnu::cold]] void construct_for_another(slot& s, identity id, const wire::handler_entry& as,
                                                          A&&... arguments) {
    const std::uint64_t other = std::exchange(object_base::next_newborn, 0);
    construct<T, roams, known>(s, id, as, std::forward<A>(arguments)...);
    object_base::next_newborn = other;
  }
  // The object of that name will be made later; its creator is this PE.
  void expect(const identity& id) {
    if (id.number() >= tables_[static_cast<std::size_t>(me_)].size) extend(me_, std::uint64_t{id.number()} + 1);
  }
  // The numbers below `end` of that creator may be used here.
  void extend(pe_id creator, std::uint64_t end);

  // ---- execution

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
    } else if (state == (bits::busy | bits::ending)) {
      end_usual<T>(o);
    } else {
      method_ended_slowly(o);
    }
  }
  // A reentrant method that waited has ended.
  void reentrant_ended(object_base& o);
  void reentrant_waits(object_base& o) {
    ++reentrants_[&o];
    o.tsubu_header.set(bits::entered);
  }

  // The message waits until its object takes it.
  void wait(object_base& o, mail& m, bool express);
  // Methods that wait. With many, a question from another PE to a dormant object starts no further one on the spot: it
  // is listed, the newest first. Else a tree of objects over several PEs would run breadth first, and all of it be
  // there at a time.
  void one_waits_more() { ++methods_wait_; }
  void one_waits_less() { --methods_wait_; }
  bool crowded() const { return methods_wait_ > many_waiting; }
  void run_later(object_base& o, mail& m);
  // A message for a reentrant method of a busy object: runs when no task does.
  void run_soon(object_base& o, mail& m);
  // Executes a message that this object's method has accepted.
  void serve(object_base& o, mail& m);
  // What was accepted has been executed.
  void served(object_base& o);

  // Whether one more method may run on this stack now.
  [[gnu::always_inline]] static bool has_stack() {
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) >= this_stack_limit;
  }
  [[gnu::always_inline]] static bool may_run_on_this_stack() { return has_stack() && !this_task_context->in_fiber(); }
  // Of those that are asked on this stack, so many run at once before the PE looks for messages again.
  [[gnu::always_inline]] bool in_slice() { return --slice_left_ > 0; }

  // The message is too late: who asked is told.
  void drop(mail& m, const identity& id);
  // A past message came too late: for the report at the end.
  void count_gone(const method_info& of, const identity& id);
  std::string gone_text(const method_info& of, const identity& id) const;

  // The destination of the answer of the delegating method that runs now.
  destination delegated_to;

  const counters& counted() const { return counters_; }
  // Objects that have something to run.
  std::size_t listed() const { return list_.size() + in_front_.size(); }

  // The bytes of messages that wait for their objects.
  void message_made(std::size_t bytes) { waiting_bytes_ += bytes; }
  void message_freed(std::size_t bytes) { waiting_bytes_ -= bytes; }

  // ---- moves; see move.hpp
  bool knows_routes() const { return routes_ != nullptr; }
  routes& places();  // made when first asked for
  // After the method that runs now, the object moves.
  void leave_for(object_base& o, pe_id to, reply_to<pe_id> done);
  // What has arrived.
  struct guest {
    identity id;
    std::uint32_t type;
  };
  // The next object that is constructed arrives from elsewhere.
  void expect_arrival(const guest& g) { arriving_ = g; }
  void count_arrival() { ++counters_.moved_in; }
  void add_guest(object_base& o, const guest& g) {
    guests_[&o] = g;
    o.tsubu_header.set(bits::guest);
  }
  bool remove_guest(object_base& o) {
    o.tsubu_header.clear(bits::guest);
    return guests_.erase(&o) != 0;
  }
  // The name stays, and says that its object is away, or is here again.
  void set_away(const identity& id);
  void set_here(const identity& id, std::uint32_t type, object_base& o);
  // The object of that name whose home and place is here, of whatever class; or null.
  object_base* at_home(const identity& id) const;
  // As at_home(), or one that has come here.
  object_base* object_named(const identity& id);
  bool is_away(const identity& id) const {
    const void* const at = slot_address(id.creator(), id.number());
    return at != nullptr && static_cast<const slot*>(at)->key == key_of(id.generation(), away_type);
  }
  // It ended elsewhere.
  void ended_away(const identity& id);
  std::uint32_t type_of(const object_base& o) const;
  // Takes one that may roam and has something to run, but runs nothing; the one that would run last. Null if there is
  // none.
  object_base* take_roaming();

  object_status status_of(const object_base& o) const;

  balancer& balance();  // made when first asked for
  // Whether a new object that may go anywhere() stays here: nobody is known to be idle.
  bool keeps_new() const { return keeps_new_; }
  void keep_new(bool yes) { keeps_new_ = yes; }

  // Bytes of messages that may wait for their objects on a PE; set before the job starts.
  static inline std::size_t mailbox_limit_of_job = std::size_t{1} << 30;

 private:
  static constexpr int slice = 2048;
  static constexpr int many_waiting = 1000;

  static constexpr std::uint32_t none_free = ~std::uint32_t{0};
  struct table {
    slot* slots = nullptr;
    std::uint32_t size = 0;
    std::uint32_t capacity = 0;
  };
  struct numbered {
    std::uint32_t number;
    std::uint32_t generation;
  };
  // Of names on one PE, to give away; and the numbers of that PE's own, to give back.
  struct stock {
    std::uint32_t fresh = 0;
    std::vector<numbered> returned;
    std::vector<numbered> owed;
  };
  static constexpr std::size_t returned_together = 16;
  struct unborn_object;

  // The coroutine that runs the listed objects.
  struct runner {
    struct promise_type {
      runner get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
      std::suspend_always initial_suspend() const noexcept { return {}; }
      std::suspend_always final_suspend() const noexcept { return {}; }
      void return_void() const {}
      void unhandled_exception() const noexcept { std::terminate(); }
    };
    std::coroutine_handle<promise_type> coroutine;
  };
  runner run_listed();
  void run_some();
  void run_one(object_base& o);
  void run_message(object_base& o, mail& m);
  void run_reentrant();
  void enter(const identity& id, mail& m);  // it is among the next that are run so
  void schedule();
  void list(object_base& o, bool in_front);
  void unlist(object_base& o);

  static std::uint64_t key_of(std::uint32_t generation, std::uint32_t type) {
    return static_cast<std::uint64_t>(type) << 32 | generation;
  }
  slot& slot_of(const identity& id) const {
    return tables_[static_cast<std::uint32_t>(id.creator())].slots[id.number()];
  }
  // A slot for the object that is constructed next.
  [[gnu::always_inline]] slot& claim(const identity& id, std::uint32_t type) {
    const table& t = tables_[static_cast<std::uint32_t>(id.creator())];
    if (id.number() < t.size) [[likely]] {
      slot& s = t.slots[id.number()];
      if (s.key == key_of(id.generation(), no_type)) [[likely]] {
        s.key = key_of(id.generation(), type);
        return s;
      }
    }
    return claim_new(id, type);
  }
  slot& claim_new(const identity& id, std::uint32_t type);
  [[noreturn, gnu::cold]] void no_more_names(pe_id home) const;
  [[gnu::cold]] void failed_to_make(identity id, const wire::handler_entry& as, message_queue own);
  [[gnu::cold]] void adopt_messages(object_base& o, identity id);
  void method_ended_slowly(object_base& o);
  // Nobody waits for it, and its name is that of an object here.
  template <class T>
  [[gnu::noinline]] void end_usual(object_base& o) {
    free_name(o);
    delete_pooled(static_cast<T*>(&o));
  }
  [[gnu::always_inline]] void free_name(const object_base& o) {
    const object_base::header& h = o.tsubu_header;
    const pe_id creator = h.creator();
    const std::uint32_t number = h.number();
    ++counters_.ended;
    slot& s = creator == me_ ? own_slots_[number] : tables_[static_cast<std::uint32_t>(creator)].slots[number];
    const std::uint32_t next_generation = static_cast<std::uint32_t>(s.key) + 1;
    s.key = key_of(next_generation, no_type);
    give_number_back(s, creator, number, next_generation);
  }
  void end_now(object_base& o);
  void drop_all(message_queue& queue, const identity& id);
  static remote::pe::wait_text describe_wait(const wait_record& w);
  [[gnu::always_inline]] void give_number_back(slot& s, pe_id creator, std::uint32_t number,
                                               std::uint32_t next_generation) {
    if (next_generation > identity::most_generation) [[unlikely]]
      return;  // it is used up
    if (creator == me_) {
      s.next_free = std::exchange(own_free_, number);
    } else {
      return_number(creator, {number, next_generation});
    }
  }
  void return_number(pe_id creator, numbered n);
  void check_mailboxes(const object_base& o, const mail& m) const {
    if (waiting_bytes_ > mailbox_limit_of_job) [[unlikely]]
      too_many_wait(o, m);
  }
  [[noreturn, gnu::cold]] void too_many_wait(const object_base& o, const mail& m) const;

  friend struct numbers_returned;
  friend class object_base;

  pe_id me_;
  pe_id pes_;
  int slice_left_ = slice;
  std::uint32_t own_free_ = none_free;
  int methods_wait_ = 0;
  int long_names_ = 0;               // so many packets name their objects in full
  slot* own_slots_ = nullptr;        // of tables_
  std::unique_ptr<table[]> tables_;  // by creator
  std::unique_ptr<stock[]> stocks_;  // by PE
  guest arriving_{};                 // until its constructor runs
  std::unordered_map<identity, std::unique_ptr<unborn_object>, identity_hash> early_;
  std::unordered_map<const object_base*, int> reentrants_;             // methods that wait
  std::unordered_map<identity, std::string, identity_hash> not_made_;  // and why

  std::deque<object_base*> list_;
  std::vector<object_base*> in_front_;  // of the list, in this order
  struct soon {
    identity id;
    mail* m;
  };
  std::vector<soon> reentrant_;
  std::unordered_map<const object_base*, guest> guests_;  // that have come from elsewhere, and are not at_home() yet
  struct departure {
    pe_id to;
    remote::reply_address done;
  };
  std::unordered_map<const object_base*, departure> leaving_;
  std::uint32_t runs_ = 0;
  bool scheduled_ = false;
  bool keeps_new_ = false;
  runner runner_;
  std::unique_ptr<routes> routes_;
  std::unique_ptr<balancer> balancer_;
  std::size_t waiting_bytes_ = 0;
  counters counters_;
  std::string last_gone_;
};

inline constexpr pe_local<object_space> spaces(remote::reserved_local::objects);

[[gnu::always_inline]] inline object_space& here() { return *spaces; }

}  // namespace tsubu::objects
