// The types of ABCL/ST. Equal types are the same value of `const type*`, made by a `type_table`.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace abcl {

struct type {
  enum class kind {
    unknown,  // of what is wrong: fits everywhere, so that nothing follows from an error
    nothing,  // of what has no value to go on with, as a reply: fits everywhere
    integer,  // Int
    real,     // Float
    boolean,  // Bool
    text,     // Str
    nil,      // of `nil`: fits every object and reply destination
    message,  // [:tag T...], also the values of tuples; `[]` is the empty one
    object,   // (obj M...), by what it understands
    a_class,  // by its name; understands what its interface says
    reply,    // (@ T), to which one replies with a T
    array,    // (array T)
    future,   // (future T)
  };

  kind what = kind::unknown;
  std::string_view name;           // the tag of a message with its colon, or ""; of a class its name
  std::string_view alias;          // the name that the program has given to it; "": none
  std::vector<const type*> parts;  // of a message its elements; of an object its messages; of the others their T

  bool is(kind k) const { return what == k; }
  bool is_error() const { return what == kind::unknown; }
  const type* of() const { return parts.front(); }  // reply, array, future
  // A message that wants a reply ends with its destination.
  bool wants_reply() const { return is(kind::message) && !parts.empty() && parts.back()->is(kind::reply); }
  const type* answer() const { return parts.back()->of(); }
};

class type_table {
 private:
  using key = std::pair<std::pair<type::kind, std::string_view>, std::vector<const type*>>;
  std::map<key, std::unique_ptr<type>> made_;  // before the types below, which are in it

 public:
  type_table();
  type_table(const type_table&) = delete;
  type_table& operator=(const type_table&) = delete;

  const type* const unknown;
  const type* const nothing;
  const type* const integer;
  const type* const real;
  const type* const boolean;
  const type* const text;
  const type* const nil;
  const type* const empty;  // []

  const type* message(std::string_view tag, std::vector<const type*> elements);
  const type* object(std::vector<const type*> messages);
  const type* reply(const type* of) { return made(type::kind::reply, {}, {of}); }
  const type* array(const type* of) { return made(type::kind::array, {}, {of}); }
  const type* future(const type* of) { return made(type::kind::future, {}, {of}); }

  // Errors and editors show `t` by this name from now on, unless it has one, or is a word already.
  void give_name(const type* t, std::string_view alias);

  // A class may be named before what it understands is known.
  const type* a_class(std::string_view name) { return made(type::kind::a_class, name, {}); }
  void set_interface(const type* a_class, const type* object) { interfaces_[a_class] = object; }

  // What it understands is not known, since its definition is wrong: it fits everywhere.
  void set_open(const type* a_class) { open_.insert(a_class); }
  bool is_open(const type* t) const { return open_.contains(t); }

  // What an object type, a class or a reply destination understands; none for other types.
  std::vector<const type*> messages_of(const type* t);

  // Whether a `from` may stand where a `to` is expected. The rules are those of docs/abcl/reference.md.
  bool fits(const type* from, const type* to);
  // What objects have been found to fit as destinations: the T of each (@ T).
  const std::set<const type*>& replied_to_objects() const { return replied_to_objects_; }
  // The least type that both fit; null if there is none.
  const type* join(const type* a, const type* b);

 private:
  const type* made(type::kind what, std::string_view name, std::vector<const type*> parts);
  bool fits_now(const type* from, const type* to);
  bool understands(const type* object, const type* message);
  // Whether an object that accepts `accepted` may be sent `sent`.
  bool accepts(const type* accepted, const type* sent);

  std::map<const type*, const type*> interfaces_;

  // What fits() has found out. Types may name each other in circles: a question that comes up while it is being
  // answered is taken for a yes. So what follows from such a yes is kept only once the outermost answer is one.
  using question = std::pair<const type*, const type*>;
  std::set<question> yes_, no_;
  std::vector<question> assumed_;
  std::set<const type*> replied_to_objects_;
  std::set<const type*> open_;
};

// As a program may write it, with the names that it has given to types.
std::string shown(const type* t);
// The same, but for the name of `t` itself: what it stands for.
std::string written_out(const type* t);
// Without such names: the same text in each program.
std::string spelled(const type* t);
// The types of which shown(t) has the names.
std::vector<const type*> named_in(const type* t);

}  // namespace abcl
