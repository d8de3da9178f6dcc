// Operators, and calls of functions: of the program, and of the library.
#include <fmt/format.h>

#include "abcl/check/analysis.hpp"
#include "abcl/check/checker.hpp"

namespace abcl {
namespace {

enum class family { arithmetic, comparison, logic, conversion };
struct known_operator {
  operation does;
  family of;
};

const std::map<std::string_view, known_operator>& operators() {
  static const std::map<std::string_view, known_operator> all = {
      {"+", {operation::add, family::arithmetic}},
      {"-", {operation::subtract, family::arithmetic}},
      {"*", {operation::multiply, family::arithmetic}},
      {"/", {operation::divide, family::arithmetic}},
      {"mod", {operation::modulo, family::arithmetic}},
      {"=", {operation::equal, family::comparison}},
      {"/=", {operation::unequal, family::comparison}},
      {"<", {operation::less, family::comparison}},
      {">", {operation::greater, family::comparison}},
      {"<=", {operation::at_most, family::comparison}},
      {">=", {operation::at_least, family::comparison}},
      {"and", {operation::both, family::logic}},
      {"or", {operation::either, family::logic}},
      {"not", {operation::negate, family::logic}},
      {"sqrt", {operation::square_root, family::conversion}},
      {"int", {operation::to_integer, family::conversion}},
      {"float", {operation::to_real, family::conversion}},
      {"str", {operation::to_text, family::conversion}},
  };
  return all;
}

// Words of other languages, and what says the same here.
const std::map<std::string_view, std::string_view>& other_words() {
  static const std::map<std::string_view, std::string_view> all = {
      {"==", "`=` compares"},
      {"eq?", "`=` compares"},
      {"equal", "`=` compares"},
      {"!=", "`/=` compares"},
      {"<>", "`/=` compares"},
      {"=<", "`<=` compares"},
      {"=/=", "`/=` compares"},
      {"%", "`mod` is the rest of a division"},
      {"rem", "`mod` is the rest of a division"},
      {"&&", "`and` is meant"},
      {"||", "`or` is meant"},
      {"set", "[name := value] assigns"},
      {"setq", "[name := value] assigns"},
      {"set!", "[name := value] assigns"},
      {"setf", "[name := value] assigns"},
      {":=", "[name := value] assigns"},
      {"progn", "`begin` is meant"},
      {"do", "`begin` is meant, or a loop: `while`, `for`"},
      {"cond", "`if` is meant, inside of each other"},
      {"when", "`if` is meant; its else may be left out"},
      {"unless", "`if` is meant, with `not`"},
      {"else", "an `if` is (if condition then else)"},
      {"return", "`!value` replies; a form has the value of its last part"},
      {"reply", "`!value` replies"},
      {"send", "[target <= message] sends; `<==` waits for the reply"},
      {"len", "`length` is meant"},
      {"size", "`length` is meant"},
      {"define", "(function (name (Type argument) ...) Type form ...) defines, beside classes"},
      {"defun", "(function (name (Type argument) ...) Type form ...) defines, beside classes"},
      {"def", "(function (name (Type argument) ...) Type form ...) defines, beside classes"},
      {"lambda", "there are no functions without names"},
      {"fn", "there are no functions without names"},
      {"let*", "`let` is meant: a variable sees those before it"},
      {"receive", "`wait-for` takes a message inside of a clause"},
      {"self", "`me` is the object that runs"},
      {"this", "`me` is the object that runs"},
      {"println", "`print` is meant"},
      {"readline", "`read-line` is meant"},
      {"getline", "`read-line` is meant"},
      {"input", "(read-line) is a line of the standard input"},
      {"slurp", "(read-file path) is the text of a file"},
      {"open", "(read-file path) is the text of a file, (write-file path text) writes one"},
      {"eof?", "(more-input?) says whether the input has another line"},
      {"time", "(clock) is the job's time in seconds"},
      {"rand", "(random n) is an Int from 0 to n - 1"},
      {"substr", "(substring text from to) is a part of a text"},
      {"atoi", "(parse-int text) is the Int that a text is"},
      {"string->number", "`parse-int` and `parse-float` make numbers of texts"},
      {"str->int", "(parse-int text) is the Int that a text is"},
      {"concat", "(str a b ...) puts texts together"},
      {"append", "(str a b ...) puts texts together"},
      {"display", "`print` is meant"},
      {"format", "`print` and `str` put values together"},
      {"strip", "`trim` is meant"},
      {"tokenize", "`words` and `split` take texts apart"},
      {"spawn", "(new Class ...) creates an object"},
      {"create", "(new Class ...) creates an object"},
      {"vector", "(make-array length value) makes an array"},
      {"list", "(make-array length value) makes an array"},
      {"state", "`state` stands directly behind the creation arguments of a class"},
      {"nth", "(aref array index) is an element"},
      {"ref", "(aref array index) is an element"},
      {"case", "`match` takes values apart"},
      {"switch", "`match` takes values apart"},
      {"to-float", "`float` is meant"},
      {"to-int", "`int` is meant"}};
  return all;
}

bool is_number(const type* t) { return t->is(type::kind::integer) || t->is(type::kind::real); }

}  // namespace

std::vector<std::string_view> forms_of_the_language() {
  std::vector<std::string_view> all = checker::form_names();
  all.insert(all.end(), {"class", "function", "foreign", "use"});
  for (const auto& [name, o] : operators()) all.push_back(name);
  for (const library_function& f : library_functions()) all.push_back(f.name);
  return all;
}

expression_ptr checker::call(const form& f) {
  const form& head = f.parts[0];
  if (const auto found = operators().find(head.word); found != operators().end()) {
    switch (found->second.of) {
      case family::arithmetic:
        return arithmetic(f, found->second.does);
      case family::comparison:
        return comparison(f, found->second.does);
      case family::logic:
        return logic(f, found->second.does);
      case family::conversion:
        return conversion(f, found->second.does);
    }
  }
  function_def* const called = program_.find_function(head.word);
  if (called == nullptr) {
    if (const library_function* const found = find_library_function(head.word)) return library_call(f, *found);
    diagnostic& d =
        said_.error(32, head.where, fmt::format("there is no form or function `{}`", head.word), "not known");
    std::vector<std::string> known;
    for (const auto& [name, s] : specials()) known.emplace_back(name);
    for (const auto& [name, o] : operators()) known.emplace_back(name);
    for (const library_function& each : library_functions()) known.emplace_back(each.name);
    for (const function_def& each : program_.functions) known.emplace_back(each.name);
    if (const auto foreign = other_words().find(head.word); foreign != other_words().end()) {
      d.help.push_back(std::string(foreign->second));
    } else if (f.parts.size() == 3 && f.parts[1].is(form::kind::symbol) && operators().contains(f.parts[1].word)) {
      d.help.push_back(fmt::format("the operator stands first: ({} {} ...)", f.parts[1].word, head.word));
    } else if (program_.find_class(head.word) != nullptr) {
      d.help.push_back(fmt::format("`{}` is a class; (new {} ...) makes an object of it", head.word, head.word));
    } else if (head.word == "class") {
      d.help.push_back("classes stand in square brackets, beside each other");
    } else if (head.word == "function" || head.word == "foreign" || head.word == "use") {
      d.help.push_back(fmt::format("`{}` stands beside classes", head.word));
    } else if (find(head.word) != nullptr) {
      d.help.push_back("it is a variable; a send stands in square brackets: [target <= message]");
    } else if (const std::string meant = nearest(head.word, known); !meant.empty()) {
      d.help.push_back(fmt::format("did you mean `{}`?", meant));
    }
    return wrong(f);
  }
  called->uses.push_back(head.where);
  expression_ptr e = made(op::call, f, called->result);
  e->of_function = called;
  const std::size_t given = f.parts.size() - 1, wanted = called->arguments.size();
  if (given != wanted) {
    said_
        .error(49, f.where, fmt::format("`{}` takes {} argument{}", called->name, wanted, wanted == 1 ? "" : "s"),
               fmt::format("{} given", given))
        .notes.push_back({called->name_where, "defined here"});
    forgive(f);
    return e;
  }
  for (std::size_t i = 0; i < given; ++i)
    e->parts.push_back(
        value_as(f.parts[i + 1], called->arguments[i]->of, fmt::format("argument {} of `{}`", i + 1, called->name)));
  return e;
}

expression_ptr checker::library_call(const form& f, const library_function& called) {
  expression_ptr e = made(op::library, f, as_type(called.result, types_));
  e->of_library = &called;
  const std::size_t given = f.parts.size() - 1, wanted = called.arguments.size();
  if (given != wanted) {
    said_
        .error(49, f.where, fmt::format("`{}` takes {} argument{}", called.name, wanted, wanted == 1 ? "" : "s"),
               fmt::format("{} given", given))
        .help.push_back(fmt::format("it is {}", signature(called)));
    forgive(f);
    return e;
  }
  if (called.waits) {
    may_wait(f, "does not wait for input");
  } else if (called.acts && in_guard_) {
    may_wait(f, fmt::format("does not call `{}`", called.name).c_str());
  }
  for (std::size_t i = 0; i < given; ++i)
    e->parts.push_back(value_as(f.parts[i + 1], as_type(called.arguments[i].of, types_),
                                fmt::format("argument {} of `{}`", i + 1, called.name)));
  return e;
}

// A guard is asked more often than once, and has to say the same each time.
void checker::forbid_looking_outside_in_guards() {
  const auto look = [this](const expression& e) {
    for (const clause& c : e.clauses) {
      if (c.guard == nullptr) continue;
      walk(*c.guard, [this](const expression& each) {
        if (each.what == op::call && each.of_function->looks_outside)
          said_
              .error(58, each.where, fmt::format("a guard does not call `{}`", each.of_function->name),
                     "its value may be another one each time")
              .help.push_back("guards, functions and first values only compute");
        return true;
      });
    }
    return true;
  };
  walk(program_, look);
}

expression_ptr checker::arithmetic(const form& f, operation does) {
  expression_ptr e = made(op::compute, f, types_.unknown);
  e->does = does;
  const std::string_view name = f.parts[0].word;
  const bool exactly_two = does == operation::modulo || does == operation::divide;
  const std::size_t given = f.parts.size() - 1;
  if (given == 0 || (exactly_two && given != 2)) {
    said_.error(47, f.where, fmt::format("`{}` takes {}", name, exactly_two ? "two numbers" : "numbers"),
                fmt::format("{} given", given));
    return e;
  }
  const type* of = nullptr;
  const form* first = nullptr;
  bool good = true;
  for (std::size_t i = 1; i < f.parts.size(); ++i) {
    e->parts.push_back(value(f.parts[i]));
    const type* const each = e->parts.back()->of;
    if (each->is_error() || each->is(type::kind::nothing)) {
      good &= !each->is_error();
      continue;
    }
    if (!is_number(each) || (does == operation::modulo && !each->is(type::kind::integer))) {
      diagnostic& d = said_.error(47, f.parts[i].where,
                                  fmt::format("`{}` takes {}", name, does == operation::modulo ? "Ints" : "numbers"),
                                  fmt::format("this is {}", with_article(each)));
      if (each->is(type::kind::text) && does == operation::add) d.help.push_back("(str a b ...) puts texts together");
      if (e->parts.back()->what == op::past) d.help.push_back("a now send `<==` waits for the reply");
      good = false;
    } else if (of == nullptr) {
      of = each;
      first = &f.parts[i];
    } else if (each != of && good) {
      diagnostic& d = said_.error(47, f.parts[i].where, fmt::format("`{}` takes numbers of one type", name),
                                  fmt::format("this is {}", with_article(each)));
      d.notes.push_back({first->where, fmt::format("this is {}", with_article(of))});
      d.help.push_back("(float n) makes a Float of an Int, (int x) an Int of a Float");
      good = false;
    }
  }
  if (good && of != nullptr) e->of = of;
  return e;
}

expression_ptr checker::comparison(const form& f, operation does) {
  expression_ptr e = made(op::compute, f, types_.boolean);
  e->does = does;
  const std::string_view name = f.parts[0].word;
  if (f.parts.size() < 3) {
    said_.error(47, f.where, fmt::format("`{}` compares two values, or more", name),
                fmt::format("{} given", f.parts.size() - 1));
    return e;
  }
  const bool by_order = does != operation::equal && does != operation::unequal;
  const type* of = nullptr;
  for (std::size_t i = 1; i < f.parts.size(); ++i) {
    e->parts.push_back(value(f.parts[i]));
    const type* const each = e->parts.back()->of;
    if (each->is_error() || (of != nullptr && of->is_error())) {
      of = types_.unknown;
      continue;
    }
    const bool ordered = is_number(each) || each->is(type::kind::text);
    const bool comparable =
        ordered || each->is(type::kind::boolean) || types_.fits(types_.nil, each) || each->is(type::kind::nil);
    if (by_order ? !ordered : !comparable) {
      said_.error(
          47, f.parts[i].where,
          fmt::format("`{}` compares {}", name, by_order ? "numbers and texts" : "numbers, texts, Bools and objects"),
          fmt::format("this is {}", with_article(each)));
      of = types_.unknown;
    } else if (of != nullptr && !types_.fits(each, of) && !types_.fits(of, each)) {
      said_
          .error(47, f.parts[i].where, fmt::format("`{}` compares values of one type", name),
                 fmt::format("this is {}", with_article(each)))
          .notes.push_back({f.parts[1].where, fmt::format("this is {}", with_article(of))});
      of = types_.unknown;
    } else if (of == nullptr || of->is(type::kind::nil)) {
      of = each;
    }
  }
  return e;
}

expression_ptr checker::logic(const form& f, operation does) {
  expression_ptr e = made(op::compute, f, types_.boolean);
  e->does = does;
  const std::string_view name = f.parts[0].word;
  if (f.parts.size() < 2 || (does == operation::negate && f.parts.size() != 2))
    said_.error(47, f.where, fmt::format("`{}` takes {}", name, does == operation::negate ? "one Bool" : "Bools"),
                fmt::format("{} given", f.parts.size() - 1));
  for (std::size_t i = 1; i < f.parts.size(); ++i)
    e->parts.push_back(value_as(f.parts[i], types_.boolean, fmt::format("an operand of `{}`", name)));
  return e;
}

expression_ptr checker::conversion(const form& f, operation does) {
  const bool to_text = does == operation::to_text;
  expression_ptr e = made(op::compute, f,
                          to_text                         ? types_.text
                          : does == operation::to_integer ? types_.integer
                                                          : types_.real);
  e->does = does;
  const std::string_view name = f.parts[0].word;
  const type* const from = does == operation::to_real ? types_.integer : types_.real;
  if (!to_text && f.parts.size() != 2) {
    said_.error(47, f.where, fmt::format("`{}` takes one {}", name, shown(from)),
                fmt::format("{} given", f.parts.size() - 1));
    return e;
  }
  for (std::size_t i = 1; i < f.parts.size(); ++i)
    e->parts.push_back(to_text ? value(f.parts[i])
                               : value_as(f.parts[i], from, fmt::format("the operand of `{}`", name)));
  return e;
}

}  // namespace abcl
