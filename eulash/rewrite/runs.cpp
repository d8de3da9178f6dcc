// Loops that walk through shared memory hold it for their whole length, where that can be had, and then run as if it
// was private.
//
// `for (j = a; j < b; j++) x[j] += y[j];` becomes, on the lines where it stands,
//
//   { if (a < b) { h0 = x; h1 = y;
//     for (part of a to b - 1) { struct eulash_run r[] = {&h0[from] to &h0[to], ..};
//       if (eulash_hold(r, 2)) { v0 = h0 + r[0].shift; ..; for (j = from; j < to + 1; j++) v0[j] += v1[j]; } else {
//   #line N
//       the part with each access wrapped } } } }
//
// Between parts the process looks for messages. Where what is held is written, nothing waits in a part, so that it
// stays. What it has read before, by then, no other thread may write without a data race; and what this thread itself
// stores there in another way, where a[b[j]] is asked for each time, is stored in what is held too
// (access.cpp of the runtime). Such a loop is there once more, for where all processes use one memory.
#include <clang/Lex/Lexer.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "eulash/rewrite/held_functions.hpp"
#include "eulash/rewrite/loop_facts.hpp"
#include "eulash/source/walk.hpp"

namespace eulash {
namespace {

using llvm::dyn_cast;
using llvm::isa;

constexpr std::size_t most_runs = 16;
constexpr int rounds_of_part = 4096;  // some us: how long others may wait for an answer

struct span {
  unsigned begin, end;
  bool has(const span& other) const { return begin <= other.begin && other.end <= end; }
};

class run_writer {
 public:
  run_writer(const rewriting& r, const counted_loop& l, const loop_facts& known)
      : r_(r),
        l_(l),
        known_(known),
        sources_(r.p.sources()),
        file_(sources_.getFileID(l.loop->getBeginLoc())),
        name_(sources_.getFileEntryRefForID(file_) ? sources_.getFileEntryRefForID(file_)->getName().str() : ""),
        whole_(sources_.getBufferData(file_).str()) {}

  // False: it stays as it is.
  bool write();

 private:
  struct held {  // a pointer that is the same in each round
    std::string text;
    int number;
  };

  span span_of(const clang::Stmt* s) const;
  std::string rewritten(const clang::Expr* e) const;
  std::string plain(const span& s) const { return whole_.substr(s.begin, s.end - s.begin); }
  int number_of(const std::string& pointer);
  enum class inside { nothing, pointer, what_follows };  // another access's pointer, or what follows that
  inside place_in_others(const walked_access& a) const;
  bool add(const walked_access& a);
  bool has_own_names(const span& part, const clang::Expr* of) const;
  void name_own();
  bool has_other_names() const;
  std::string text_before(bool in_parts) const;
  bool make_held(const span& all, bool wrapped, std::string& to) const;
  std::string values(bool is_held) const;
  bool can_be_parted() const;
  void part_wrapped() const;
  bool find_end(unsigned& end) const;

