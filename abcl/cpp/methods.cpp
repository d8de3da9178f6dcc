#include "abcl/cpp/methods.hpp"

#include <fmt/format.h>

#include "abcl/cpp/clauses.hpp"
#include "abcl/cpp/entries.hpp"
#include "abcl/cpp/foreign.hpp"
#include "abcl/cpp/function_scope.hpp"
#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/statements.hpp"
#include "abcl/cpp/types.hpp"

namespace abcl::cpp {
namespace {

// Express messages may interrupt a clause, or this is what takes them.
void begin_clauses(function_scope& in, const method& m) {
  if (!in.of->has_express) return;
  if (m.express) {
    in.await_line("co_await express_.enter();");
    in.line("const abcl::express_gate::inside inside_1(express_);");
    in.express_clause = true;
  } else {
    in.line("const abcl::express_gate::normal normal_1(express_);");
    in.interruptible = in.waits;
  }
}

// What the script does with the message.
void script_clauses(function_scope& in, const method& m, const std::vector<std::string>& arguments) {
  begin_clauses(in, m);
  const auto run = [&](const clause& c) {
    if (m.returns) return returning_statements(in, c.body);
    if (m.named_destination && c.replies) {
      in.owes.asker = in.names.numbered("asker");
      in.line(fmt::format("{} {}(destination_1);", asker_type(in.plan, m), in.owes.asker));
    }
    statements(in, c.body);
    clause_ends(in, c);
  };
  std::vector<cpp_value> values;
  for (const std::string& each : arguments) values.push_back(constant(each));
  if (m.named_destination) values.push_back(constant("destination_1"));
  if (!m.clauses.empty()) chain(in, m.clauses, values, run, m.always ? "" : "abcl::never();");
  if (in.waits && !m.returns) in.line("co_return;");
}

// The message is kept for a wait-for, if the object waits in one.
void put_aside(function_scope& in, const method& m, const std::string& asker,
               const std::vector<std::string>& arguments) {
  if (!m.in_wait_for) return;
  std::string values = joined(arguments);
  if (m.named_destination) append(values, "destination_1");
  in.open("if (waits_for_) {");
  in.line(fmt::format("{} = {{{}, {{{}}}}};", taken_name(m), asker, values));
  in.line("waits_for_ = false;");
  if (in.of->has_express) in.line("express_.has_taken();");
  in.leave();
  in.close();
}

// The method does itself what the message asks for.
void direct(translation_unit& to, const method& m, const entry& e) {
  if (m.of->foreign) return foreign_method(to, m, e);
  function_scope in(to, m.of, is_coroutine(m, e), spelled(m.takes));
  const std::vector<std::string> arguments = argument_names(in.names, m);
  in.open(head(m, e, arguments));
  if (m.once) in.line("if constexpr (Once) retire();");
  if (m.answers()) in.owes.answer = m.as->answer;
  put_aside(in, m, e.keeps ? fmt::format("{}(std::move(from_1))", asker_type(in.plan, m)) : "{}", arguments);
  if (e.keeps) {
    in.owes.asker = "asker_1";
    in.line(fmt::format("{} asker_1(std::move(from_1));", asker_type(in.plan, m)));
  }
  script_clauses(in, m, arguments);
  in.end_function();
}

// Where two entries lead.
void take(translation_unit& to, const method& m) {
  function_scope in(to, m.of, m.waits, spelled(m.takes));
  const std::vector<std::string> arguments = argument_names(in.names, m);
  in.open(common_head(in.plan, m, arguments));
  in.owes = {"asker_1", m.as->answer};
  put_aside(in, m, "std::move(asker_1)", arguments);
  script_clauses(in, m, arguments);
  in.end_function();
}

// The reply is what the other entry returns.
void forward_reply(function_scope& in, const method& m, const std::string& arguments) {
  const type* const answer = m.as->answer;
  const bool empty = !has_value(answer);
  const std::string call =
      fmt::format("{}{}{}({})", m.waits ? "co_await " : "", m.name, m.once ? "<Once>" : "", arguments);
  in.text.write(empty ? call + ";" : fmt::format("const {} value_1 = {};", cpp_type(answer), call), m.waits);
  const span where = m.clauses.empty() ? m.of->of->name_where : m.clauses[0]->where;
  const selector* const s = in.plan.interface_of_reply(answer);
  if (s == nullptr) {
    in.line(fmt::format("abcl::reply<{}>(destination_1, {}, {});", cpp_type(answer), in.site(where),
                        empty ? "abcl::none()" : "value_1"));
    return;
  }
  std::string list = "destination_1";
  append(list, in.site(where));
  if (answer->is(type::kind::message)) {
    for (std::size_t i = 0; i < answer->parts.size(); ++i) append(list, fmt::format("std::get<{}>(value_1)", i));
  } else {
    append(list, "value_1");
  }
  in.line(fmt::format("abcl::reply_or_send<{}, {}>({});", pointer(*s, false), cpp_type(answer), list));
}

void forward(translation_unit& to, const method& m, const entry& e) {
  function_scope in(to, m.of, is_coroutine(m, e), spelled(m.takes));
  const std::vector<std::string> arguments = argument_names(in.names, m);
  in.open(head(m, e, arguments));
  if (!m.clauses.empty()) in.at(m.clauses[0]->where);
  // Who waits at the destination is left with this clause, as one is that has asked by now().
  const bool may_be_left = in.plan.non_resume && m.waits && e.to;
  if (may_be_left) in.open("try {");
  if (m.returns) {
    forward_reply(in, m, joined(arguments));
  } else {
    std::string list = fmt::format("{}({})", asker_type(in.plan, m), e.keeps ? "std::move(from_1)" : "destination_1");
    for (const std::string& each : arguments) append(list, each);
    in.text.write(fmt::format("{}do_{}({});", m.waits ? "co_await " : "", m.name, list), m.waits);
  }
  if (may_be_left) {
    in.reopen("} catch (const abcl::not_resumed&) {");
    in.line(fmt::format("abcl::leave<{}>(destination_1);", cpp_type(m.as->answer)));
    in.close();
  }
  if (in.waits && !m.waits) in.line("co_return;");
  in.end_function();
}

// What takes an express message by the interface where the class has no express clause for it.
void send_on(translation_unit& to, const method& m) {
  function_scope in(to, m.of, true);
  const entry by = sending_on(m);
  const std::vector<std::string> arguments = argument_names(in.names, m);
  in.open(fmt::format("inline tsubu::task<void> {}::{}({}) {{", m.of->name, by.name, arguments_of(m, by, arguments)));
  std::string list = joined(arguments);
  if (by.to) append(list, "destination_1");
  in.line(fmt::format("self().express<{}>({});", pointer(m, by.to, false), list));
  in.line("co_return;");
  in.end_function();
}

}  // namespace

void write_methods(translation_unit& to, const class_plan& c) {
  for (const method& m : c.methods) {
    const bool common = has_common(m);
    if (common) take(to, m);
    for (const entry& e : functions_of(m)) {
      if (common || (e.to && m.to && !m.named_destination)) {
        forward(to, m, e);
      } else {
        direct(to, m, e);
      }
    }
    if (c.sends_on(m)) send_on(to, m);
  }
}

}  // namespace abcl::cpp
