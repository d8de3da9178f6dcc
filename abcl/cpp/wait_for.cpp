#include "abcl/cpp/wait_for.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "abcl/cpp/clauses.hpp"
#include "abcl/cpp/entries.hpp"
#include "abcl/cpp/spelling.hpp"
#include "abcl/cpp/statements.hpp"
#include "abcl/cpp/types.hpp"

namespace abcl::cpp {

namespace {

struct waited_for {
  const method* by = nullptr;
  std::vector<const clause*> clauses;  // of the `wait-for`
  std::size_t end = 0;                 // its entries come before this one of all that are accepted
};

// Waits for one of the messages. With several, the variable `which` gets the number of the entry by which one has come.
void await_message(function_scope& in, const tree::cases& e, const std::string& accepted, const std::string& which) {
  const auto accept = [&](const std::string& declared) {
    in.line("waits_for_ = true;");
    in.at(e);
    in.await_line(which.empty() ? accepted + ';' : fmt::format("{}{} = {};", declared, which, accepted));
  };
  if (!in.express_clause) {
    if (in.interruptible) in.line("express_.waits();");
    return accept("const int ");
  }
  // The clause that it has interrupted may wait for a message, too.
  const std::string waited = in.names.numbered("waited");
  in.line(fmt::format("const bool {} = waits_for_;", waited));
  if (!which.empty()) in.line(fmt::format("int {} = 0;", which));
  in.await_line("co_await tsubu::yield();");
  in.open("{");
  in.line(fmt::format("const abcl::express_gate::listening {}(express_);", in.names.numbered("listening")));
  accept("");
  in.close();
  in.line(fmt::format("waits_for_ = {};", waited));
}

// Executes the clause that fits the message which the method of `w` has put aside.
void execute_taken(function_scope& in, const waited_for& w, const std::string& result, span where) {
  const method& m = *w.by;
  const std::string taken = in.names.numbered("message");
  in.line(fmt::format("auto {} = std::move({});", taken, taken_name(m)));
  if (in.interruptible) {
    // Who has asked by it is left, too.
    if (in.plan.non_resume && m.answers() && !m.named_destination)
      in.line(fmt::format("if (express_.leaves()) {}.asker.leave();", taken));
    in.await_line("co_await express_.clear();");
  }
  std::vector<cpp_value> values;
  const std::size_t elements = m.as->elements.size() + (m.named_destination ? 1 : 0);
  for (std::size_t k = 0; k < elements; ++k) values.push_back(fmt::format("std::get<{}>({}.values)", k, taken));
  const auto run = [&](const clause& each) {
    const owed_reply outside = in.owes;
    if (each.replies) {
      in.owes = {m.named_destination ? in.names.numbered("asker") : taken + ".asker", each.takes->answer()};
      if (m.named_destination)
        in.line(fmt::format("{} {}({});", asker_type(in.plan, m), in.owes.asker, values.back().text));
      in.askers.push_back(in.owes.asker);
    }
    if (const expression* const last = before_last(in, each.body))
      result.empty() ? statement(in, *last) : assign(in, result, *last);
    clause_ends(in, each);
    if (each.replies) in.askers.pop_back();
    in.owes = outside;
  };
  chain(in, w.clauses, values, run, fmt::format("abcl::fail({}, \"no clause fits this message\");", in.site(where)));
}

}  // namespace

cpp_value wait_for(function_scope& in, const tree::cases& e) {
  std::vector<waited_for> taking;
  for (const clause& each : e.clauses) {
    const method* const m = in.of->find(each.takes);
    auto same = std::find_if(taking.begin(), taking.end(), [&](const waited_for& w) { return w.by == m; });
    if (same == taking.end()) same = taking.insert(same, {m, {}, 0});
    same->clauses.push_back(&each);
  }
  std::string result;
  if (has_value(e.of)) {
    result = in.names.numbered("taken");
    in.line(fmt::format("{} {}{{}};", cpp_type(e.of), result));
  }
  accepted_messages accepted;
  for (waited_for& w : taking) {
    accepted.add(in, *w.by, w.clauses);
    w.end = accepted.entries();
  }
  const std::string which = in.names.numbered("which");
  await_message(in, e, accepted.awaited(in, e), taking.size() > 1 ? which : "");
  for (const waited_for& w : taking) {
    const std::string test = &w == &taking.back() ? "{" : fmt::format("if ({} < {}) {{", which, w.end);
    &w == &taking.front() ? in.open(test) : in.reopen("} else " + test);
    execute_taken(in, w, result, e.where);
  }
  in.close();
  return result.empty() ? "abcl::none()" : named(result);
}

}  // namespace abcl::cpp
