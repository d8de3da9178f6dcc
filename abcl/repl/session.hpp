// What a session at the prompt knows, and how an input becomes code.
//
// Definitions are checked with all that there are. An expression becomes the body of a class of its own, "the prompt",
// whose state are the session's variables: the one who runs it copies their words from the object of the input before,
// and reads them, and the value, when it has come to its end. Nothing changes by an input with errors.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "abcl/check/check.hpp"
#include "abcl/messages/messages.hpp"
#include "abcl/registers/link.hpp"
#include "abcl/repl/definitions.hpp"

namespace abcl::repl {

// The class of inputs; a name that nobody can write.
inline constexpr std::string_view prompt_class = "(the prompt)";

struct variable_of_session {
  std::string_view name;
  form type;
  int at = -1;  // its first word in the object of the last input; below 0: it has none yet
  int words = 0;
};

// An expression that is ready to run.
struct step {
  std::shared_ptr<const registers::image> code;
  int class_number = 0;
  struct copy {
    int from, to, words;
  };
  std::vector<copy> copies;  // of the variables, from the object of the last input to the new one
  const type* of = nullptr;  // of the value; lives as long as `checked`
  int value_at = -1;         // its first word; below 0: it has none
  std::vector<variable_of_session> variables;
  std::shared_ptr<const program> checked;
  std::shared_ptr<const forms> text;
};

class session {
 public:
  explicit session(bool color) : color_(color) {}

  // What has been said since the last call: errors and warnings, with line ends.
  std::string take_said() { return std::exchange(said_, {}); }

  // The forms of an input; its definitions, and those of files that it uses, are made at once. The rest is left:
  // expressions, one by one to be given to prepare(). Empty if there is an error.
  std::vector<form> read_input(std::string text);
  // Whether there was no error.
  bool load(const std::string& path);

  std::optional<step> prepare(const form& expression);
  // It has run. New variables are kept if it has come to its end; those that were there have their words in its object.
  void has_run(const step& s, bool to_its_end);

  // "Int"; nothing if there is an error.
  std::optional<std::string> type_of(std::string text);
  // The code of a class or function.
  std::optional<std::string> messages_of(std::string_view name);
  std::optional<std::string> registers_of(std::string_view name);

  std::shared_ptr<const registers::image> code();

 private:
  struct checked_text {
    std::shared_ptr<forms> text;
    std::shared_ptr<program> tree;
    const class_def* prompt = nullptr;
  };
  // With errors shown, and warnings within `warn`; nothing if there are errors.
  std::optional<checked_text> check_with(const definitions& all, const std::vector<form>& state,
                                         const std::vector<form>& body, span where, span warn);
  bool define(const std::vector<const forms*>& files);
  // What `c` has more than is known; an error is shown if the machine has no numbers left for that.
  bool compile(const checked_text& c, definitions& all);
  bool show(diagnostics& said, span warn);
  static std::vector<form> state_forms(const std::vector<variable_of_session>& of, span where);
  const type* type_of(const form& f);
  // What an input becomes; nothing if an error has been shown.
  struct plan;
  std::optional<plan> planned(const form& f);
  static void plan_state(const form& f, plan& p);
  bool plan_new_variable(const form& f, plan& p);
  bool plan_expression(const form& f, plan& p);
  std::optional<std::string> shown_of(std::string_view name, const auto& shown);
  const std::list<forms>& read_text(const std::string& name, std::string text, diagnostics& said);

  const bool color_;
  std::string said_;
  sources texts_;
  std::list<std::list<forms>> read_;
  span input_;                 // the last one, and what it uses
  bool only_earlier_ = false;  // no error shown since it was set stands in that input
  int inputs_ = 0;
  definitions known_;
  std::vector<variable_of_session> variables_;
  growing tables_;
  std::shared_ptr<const program> asked_;  // whose types type_of() has told
  std::shared_ptr<const registers::image> code_;
};

}  // namespace abcl::repl
