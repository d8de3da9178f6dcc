#include "abcl/chart/story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace abcl::chart {
namespace {

using kind = chart_event::kind;

bool names_another(kind k) { return k == kind::created || k == kind::message_sent || k == kind::reply_sent; }

std::string counted(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

// Which objects there are, their names, and which events are shown.
class choosing {
 public:
  choosing(story& s, const chart_options& how) : s_(s), how_(how) {}

  void operator()(std::vector<chart_event> all) {
    std::stable_sort(all.begin(), all.end(), [](const chart_event& a, const chart_event& b) { return a.at < b.at; });
    for (const chart_event& e : all) {
      see(e.object, e.node, e.what == kind::created ? e.text : std::string());
    }
    number();
    for (chart_event& e : all) {
      if (e.object != 0 && !shown(e.object)) continue;
      // Whom a shown object talks to, and who created it, may be hidden; then only its own part is drawn.
      s_.events.push_back(std::move(e));
    }
    if (s_.events.size() > how_.most_events) {
      s_.left_out.push_back(fmt::format("Left out: {} after the first {}.",
                                        counted(s_.events.size() - how_.most_events, "event"), how_.most_events));
      s_.events.resize(how_.most_events);
      forget_later_objects();
    }
    for (const chart_event& e : s_.events) {
      s_.lines_of.push_back(line_of(e.object));
      s_.others_of.push_back(names_another(e.what) ? line_of(e.other) : program_start);
    }
  }

  bool shown(std::uint64_t object) const { return objects_.at(object).line >= 0; }
  // An object that is not shown has program_start, too.
  int line_of(std::uint64_t object) const {
    const auto found = objects_.find(object);
    return found == objects_.end() ? program_start : found->second.line;
  }

 private:
  struct seen {
    int line = program_start;
    std::size_t order = 0;
    int node = 0;
    std::string of_class;
  };

  void see(std::uint64_t object, int node, const std::string& of_class) {
    if (object == 0) return;
    const auto [at, fresh] = objects_.try_emplace(object);
    if (fresh) {
      at->second = {program_start, order_.size(), node, {}};
      order_.push_back(object);
    }
    if (!of_class.empty()) at->second.of_class = of_class;
  }

  // Objects of a class are numbered by when they appear; one that is alone has no number.
  void number() {
    std::map<std::string, int> of_class;
    for (const std::uint64_t o : order_) ++of_class[objects_[o].of_class];
    std::map<std::string, int> next;
    for (const std::uint64_t o : order_) {
      seen& object = objects_[o];
      const int n = ++next[object.of_class];
      if (s_.lines.size() == how_.most_objects) continue;
      object.line = static_cast<int>(s_.lines.size());
      lifeline& l = s_.lines.emplace_back();
      l.object = o;
      l.node = object.node;
      l.name = object.of_class.empty() ? std::string("object") : object.of_class;
      if (of_class[object.of_class] > 1) l.name += fmt::format(" {}", n);
    }
    if (order_.size() > s_.lines.size())
      s_.left_out.push_back(fmt::format("Left out: {} of {}, those that come after the first {}.",
                                        counted(order_.size() - s_.lines.size(), "object"), order_.size(),
                                        s_.lines.size()));
  }

  // Lifelines have their order from their first events, so those without one are the last.
  void forget_later_objects() {
    std::size_t last = 0;
    for (const chart_event& e : s_.events) {
      if (e.object != 0) last = std::max(last, static_cast<std::size_t>(line_of(e.object)) + 1);
    }
    for (std::size_t i = last; i < s_.lines.size(); ++i) objects_[s_.lines[i].object].line = program_start;
    s_.lines.resize(last);
  }

  story& s_;
  const chart_options& how_;
  std::unordered_map<std::uint64_t, seen> objects_;
  std::vector<std::uint64_t> order_;
};

// What an object does at a time: a stack of clauses, each of which runs or waits.
class activity {
 public:
  explicit activity(lifeline& of) : of_(of) {}

  void begin(std::size_t event) {
    // One that was only concluded to be running has ended, since it does not wait.
    if (!stack_.empty() && stack_.back().concluded && !of_.stretches[stack_.back().last].waits) end(event);
    push(event, false);
  }
  void end(std::size_t event) {
    if (stack_.empty()) return;
    of_.stretches[stack_.back().last].to = event;
    stack_.pop_back();
  }
  void end_all(std::size_t event) {
    while (!stack_.empty()) end(event);
  }
  // Whoever acts is running: its body, if nothing has begun.
  void acts(std::size_t event) {
    if (!stack_.empty()) return;
    const bool body = of_.stretches.empty() && of_.created != no_event && of_.created <= event;
    push(body ? of_.created : event, true);
  }
  void waits(std::size_t event, const std::string& text) {
    acts(event);
    turn(stack_.back(), event, true, text);
  }
  void goes_on(std::size_t event) {
    for (std::size_t i = stack_.size(); i-- > 0;) {
      if (of_.stretches[stack_[i].last].waits) return turn(stack_[i], event, false, {});
    }
    acts(event);
  }

 private:
  struct clause {
    std::size_t last;  // of its stretches
    bool concluded;
    int depth;
  };
  void push(std::size_t event, bool concluded) {
    const int depth = static_cast<int>(stack_.size());
    of_.stretches.push_back({event, no_event, false, depth, {}});
    stack_.push_back({of_.stretches.size() - 1, concluded, depth});
  }
  void turn(clause& c, std::size_t event, bool waits, const std::string& text) {
    of_.stretches[c.last].to = event;
    of_.stretches.push_back({event, no_event, waits, c.depth, text});
    c.last = of_.stretches.size() - 1;
  }

  lifeline& of_;
  std::vector<clause> stack_;
};

void tell_activities(story& s) {
  std::vector<activity> all;
  all.reserve(s.lines.size());
  for (lifeline& l : s.lines) all.emplace_back(l);
  for (std::size_t i = 0; i < s.events.size(); ++i) {
    const chart_event& e = s.events[i];
    if (e.what == kind::created && s.others_of[i] >= 0) all[static_cast<std::size_t>(s.others_of[i])].acts(i);
    if (s.lines_of[i] < 0) continue;
    const auto line = static_cast<std::size_t>(s.lines_of[i]);
    activity& a = all[line];
    switch (e.what) {
      case kind::created:
        s.lines[line].created = i;
        break;
      case kind::message_taken:
        e.within ? a.acts(i) : a.begin(i);
        break;
      case kind::clause_ended:
        a.acts(i), a.end(i);
        break;
      case kind::waits:
        a.waits(i, e.text);
        break;
      case kind::goes_on:
        a.goes_on(i);
        break;
      case kind::message_sent:
      case kind::reply_sent:
        a.acts(i);
        break;
      case kind::reply_taken:
        break;
      case kind::ended:
        s.lines[line].ended = i;
        a.end_all(i);
        break;
    }
  }
}

// A question whose sender waits next, but for what else it asks and creates, is a now message; else the sender goes on.
std::vector<bool> waited_for(const story& s) {
  std::vector<bool> result(s.events.size(), false);
  std::vector<bool> waits_next(s.lines.size(), false);
  for (std::size_t i = s.events.size(); i-- > 0;) {
    const chart_event& e = s.events[i];
    if (s.lines_of[i] < 0) continue;
    const auto line = static_cast<std::size_t>(s.lines_of[i]);
    if (e.what == kind::message_sent && e.asks) {
      result[i] = waits_next[line];
    } else if (e.what != kind::created) {
      waits_next[line] = e.what == kind::waits || e.what == kind::reply_taken;
    }
  }
  return result;
}

void tell_arrows(story& s) {
  // Where a message is taken, by its number; a reply to an object is taken as a message.
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> messages, replies;
  for (std::size_t i = s.events.size(); i-- > 0;) {
    const chart_event& e = s.events[i];
    if (e.message == 0) continue;
    if (e.what == kind::message_taken) messages[e.message].push_back(i);
    if (e.what == kind::reply_taken) replies[e.message].push_back(i);
  }
  const auto taken = [&](const chart_event& e) {
    const bool reply = e.what == kind::reply_sent;
    for (auto* from : {reply ? &replies : &messages, reply ? &messages : &replies}) {
      const auto found = from->find(e.message);
      if (found == from->end() || found->second.empty()) continue;
      // A reply has the number of its question, maybe: then what is taken as a message is the question.
      const std::size_t at = found->second.back();
      if (s.events[at].object != e.other) continue;
      found->second.pop_back();
      return at;
    }
    return no_event;
  };
  const std::vector<bool> waited = waited_for(s);
  for (std::size_t i = 0; i < s.events.size(); ++i) {
    const chart_event& e = s.events[i];
    const int self = s.lines_of[i], other = s.others_of[i];
    if (e.what == kind::created) {
      if (self >= 0 && (other >= 0 || e.other == 0))
        s.arrows.push_back({arrow::kind::creation, other, self, i, i, {}, false});
      continue;
    }
    if (e.what != kind::message_sent && e.what != kind::reply_sent) continue;
    if ((self < 0 && e.object != 0) || (other < 0 && e.other != 0)) continue;
    arrow a{arrow::kind::reply, self, other, i, taken(e), e.text, e.express};
    if (e.what == kind::message_sent)
      a.what = !e.asks ? arrow::kind::past : waited[i] ? arrow::kind::now : arrow::kind::future;
    s.arrows.push_back(std::move(a));
  }
}

}  // namespace

story tell(std::vector<chart_event> events, const chart_options& how) {
  story s;
  s.left_out = how.left_out;
  choosing(s, how)(std::move(events));
  tell_activities(s);
  tell_arrows(s);
  return s;
}

}  // namespace abcl::chart