  const rewriting& r_;
  const counted_loop& l_;
  const loop_facts& known_;
  const clang::SourceManager& sources_;
  clang::FileID file_;
  std::string name_, whole_;  // the file's, and its text
  std::string held_, plain_;  // the loop on what is held, and where all memory can be accessed as it is
  std::vector<std::string> pointers_, runs_;
  std::vector<int> pointer_of_run_;
  std::vector<std::pair<span, std::string>> replaced_;
};

// A macro that it begins or ends with belongs to it.
span run_writer::span_of(const clang::Stmt* s) const {
  const clang::SourceLocation first = sources_.getExpansionRange(s->getBeginLoc()).getBegin();
  const clang::SourceLocation last = sources_.getExpansionRange(s->getEndLoc()).getEnd();
  return {sources_.getFileOffset(first),
          sources_.getFileOffset(last) + clang::Lexer::MeasureTokenLength(last, sources_, r_.p.ast.getLangOpts())};
}

// The text of an expression by itself, with its accesses wrapped.
std::string run_writer::rewritten(const clang::Expr* e) const {
  edits changes;
  editor to(r_.p, changes, r_.refused);
  const rewriting inner{r_.p, r_.d, to, r_.refused, r_.held};
  walk(e, [&](const clang::Stmt* s) {
    if (const auto* name = dyn_cast<clang::DeclRefExpr>(s)) rewrite_name(inner, name);
    if (const auto* part = dyn_cast<clang::Expr>(s)) rewrite_access(inner, part, false);
  });
  const span s = span_of(e);
  const std::vector<std::string> files = changes.files();
  return files.empty() ? plain(s) : changes.apply_within(files.front(), whole_, s.begin, s.end);
}

int run_writer::number_of(const std::string& pointer) {
  const auto found = std::ranges::find(pointers_, pointer);
  if (found != pointers_.end()) return static_cast<int>(found - pointers_.begin());
  pointers_.push_back(pointer);
  return static_cast<int>(pointers_.size()) - 1;
}

// What is part of a pointer is read before the loop, with that.
run_writer::inside run_writer::place_in_others(const walked_access& a) const {
  const span own = span_of(a.lvalue);
  for (const walked_access& other : known_.accesses()) {
    const span all = span_of(other.lvalue);
    if (other.anywhere || !all.has(own) || own.has(all)) continue;
    if (other.element != nullptr && own.begin >= span_of(other.element).end) continue;
    if (other.base == nullptr || span_of(other.base).has(own)) return inside::pointer;
    return inside::what_follows;
  }
  return inside::nothing;
}

bool run_writer::add(const walked_access& a) {
  const span all = span_of(a.lvalue);
  // What follows the pointer stays as it is written.
  const span what = a.element == nullptr ? all : span_of(a.element);
  if (a.base != nullptr && has_own_names({span_of(a.base).end, what.end}, a.lvalue)) return false;
  const std::string counter = l_.counter->getNameAsString();
  std::string first, last;
  int number = 0;
  if (a.base == nullptr) {
    number = number_of(fmt::format("&({})", rewritten(a.lvalue)));
    replaced_.emplace_back(all, fmt::format("(*eulash_v{})", number));
    first = last = fmt::format("eulash_h{}", number);
  } else {
    const span base = span_of(a.base);
    number = number_of(fmt::format("({})", rewritten(a.base)));
    replaced_.emplace_back(base, fmt::format("eulash_v{}", number));
    // Parentheses around a part of it would not be balanced in what follows the pointer.
    if (base.begin != all.begin) return false;
    const std::string place = fmt::format("&eulash_h{}{}", number, plain({base.end, what.end}));
    const std::string type = fmt::format("__typeof__(eulash_first) {}", counter);
    first = fmt::format("({{ {} = eulash_from; {}; }})", type, place);
    last = fmt::format("({{ {} = eulash_to; {}; }})", type, place);
  }
  for (std::size_t k = 0; k != runs_.size(); ++k) {
    const std::string same = fmt::format("{{{}, {}, sizeof(*{}), ", first, last, first);
    if (!runs_[k].starts_with(same)) continue;
    if (a.writes) runs_[k] = fmt::format("{}1, 0}}", same);
    return true;
  }
  runs_.push_back(fmt::format("{{{}, {}, sizeof(*{}), {}, 0}}", first, last, first, a.writes ? 1 : 0));
  pointer_of_run_.push_back(number);
  return true;
}

bool run_writer::has_own_names(const span& part, const clang::Expr* of) const {
  bool has = false;
  walk(of, [&](const clang::Stmt* s) {
    const auto* name = dyn_cast<clang::DeclRefExpr>(s);
    const auto* variable = name == nullptr ? nullptr : dyn_cast<clang::VarDecl>(name->getDecl());
    has = has || (variable != nullptr && decisions::is_own(variable) && part.has(span_of(name)));
  });
  return has;
}

// In the plain loop too, a thread's own data are reached by other names.
void run_writer::name_own() {
  const auto look = [&](const clang::Stmt* s) {
    const auto* name = dyn_cast<clang::DeclRefExpr>(s);
    const auto* variable = name == nullptr ? nullptr : dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || !decisions::is_own(variable)) return;
    const span there = span_of(name);
    if (std::ranges::none_of(replaced_, [&](const auto& r) { return r.first.has(there); }))
      replaced_.emplace_back(there, own_name(variable));
  };
  walk(l_.loop->getBody(), look);
}

// A name of shared data that would be left in the plain loop.
bool run_writer::has_other_names() const {
  bool others = false;
  const auto look = [&](const clang::Stmt* s) {
    const auto* name = dyn_cast<clang::DeclRefExpr>(s);
    const auto* variable = name == nullptr ? nullptr : dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || !r_.d.is_shared(r_.p, variable)) return;
    const span there = span_of(name);
    const auto covers = [&](const walked_access& a) { return a.anywhere && span_of(a.lvalue).has(there); };
    others = others || (std::ranges::none_of(replaced_, [&](const auto& r) { return r.first.has(there); }) &&
                        std::ranges::none_of(known_.accesses(), covers));
  };
  walk(l_.loop->getBody(), look);
  return others;
}

