// The tables of a program in the language of messages: what its texts name by numbers, and how many words each type
// has.
//
// A value is as many words as its type has: one for numbers, texts, arrays and futures; one for an object; two for a
// reply destination, as in the paper (the object that waits, and the box or future that takes the reply); those of its
// elements for a tuple. In a program where an object stands for a destination somewhere, every name has two words, the
// second of an object's is 0: so no subtyping changes how many words there are.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "abcl/messages/messages.hpp"
#include "abcl/messages/uses.hpp"

namespace abcl::messages {

// Where an instruction belongs: to a clause of a class, or to a function.
struct home {
  const class_def* of_class = nullptr;  // null: a function
  std::string message;                  // of the clause
  std::string function;
  bool has_name = true;  // which places in the text of its class show
  bool operator==(const home&) const = default;
};

class tables {
 public:
  tables(const sources& texts, const uses& used);
  // Those of a program that grows go on. It has them back by return_to(), unless this fails: then they are made again.
  tables(const sources& texts, const uses& used, growing& so_far);
  void return_to(growing& so_far);

  // ---- classes and functions

  void number(const class_def& c, int n) { classes_[&c] = n; }
  void forget(const class_def& c) { classes_.erase(&c); }
  // Gives numbers to those that have none, and returns these.
  std::vector<const class_def*> number_classes(const program& p);
  std::vector<const function_def*> number_functions(const program& p);
  // What is known of them before there are texts; none has one.
  void describe(const program& p);
  int number_of(const class_def& c) const { return classes_.at(&c); }
  int number_of(const function_def& f) const { return functions_.at(&f); }
  code::class_info& info(const class_def& c) { return made_.classes[static_cast<std::size_t>(number_of(c))]; }
  code::function_info& info(const function_def& f) { return made_.functions[static_cast<std::size_t>(number_of(f))]; }
  void add_text(code::text t) { made_.texts.push_back(std::move(t)); }
  int texts_made() const { return static_cast<int>(made_.texts.size()); }
  // With an object of which class the program starts; which, and from what words its creation arguments are made.
  void start_at(int class_number) { made_.start = class_number; }
  void start_with(const class_def& start);
  // The program: nothing is asked afterwards.
  code::program take() { return std::move(made_); }

  // ---- what instructions name

  int text(const std::string& of);
  int layout_of_elements(const type* element) { return number_of(layout_of(element)); }
  int layout_of_texts() { return number_of(code::layout{1}); }
  // A message that is one too many throws std::length_error, with its place.
  int selector(const type* message, span where);
  // By which an object tells it from others.
  int kind_of(const type* message, span where);
  // That of a reply which an object takes as a message.
  int reply_selector(const type* reply, span where);
  int site(span where, const home& of);
  // Where something is waited for.
  int site(span where, const home& of, code::wait_info wait);

  // ---- values

  int words_of(const type* t) const { return abcl::words_of(t, used.wide); }
  // What its words are, one after the other.
  code::layout layout_of(const type* t);
  // The same for the collector, of code::class_info::refers.
  std::string refers_of(const type* t) const;
  // The same for a recorder: what they are for people, of code::notes.
  std::string notes_of(const type* t) const;
  std::string_view source_of(span where) const { return texts_.of(where).text(where); }

  const uses used;

 private:
  int number_of(const code::layout& l);
  int selector(std::string_view tag, std::size_t elements, const std::string& shown, int words, bool asks, span where);

  const sources& texts_;
  code::program made_;
  growing::numbers known_;
  std::map<const class_def*, int> classes_;
  std::map<const function_def*, int> functions_;
  // What site() found last, and for what.
  int last_site_ = -1;
  span last_where_;
  home last_home_;
};

}  // namespace abcl::messages
