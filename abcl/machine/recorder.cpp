#include "abcl/machine/recorder.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "abcl/runtime/digits.hpp"

namespace abcl::machine {

using kind = chart_event::kind;
using code::reactive;
namespace notes = code::notes;

namespace {

constexpr std::size_t most_letters = 80;

std::string text_of(int note, word value) {
  std::string to;
  switch (note) {
    case notes::integer:
      append_text(to, static_cast<std::int64_t>(value));
      break;
    case notes::real:
      append_text(to, std::bit_cast<double>(value));
      break;
    case notes::boolean:
      append_text(to, value != 0);
      break;
    case notes::object:
      to += value == 0 ? "nil" : "…";
      break;
    case notes::future:
      to += "(future)";
      break;
    default:
      break;
  }
  return to;
}

// The two words of a box's key are the node and the address; not when it was used.
word key_of(word to, word box) { return static_cast<word>(node_of(to)) << 32 | address_of(box); }

}  // namespace

recorder::recorder(int node, int nodes, std::function<double()> now, bool adds_clocks, std::size_t most)
    : node_(node), nodes_(nodes), now_(std::move(now)), adds_clocks_(adds_clocks), most_(most) {}

chart_event& recorder::add(kind what, word object) {
  chart_event* to = &not_kept_;
  if (events_.size() < most_) {
    to = &events_.emplace_back();
  } else {
    ++left_out_;
    not_kept_ = {};
  }
  to->what = what;
  to->at = now_() + (adds_clocks_ ? behind_ + static_cast<double>(untold_) : 0);
  to->object = object;
  to->node = node_of(object);
  return *to;
}

std::uint32_t recorder::next_mark() {
  if (events_.size() >= most_) return 0;
  return ++marks_ * static_cast<std::uint32_t>(nodes_) + static_cast<std::uint32_t>(node_);
}

void recorder::begins() {
  if (adds_clocks_) behind_ = std::max(0.0, busy_until_ - now_());
  untold_ = 0;
}
void recorder::ends() {
  if (adds_clocks_) busy_until_ = now_() + behind_;
}

// ---- messages

void recorder::puts(word box, int k, word value, int note) {
  words_[key_of(box, box)].push_back({k, note, value, text_of(note, value)});
}

void recorder::puts(word box, int k, std::string text) {
  words_[key_of(box, box)].push_back({k, notes::object, 1, std::move(text)});
}

std::vector<recorder::written> recorder::words_of(word to, word box) {
  const auto found = words_.find(key_of(to, box));
  if (found == words_.end()) return {};
  std::vector<written> all = std::move(found->second);
  words_.erase(found);
  std::stable_sort(all.begin(), all.end(), [](const written& a, const written& b) { return a.k < b.k; });
  return all;
}

// Those of `all` that are for people, behind what is in `text`, as far as it has room. A text of `none` letters has
// nothing yet.
void recorder::add_values(std::string& text, const std::vector<written>& all, std::size_t none) {
  for (const written& w : all) {
    if (w.note == notes::reply_destination || w.note == notes::no_value) continue;
    if (text.size() > none) text += ' ';
    text += w.text;
    if (text.size() > most_letters) break;
  }
}

std::uint32_t recorder::sends(std::uint32_t object, word to, word datum, const code::selector_info& what,
                              bool express) {
  const std::vector<written> all = words_of(to, datum);
  const std::uint32_t mark = next_mark();
  chart_event& e = add(kind::message_sent, name(object));
  e.other = to;
  e.message = mark;
  e.express = express;
  // The last two words say where the reply goes; a past send may leave them out.
  e.asks = what.asks && all.size() >= 2 && all[all.size() - 2].value != 0;
  e.text = "[";
  if (what.name.starts_with("[:")) e.text += what.name.substr(1, what.name.find_first_of(" ]") - 1);
  add_values(e.text, all, 1);
  e.text += ']';
  return mark;
}

std::uint32_t recorder::replies(std::uint32_t object, word to, word datum) {
  const std::vector<written> all = words_of(to, datum);
  const std::uint32_t mark = next_mark();
  chart_event& e = add(kind::reply_sent, name(object));
  e.other = to;
  e.message = mark;
  add_values(e.text, all, 0);
  return mark;
}

void recorder::creates(std::uint32_t creator, word object, const std::string& of_class) {
  words_of(object, object);
  chart_event& e = add(kind::created, object);
  e.other = creator == 0 ? 0 : name(creator);
  e.text = of_class;
}

// ---- objects

void recorder::waits(std::uint32_t object, doing& now, doing for_what) {
  if (now == for_what) return;  // it has looked at a message, or a reply, that it does not wait for
  now = for_what;
  add(kind::waits, name(object)).text = for_what == doing::waits_for_reply     ? "a reply"
                                        : for_what == doing::waits_for_message ? "a message"
                                                                               : "the outside";
}

void recorder::goes_on(std::uint32_t object, doing& now) {
  now = doing::runs;
  add(kind::goes_on, name(object));
}

bool recorder::ends_express(std::uint32_t object, activity& a) {
  if (a.express == doing::nothing) return false;
  a.express = doing::nothing;
  add(kind::clause_ended, name(object));
  return true;
}

void recorder::ends_clause(std::uint32_t object, activity& a) {
  ends_express(object, a);
  if (a.normal == doing::nothing) return;
  a.normal = doing::nothing;
  add(kind::clause_ended, name(object));
}

void recorder::takes(std::uint32_t object, std::uint32_t box, int note) {
  const auto found = pending_.find(box);
  if (found == pending_.end() && note == notes::reply) return;  // a value that has been taken before
  const std::uint32_t mark = found == pending_.end() ? 0 : found->second;
  if (found != pending_.end()) pending_.erase(found);
  if (note == notes::reply) {
    add(kind::reply_taken, name(object)).message = mark;
    return;
  }
  activity& a = activities_[object];
  if (note == notes::message) {
    ends_clause(object, a);
    a.normal = doing::runs;
  } else if (note == notes::message_express) {
    ends_express(object, a);
    a.express = doing::runs;
  } else if (a.now() != doing::runs) {
    goes_on(object, a.now());
  }
  chart_event& e = add(kind::message_taken, name(object));
  e.message = mark;
  e.express = note == notes::message_express;
  e.within = note == notes::message_within;
}

void recorder::links(std::uint32_t object, reactive to, int note) {
  activity& a = activities_[object];
  switch (to) {
    case reactive::busy:
      if (note != notes::interrupts && a.now() == doing::waits_for_reply) goes_on(object, a.now());
      return;
    case reactive::dormant:
    case reactive::dormant_open:
    case reactive::idle:
    case reactive::finished:
      return ends_clause(object, a);
    case reactive::accepting:
    case reactive::accepting_open:
      if (note != notes::in_clause) return ends_clause(object, a);
      if (to == reactive::accepting_open) ends_express(object, a);
      return waits(object, a.now(), doing::waits_for_message);
    case reactive::waiting_one:
    case reactive::waiting:
      return waits(object, a.now(), doing::waits_for_reply);
    case reactive::waiting_open:
      ends_express(object, a);
      return waits(object, a.normal, doing::waits_for_reply);
    case reactive::ended:
      ends_express(object, a);
      add(kind::ended, name(object));
      return;
  }
}

void recorder::resumes(std::uint32_t object) {
  activity& a = activities_[object];
  // A reply that it waited for has come in the meantime.
  if (ends_express(object, a) && a.normal == doing::waits_for_reply) goes_on(object, a.normal);
}

void recorder::asks_outside(std::uint32_t object) {
  waits(object, activities_[object].now(), doing::waits_for_outside);
}

void recorder::answered(std::uint32_t object) {
  doing& now = activities_[object].now();
  if (now == doing::waits_for_outside) goes_on(object, now);
}

}  // namespace abcl::machine