// Behind the statement, with its semicolon.
bool run_writer::find_end(unsigned& end) const {
  const clang::Stmt* body = l_.loop->getBody();
  while (const auto* branch = dyn_cast<clang::IfStmt>(body))
    body = branch->getElse() != nullptr ? branch->getElse() : branch->getThen();
  end = span_of(body).end;
  if (isa<clang::CompoundStmt, clang::NullStmt>(body)) return true;
  if (!isa<clang::Expr>(body)) return false;
  const auto next = clang::Lexer::findNextToken(body->getEndLoc(), sources_, r_.p.ast.getLangOpts());
  if (!next || next->isNot(clang::tok::semi)) return false;
  end = sources_.getFileOffset(next->getLocation()) + 1;
  return true;
}

// The loop on what is held, where accesses that are anywhere may still be wrapped.
bool run_writer::make_held(const span& all, bool wrapped, std::string& made) const {
  edits changes;
  editor to(r_.p, changes, r_.refused);
  const rewriting inner{r_.p, r_.d, to, r_.refused, r_.held};
  walk(l_.loop->getBody(), [&](const clang::Stmt* s) {
    const auto* name = dyn_cast<clang::DeclRefExpr>(s);
    if (name == nullptr || std::ranges::any_of(replaced_, [&](const auto& r) { return r.first.has(span_of(name)); }))
      return;
    rewrite_name(inner, name);
  });
  for (const walked_access& a : known_.accesses())
    if (wrapped && a.anywhere) rewrite_access(inner, a.whole, false);
  for (const clang::CallExpr* call : known_.calls()) {
    const span name = span_of(call->getCallee()->IgnoreParenImpCasts());
    changes.replace(name_, name.begin, name.end, held_functions::name_of(call->getDirectCallee()));
  }
  for (const auto& [where, with] : replaced_) changes.replace(name_, where.begin, where.end, with);
  const std::string counter = l_.counter->getNameAsString(),
                    type = l_.counter->getType().getUnqualifiedType().getAsString();
  const span init = span_of(l_.loop->getInit()), cond = span_of(l_.loop->getCond());
  // A declaration ends with its semicolon, an expression does not.
  changes.replace(name_, init.begin, init.end,
                  l_.declares ? fmt::format("{} {} = eulash_from;", type, counter) : counter + " = eulash_from");
  changes.replace(name_, cond.begin, cond.end, counter + (l_.inclusive ? " <= eulash_to" : " < eulash_to + 1"));
  made = changes.apply_within(name_, whole_, all.begin, all.end);
  return to.expanded_macros().files().empty();
}

