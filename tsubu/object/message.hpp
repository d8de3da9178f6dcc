// A message that waits for its object, and where its answer goes.
//
// Most messages are never one of these: they run on the stack of their sender, or straight out of their batch.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <tuple>
#include <utility>

#include "tsubu/object/identity.hpp"
#include "tsubu/remote/messages/reply.hpp"
#include "tsubu/task/group.hpp"

namespace tsubu {
class object_gone;
}

namespace tsubu::objects {

class object_space;
class object_base;
struct mail;

// Where an answer goes: nowhere, to somebody who waits on this PE, or to a slot of some PE. Who holds one that is
// wanted() answers it once. Its function templates are defined in answer.hpp, which every header includes that sends.
class destination {
 public:
  destination() = default;
  explicit destination(remote::reply_sink& here) : pe_(waits_here), sink_(&here) {}
  explicit destination(remote::reply_address a) : pe_(a.pe), generation_(a.generation), slot_(a.slot) {}

  bool wanted() const { return pe_ != no_pe; }

  // R is the type that the asker expects.
  template <class R>
  void value(remote::carried<R> v) const;
  // The exception that is being handled.
  void error() const;
  void gone(const object_gone& e) const;
  // Whoever had the obligation to reply has dropped it.
  void broken() const;

  // To travel: who waits here gets a slot.
  template <class R>
  remote::reply_address address(const wire::handler_entry* of, pe_id asked);
  // The same, while it is not known who will answer.
  template <class R>
  remote::reply_address address();

 private:
  static constexpr pe_id waits_here = -2;
  pe_id pe_ = no_pe;
  std::uint32_t generation_ = 0;
  union {
    remote::reply_sink* sink_ = nullptr;
    std::uint32_t slot_;
  };
};

// What is known of a method, whatever its type. What is not done for many messages at a time is compiled once for all
// methods that take such values, and finds here what differs.
struct method_info {
  const wire::handler_entry* entry;  // whose name has its own
  // Executes it with a tuple of values, which it may move from, for an object that can take a message.
  void (*execute)(object_space&, object_base&, const destination&, void* values);
  void (*run)(object_space&, object_base&, mail&);  // frees the message, then executes it
  // Sends it on, to that stay of the object (see routes.hpp), and frees it.
  void (*forward)(const identity&, pe_id to, std::uint32_t stay, mail&, bool express);
  void (*free)(mail&);
  std::size_t bytes;          // of a message
  const std::uint32_t* type;  // of the ref; see type_number
  const void* method;         // tells it from others, whatever class the ref was of
  bool names_derived;         // the object may be of a class that is derived from the ref's
  bool reenters;              // may run while its object waits
  bool may_be_put_off;        // is a coroutine that is better not begun while many wait, if its answer is waited for
};

// Its address stands for the method.
template <auto M>
inline constexpr char method_identity = 0;

// "counter::add" of the method.
std::string method_name(const method_info& of);
// The same out of the mangled name of a type that has the method as its template's argument.
std::string method_name(const char* mangled);

// A name without what says that it is in an unnamed namespace.
std::string without_anonymous(std::string name);

[[noreturn, gnu::cold]] void no_object_named();

// Ends the job unless the answer to a packet goes to one of its PEs, or to nobody: to a destination other numbers mean
// something else.
void check_asker(pe_id asker);

// Whether it is the one by which end() ends an object.
bool ends_object(const method_info& of);

// The exception that is being handled has left that method of the object, and nobody takes it as an answer: the object
// ends by it if it is watched, or else the hook of on_past_exception() has it. The second of a method that is a
// coroutine.
[[gnu::cold]] void escaped(const method_info& of, object_base& o);
[[gnu::cold]] void escaped_later(const method_info& of, object_base& o, std::exception_ptr error);

struct mail {
  const method_info* of;
  mail* next = nullptr;
  mail* last_express = nullptr;  // in the first of a queue: the last of the express messages, which come first
  task_group* group = nullptr;   // in which it was sent
  destination reply;

  // It begins to wait, as a member of the group that runs.
  void join_group() {
    group = this_task_group;
    if (group != nullptr) ++group->waiting;
  }
};

// A language on top has words of its own for a past message that has come too late. It may end the job.
using late_message_teller = void (*)(const mail& m);

// While it lives, a message that has waited is handled in its group, and is then no member any more. One without a
// group is handled in the group that runs.
class in_group_of {
 public:
  explicit in_group_of(mail& m) : group_(std::exchange(m.group, nullptr)), before_(this_task_group) {
    if (group_ == nullptr) return;
    set_task_group(group_);
    --group_->waiting;
  }
  in_group_of(const in_group_of&) = delete;
  in_group_of& operator=(const in_group_of&) = delete;
  ~in_group_of() {
    if (this_task_group != before_) set_task_group(before_);
    if (group_ != nullptr && group_->waiting == 0) group_->settled(*group_);
  }

 private:
  task_group* group_;
  task_group* before_;
};

template <class... V>
struct message_with : mail {
  template <class... A>
  explicit message_with(const method_info& info, destination to, A&&... a)
      : mail{&info, nullptr, nullptr, nullptr, to}, values(std::forward<A>(a)...) {}
  std::tuple<V...> values;
};

// The messages of an object, first come, first served; but express ones go first.
class message_queue {
 public:
  bool empty() const { return last_ == nullptr; }
  mail* first() const { return last_ == nullptr ? nullptr : last_->next; }
  void push(mail& m);
  void push_express(mail& m);
  mail& pop();
  bool first_is_express() const { return first()->last_express != nullptr; }  // not of an empty one
  // Calls f(mail&) for each, in order, until it says yes; takes that one out. Null if it never does.
  template <class F>
  mail* take_first(F f) {
    mail* before = last_;
    for (mail* m = first(); m != nullptr; before = m, m = m->next) {
      if (f(*m)) {
        take_after(*before);
        return m;
      }
      if (m == last_) break;
    }
    return nullptr;
  }
  std::size_t size() const;

 private:
  void take_after(mail& before);
  mail* last_ = nullptr;  // of a circle
};

}  // namespace tsubu::objects
