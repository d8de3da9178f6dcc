// The shape of the C++ that a program becomes: its methods, who is asked by which, and what they are called.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "abcl/check/tree.hpp"
#include "abcl/resolve/placement.hpp"

namespace abcl::cpp {

struct class_plan;

// A message, as far as C++ can tell it from others: the tag and the C++ types of its elements.
struct selector {
  std::string_view tag;
  std::vector<const type*> elements;  // without the reply destination
  const type* answer = nullptr;       // what is replied; null: nothing
  std::string method;                 // "on_put"
  std::string to;                     // "on_put_to", where the reply goes to a name
  bool by_interface = false;          // it is sent to objects of unknown class: those that take it have an interface
  bool interface_waits = false;       // one of them waits
  // The same two names for express messages, and whether these have an interface of their own: some of the classes have
  // express clauses for it, and the others send it on to themselves.
  std::string express, express_to;
  bool express_by_interface = false;

  // The interface of those that take it, and its method there.
  std::string interface(bool by_express) const { return "takes_" + (by_express ? express : method).substr(3); }
  std::string interface_method(bool by_express) const {
    if (by_express) return answer != nullptr ? express_to : express;
    return answer != nullptr ? to : method;
  }
};

// An order in which those are equal that C++ can't tell from each other.
struct by_shape {
  bool operator()(const selector* a, const selector* b) const;
};

// How a class takes a message.
struct method {
  const class_plan* of = nullptr;
  const type* takes = nullptr;
  selector* as = nullptr;
  std::string name;                    // of the function: that of the selector, but for express messages
  std::string name_to;                 // of the entry for who says where the reply goes
  std::vector<const clause*> clauses;  // of the script
  bool in_wait_for = false;            // a clause of `wait-for` takes it, too
  bool always = false;                 // one of the clauses takes every such message
  bool waits = false;
  bool named_destination = false;  // a clause has a name for the reply destination: it is an argument
  bool returns = false;            // the reply is what it returns
  bool to = false;                 // somebody says where the reply goes: there is a second entry
  bool express = false;            // these are the clauses for express messages
  bool once = false;               // it is sent to objects that take nothing else: then they end with it

  bool answers() const { return as->answer != nullptr; }
  // It keeps the duty to reply: the first argument is a tsubu::reply_to.
  bool keeps() const { return answers() && !returns && !named_destination; }
  // It has an interface.
  bool by_interface() const { return express ? as->express_by_interface : as->by_interface; }
};

struct class_plan {
  const class_def* of = nullptr;
  std::string name;
  std::deque<method> methods;
  bool guarded = false;      // some messages wait in the queue: its script is a loop of accept()
  bool body_waits = false;   // what stands before the script
  bool ends_itself = false;  // (suicide)
  bool foreign = false;      // its methods are those of a class of C++
  bool once = false;         // nobody else knows an object that is created for one message
  bool all_once = false;     // all are created so: they end by themselves

  // It has a coroutine that runs as its first message.
  bool has_body() const { return !foreign && (guarded || body_waits || script == nullptr); }
  const tree::cases* script = nullptr;
  std::map<const variable*, std::string> members;

  bool has_express = false;  // some clauses take express messages, which interrupt the others
  // An express message that comes by the interface goes on to this method, which is not for such, ahead of what waits.
  bool sends_on(const method& m) const {
    return m.as->express_by_interface && !m.express && find(m.takes, true) == nullptr;
  }
  // What takes a message; null: nothing, or not that way.
  method* find(const type* takes, bool express = false);
  const method* find(const type* takes, bool express = false) const;
};

class plan {
 public:
  // `for_others`: its classes are used by what is not known here, so a method is called the same whoever calls it.
  explicit plan(const program& p, bool for_others = false);

  const program& of;
  std::deque<selector> selectors;
  std::deque<class_plan> classes;
  std::map<const function_def*, std::string> functions;
  std::set<const function_def*> recursive;  // those that may call themselves, also by way of others
  bool non_resume = false;                  // it may leave clauses
  creation_places placed;

  const class_plan& find(const class_def* c) const { return *by_class_.at(c); }
  // The method of the receiver that takes what `e` sends; null if its class is not known.
  const method* taken_by(const tree::send& e) const;
  selector& selector_of(const type* message);
  // What functions may not call their variables: classes, functions, methods.
  const std::set<std::string>& names() const { return names_; }
  // That of a message that objects take which stand for a destination (@ of); null: there are none.
  selector* selector_of_reply(const type* of);
  // The same, where such a destination is replied to.
  selector* interface_of_reply(const type* of);

 private:
  bool for_others_;

  void find_recursive();
  void make_methods(class_plan& c);
  void find_senders();
  void find_all_once();

  std::map<const class_def*, class_plan*> by_class_;
  std::map<const type*, class_plan*> by_type_;
  std::set<selector*, by_shape> by_shape_;
  std::set<std::string> names_;
};

}  // namespace abcl::cpp