std::string run_writer::text_before(bool in_parts) const {
  const std::string type = l_.counter->getType().getUnqualifiedType().getAsString();
  const std::string first = rewritten(l_.first), end = rewritten(l_.end);
  std::string text = fmt::format("{{ const {} eulash_first = ({}), eulash_last = ({}){}; (void)eulash_last;", type,
                                 first, end, l_.inclusive ? "" : " - 1");
  text += fmt::format(" if (eulash_first {} ({})) {{", l_.inclusive ? "<=" : "<", end);
  for (std::size_t k = 0; k != pointers_.size(); ++k)
    text += fmt::format(" __auto_type const eulash_h{} = {};", k, pointers_[k]);
  if (in_parts)
    text += fmt::format(
        " for ({0} eulash_from = eulash_first, eulash_to = eulash_first;; eulash_poll_rounds({1}), eulash_from = "
        "eulash_to + 1) {{ eulash_to = (uintptr_t)eulash_last - (uintptr_t)eulash_from < {1}u ? "
        "eulash_last : ({0})(eulash_from + ({1} - 1));",
        type, rounds_of_part);
  else
    text += fmt::format(" const {} eulash_from = eulash_first, eulash_to = eulash_last; (void)eulash_to;", type);
  if (known_.may_wait()) text += fmt::format(" if (eulash_view == NULL) {{{} {} }} else", values(false), plain_);
  text += fmt::format(" {{ struct eulash_run eulash_runs[] = {{");
  for (const std::string& run : runs_) text += run + ", ";
  text += fmt::format("}}; if (eulash_hold(eulash_runs, {})) {{", runs_.size());
  return text + values(true) + " " + held_ + " } else {\n";
}

// What the loop knows the pointers by.
std::string run_writer::values(bool is_held) const {
  std::string text;
  for (std::size_t k = 0; k != pointers_.size(); ++k) {
    const auto run = std::ranges::find(pointer_of_run_, static_cast<int>(k)) - pointer_of_run_.begin();
    const std::string shift = is_held ? fmt::format("(uintptr_t)eulash_runs[{}].shift", run) : "0";
    text += fmt::format(" __auto_type const eulash_v{0} = (__typeof__(eulash_h{0}))((uintptr_t)eulash_h{0} + {1});", k,
                        shift);
  }
  return text;
}

// Whether all that ends the loop is its counter, and its bounds stand where they can be changed.
bool run_writer::can_be_parted() const {
  if (known_.has_break()) return false;
  edits tried;
  std::vector<refusal> refused;
  editor to(r_.p, tried, refused);
  to.wrap(l_.first->getSourceRange(), "(", ")");
  to.wrap(l_.end->getSourceRange(), "(", ")");
  return to.expanded_macros().files().empty() && refused.empty();
}

// The loop with each access wrapped: of the part only.
void run_writer::part_wrapped() const {
  r_.to.wrap(l_.first->getSourceRange(), "((void)(", "), eulash_from)");
  r_.to.wrap(l_.end->getSourceRange(), "((void)(", l_.inclusive ? "), eulash_to)" : "), eulash_to + 1)");
}

bool run_writer::write() {
  span all = span_of(l_.loop);
  if (l_.loop->getBeginLoc().isMacroID() || !find_end(all.end)) return false;
  for (const walked_access& a : known_.accesses()) {
    if (a.anywhere) continue;
    const inside where = place_in_others(a);
    if (where == inside::what_follows || (where == inside::nothing && !add(a))) return false;
  }
  if (runs_.empty() || runs_.size() > most_runs || has_other_names()) return false;
  name_own();
  if (!make_held(all, true, held_) || (known_.may_wait() && !make_held(all, false, plain_))) return false;
  const bool in_parts = can_be_parted();
  const std::string before = text_before(in_parts);
  const auto hoisted = before.substr(0, before.find("if (eulash_hold("));
  if (hoisted.find('\n') != std::string::npos) return false;
  const place at = r_.p.place_of(l_.loop->getBeginLoc());
  // A loop that is not entered still gives its counter the first value.
  const std::string never = l_.declares ? "" : fmt::format(" else {} = eulash_first;", l_.counter->getNameAsString());
  const std::string ends = in_parts ? " } } if (eulash_to == eulash_last) break; }" : " } }";
  r_.to.wrap_offsets(file_, all.begin, all.end, before + line_directive(at.line, at.file), ends + " }" + never + " }");
  if (in_parts) part_wrapped();
  for (const clang::CallExpr* call : known_.calls()) r_.held.add_copy(r_, call->getDirectCallee());
  return true;
}

}  // namespace

void rewrite_runs(const rewriting& r, const clang::Stmt* loop, const clang::Stmt* function) {
  if (!r.d.is_proven() || is_short(r, loop)) return;
  const std::optional<counted_loop> l = counted(loop);
  if (!l) return;
  const loop_facts known(r, *l, function);
  if (known.is_plain()) run_writer(r, *l, known).write();
}

}  // namespace eulash
