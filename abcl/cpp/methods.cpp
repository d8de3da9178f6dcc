// Methods: what a class of objects has in C++, one for each message of its interface.
#include <fmt/format.h>

#include <algorithm>

#include "abcl/cpp/writer.hpp"
#include "abcl/resolve/script.hpp"

namespace abcl {
namespace {

std::string answer_type(const type* t) { return has_value(t) ? cpp_type(t) : "void"; }

}  // namespace

// How a message comes in: asked, or with the place where the reply goes.
std::vector<cpp_writer::entry> cpp_writer::entries(const class_plan& c, const method& m) const {
  std::vector<entry> all;
  const std::string of = fmt::format("&{}::", c.name);
  if (m.answers() && !m.named_destination) all.push_back({m.name, m.keeps(), false, false, pointer(m, false, false)});
  if (m.answers() && (m.to || m.named_destination))
    all.push_back({m.name_to, false, true, m.by_interface(), pointer(m, true, false)});
  if (!m.answers()) all.push_back({m.name, false, false, m.by_interface(), pointer(m, false, false)});
  for (std::size_t i = 0, n = all.size(); i < n; ++i) {
    if (!all[i].interface) continue;
    entry by_interface = all[i];
    by_interface.pointer = pointer(*m.as, m.express);
    all.push_back(by_interface);
  }
  return all;
}

bool cpp_writer::is_coroutine(const method& m, const entry& e) const {
  return m.waits || (e.interface && m.as->interface_waits);
}

std::string cpp_writer::result(const method& m, const entry& e) const {
  const std::string of = m.returns && !e.to ? answer_type(m.as->answer) : "void";
  return is_coroutine(m, e) ? fmt::format("tsubu::task<{}>", of) : of;
}

std::vector<std::string> cpp_writer::argument_names(const method& m) {
  // Those of the first clause, where it has some.
  std::vector<std::string> names;
  const std::size_t count = m.as->elements.size();
  for (std::size_t i = 0; i < count; ++i) {
    const variable* v =
        !m.clauses.empty() && i < m.clauses[0]->pattern.size() ? m.clauses[0]->pattern[i].bound : nullptr;
    names.push_back(v != nullptr ? fresh(v->name) : fresh("element-" + std::to_string(i + 1)));
    constants_.insert(names.back());
  }
  return names;
}

std::string cpp_writer::asker_type(const method& m) {
  selector* const s = plan_.interface_of_reply(m.as->answer);
  if (s == nullptr) return fmt::format("abcl::asker<{}>", answer_type(m.as->answer));
  return fmt::format("abcl::asker<{}, {}>", answer_type(m.as->answer), pointer(*s, false));
}

std::string cpp_writer::arguments_of(const method& m, const entry& e) {
  const std::vector<std::string> names = argument_names(m);
  std::string list;
  const auto add = [&](const std::string& type, const std::string& name) {
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", type, name);
  };
  if (e.keeps) add(fmt::format("tsubu::reply_to<{}>", answer_type(m.as->answer)), "from_1");
  for (std::size_t i = 0; i < names.size(); ++i) add(cpp_type(m.as->elements[i]), names[i]);
  if (e.to) add("abcl::destination", "destination_1");
  return list;
}

std::string cpp_writer::head(const class_plan* c, const method& m, const entry& e, bool declares) {
  const std::string list = arguments_of(m, e);
  const std::string once =
      m.once ? "template <bool Once>\n" + std::string(static_cast<std::size_t>(indent_) * 2, ' ') : "";
  return fmt::format("{}{}{} {}{}({}){}", once, declares || m.once ? "" : "inline ", result(m, e),
                     declares ? "" : c->name + "::", e.name, list, declares && e.interface ? " override" : "");
}

// What keeps a message that a wait-for has taken.
std::string cpp_writer::taken_type(const method& m) {
  std::string types = m.answers() && !m.named_destination ? asker_type(m) : "abcl::asker<void>";
  for (const type* t : m.as->elements) types += ", " + cpp_type(t);
  if (m.named_destination) types += ", abcl::destination";
  return fmt::format("abcl::taken<{}>", types);
}

// Express messages may interrupt a clause, or this is what takes them.
void cpp_writer::begin_clauses(const class_plan& c, const method& m) {
  if (!c.has_express) return;
  if (m.express) {
    await_line("co_await express_.enter();");
    line("const abcl::express_gate::inside inside_1(express_);");
    express_clause_ = true;
  } else {
    line("const abcl::express_gate::normal normal_1(express_);");
    interruptible_ = waits_;
  }
}

// Who waits for a reply that has not come is told.
void cpp_writer::clause_ends(const clause& c) {
  if (!c.replies || replies_at_its_end(c)) return;
  at(c.where);
  line(fmt::format("{}.ended({});", asker_, site(c.where)));
}

void cpp_writer::script_clauses(const method& m, const std::vector<std::string>& arguments) {
  if (m.clauses.empty()) return;
  const auto run = [&](const clause& c) {
    if (m.returns) {
      last_of(c.body);
      return;
    }
    if (m.named_destination && c.replies) {
      asker_ = numbered("asker");
      line(fmt::format("{} {}(destination_1);", asker_type(m), asker_));
    }
    statements(c.body);
    clause_ends(c);
  };
  std::vector<std::string> values = arguments;
  if (m.named_destination) {
    values.push_back("destination_1");
    constants_.insert("destination_1");
  }
  chain(m.clauses, values, run, m.always ? "" : "abcl::never();");
}

// What a wait-for has waited for is there.
void cpp_writer::has_taken(const class_plan& c) {
  line("waits_for_ = false;");
  if (c.has_express) line("express_.has_taken();");
}

// The method does itself what the message asks for.
void cpp_writer::direct(const class_plan& c, const method& m, const entry& e) {
  if (c.foreign) return foreign_method(c, m, e);
  begin_function(&c, is_coroutine(m, e));
  message_ = shown(m.takes);
  const auto used = used_;
  open(head(&c, m, e, false) + " {");
  used_ = used;
  const std::vector<std::string> arguments = argument_names(m);
  if (m.once) line("if constexpr (Once) retire();");
  if (m.answers()) answer_ = m.as->answer;
  if (m.in_wait_for) {
    open("if (waits_for_) {");
    std::string values;
    for (const std::string& a : arguments) values += (values.empty() ? "" : ", ") + a;
    if (m.named_destination) values += std::string(values.empty() ? "" : ", ") + "destination_1";
    line(fmt::format("{} = {{{}, {{{}}}}};", taken_name(m),
                     e.keeps ? fmt::format("{}(std::move(from_1))", asker_type(m)) : "{}", values));
    has_taken(c);
    leave();
    close();
  }
  if (e.keeps) {
    asker_ = "asker_1";
    used_.insert(asker_);
    line(fmt::format("{} asker_1(std::move(from_1));", asker_type(m)));
  }
  begin_clauses(c, m);
  script_clauses(m, arguments);
  if (waits_ && !m.returns) line("co_return;");
  close();
  line("");
}

// Where two entries lead.
void cpp_writer::take_head(const class_plan* c, const method& m) {
  begin_function(c, m.waits);
  message_ = shown(m.takes);
  std::string list = asker_type(m) + " asker_1";
  const auto names = argument_names(m);
  for (std::size_t i = 0; i < names.size(); ++i) list += fmt::format(", {} {}", cpp_type(m.as->elements[i]), names[i]);
  const std::string text =
      fmt::format("{}{} {}do_{}({})", c == nullptr ? "" : "inline ", m.waits ? "tsubu::task<void>" : "void",
                  c == nullptr ? "" : c->name + "::", m.name, list);
  if (c == nullptr) return line(text + ";");
  open(text + " {");
}

void cpp_writer::take(const class_plan& c, const method& m) {
  take_head(&c, m);
  forget_names();
  const std::vector<std::string> arguments = argument_names(m);
  answer_ = m.as->answer;
  asker_ = "asker_1";
  if (m.in_wait_for) {
    open("if (waits_for_) {");
    std::string values;
    for (const std::string& a : arguments) values += (values.empty() ? "" : ", ") + a;
    line(fmt::format("{} = {{std::move(asker_1), {{{}}}}};", taken_name(m), values));
    has_taken(c);
    leave();
    close();
  }
  begin_clauses(c, m);
  script_clauses(m, arguments);
  if (waits_) line("co_return;");
  close();
  line("");
}

void cpp_writer::forward(const class_plan& c, const method& m, const entry& e) {
  begin_function(&c, is_coroutine(m, e));
  message_ = shown(m.takes);
  const auto used = used_;
  open(head(&c, m, e, false) + " {");
  used_ = used;
  std::vector<std::string> arguments = argument_names(m);
  std::string list;
  for (const std::string& a : arguments) list += (list.empty() ? "" : ", ") + a;
  if (!m.clauses.empty()) at(m.clauses[0]->where);
  // Who waits at the destination is left with this clause, as one is that has asked by now().
  const bool may_be_left = plan_.non_resume && m.waits && e.to;
  if (may_be_left) open("try {");
  if (!m.returns) {
    const std::string from = e.keeps ? "std::move(from_1)" : "destination_1";
    const std::string call =
        fmt::format("do_{}({}({}){}{})", m.name, asker_type(m), from, list.empty() ? "" : ", ", list);
    write_line(fmt::format("{}{};", m.waits ? "co_await " : "", call), m.waits);
  } else {
    const std::string call =
        fmt::format("{}{}{}({})", m.waits ? "co_await " : "", m.name, m.once ? "<Once>" : "", list);
    const bool empty = !has_value(m.as->answer);
    write_line(empty ? call + ";" : fmt::format("const {} value_1 = {};", cpp_type(m.as->answer), call), m.waits);
    const span where = m.clauses.empty() ? c.of->name_where : m.clauses[0]->where;
    selector* const s = plan_.interface_of_reply(m.as->answer);
    if (s == nullptr) {
      line(fmt::format("abcl::reply<{}>(destination_1, {}, {});", cpp_type(m.as->answer), site(where),
                       empty ? "abcl::none()" : "value_1"));
    } else {
      std::string elements;
      if (m.as->answer->is(type::kind::message)) {
        for (std::size_t i = 0; i < m.as->answer->parts.size(); ++i)
          elements += fmt::format(", std::get<{}>(value_1)", i);
      } else {
        elements = ", value_1";
      }
      line(fmt::format("abcl::reply_or_send<{}, {}>(destination_1, {}{});", pointer(*s, false), cpp_type(m.as->answer),
                       site(where), elements));
    }
  }
  if (may_be_left) {
    close("} catch (const abcl::not_resumed&) {");
    ++indent_;
    line(fmt::format("abcl::leave<{}>(destination_1);", cpp_type(m.as->answer)));
    close();
  }
  if (waits_ && !m.waits) line("co_return;");
  close();
  line("");
}

// What takes an express message by the interface where the class has no express clause for it.
void cpp_writer::send_on(const class_plan& c, const method& m) {
  begin_function(&c, true);
  const entry by{m.answers() ? m.as->express_to : m.as->express, false, m.answers(), true, {}};
  const auto used = used_;
  open(fmt::format("inline tsubu::task<void> {}::{}({}) {{", c.name, by.name, arguments_of(m, by)));
  used_ = used;
  std::string list;
  for (const std::string& a : argument_names(m)) list += (list.empty() ? "" : ", ") + a;
  if (by.to) list += list.empty() ? "destination_1" : ", destination_1";
  line(fmt::format("self().express<{}>({});", pointer(m, by.to, false), list));
  line("co_return;");
  close();
  line("");
}

void cpp_writer::methods(const class_plan& c, const method& m) {
  const std::vector<entry> all = entries(c, m);
  std::vector<entry> own;
  for (const entry& e : all) {
    if (std::none_of(own.begin(), own.end(), [&](const entry& o) { return o.name == e.name; })) own.push_back(e);
  }
  const bool shares = own.size() > 1 && !m.returns;
  if (shares) take(c, m);
  for (const entry& e : own) {
    if (shares || (e.to && m.to && !m.named_destination)) {
      forward(c, m, e);
    } else {
      direct(c, m, e);
    }
  }
}

bool cpp_writer::is_plain(const class_plan& c) {
  return c.of->arguments.empty() && c.of->state.empty() && !c.has_body() && c.of->body.empty();
}

void cpp_writer::constructor(const class_plan& c) {
  if (c.foreign) return foreign_constructor(c);
  begin_function(&c, false);
  std::string list, first;
  std::set<std::string> names;
  for (const variable* v : c.of->arguments) {
    const std::string name = cpp_name(v->name, names);
    used_.insert(name);
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", cpp_type(v->of), name);
    first += fmt::format("{}{}({})", first.empty() ? "" : ", ", c.members.at(v), name);
  }
  at(c.of->name_where);
  open(fmt::format("inline {}::{}({}){} {{", c.name, c.name, list, first.empty() ? "" : " : " + first));
  for (std::size_t i = 0; i < c.of->state.size(); ++i) {
    if (c.of->initial[i] != nullptr) assign(c.members.at(c.of->state[i]), *c.of->initial[i]);
  }
  if (c.has_body()) {
    line(fmt::format("begin<&{}::body>();", c.name));
  } else {
    statements(c.of->body);
  }
  close();
  line("");
}

// What runs as the first message: forms that wait, a script that leaves messages in the queue, or none at all.
void cpp_writer::body(const class_plan& c) {
  begin_function(&c, true);
  at(c.of->name_where);
  open(fmt::format("inline tsubu::task<void> {}::body() {{", c.name));
  // What is left of it by (non-resume) is not executed; its script is.
  const bool interruptible = c.has_express && c.body_waits, may_be_left = plan_.non_resume && c.script != nullptr;
  if (interruptible) {
    open(may_be_left ? "try {" : "{");
    line("const abcl::express_gate::normal normal_1(express_);");
    interruptible_ = true;
  } else if (may_be_left && c.body_waits) {
    open("try {");
  }
  statements(c.of->body);
  interruptible_ = false;
  if (may_be_left && c.body_waits) {
    close("} catch (const abcl::not_resumed&) {");
    line("}");
  } else if (interruptible) {
    close();
  }
  if (c.script == nullptr) {
    if (exits_behind_body(*c.of, start_)) line("abcl::exit(0);");
    await_line("co_await abcl::forever();");
  } else if (c.guarded) {
    std::string pointers, guards;
    for (const method& m : c.methods) {
      if (m.clauses.empty() || m.express) continue;
      const std::string guard = guard_of(m, m.clauses);
      for (const entry& e : entries(c, m)) {
        pointers += (pointers.empty() ? "" : ", ") + e.pointer;
        guards += (guards.empty() ? "" : ", ") + guard;
      }
    }
    at(*c.script);
    await_line(
        fmt::format("{} co_await accept<{}>({});", c.ends_itself ? "while (!ends_)" : "for (;;)", pointers, guards));
  }
  close();
  line("");
}

}  // namespace abcl
