#include "tsubu/sim/protocol.hpp"

#include <algorithm>
#include <utility>

#include "tsubu/base/check.hpp"

namespace tsubu::sim {

using what = step::what;

namespace {

// Whether the packet at `at` is one that its sender waits to be answered: a packet back comes before the sender's next
// step. What comes back at the very end is a message of its own.
bool is_answered(const std::vector<step>& steps, std::size_t at) {
  for (std::size_t s = at + 1; s + 1 < steps.size(); ++s) {
    if (steps[s].does == what::packet_back) return true;
    if (steps[s].does != what::receiver) return false;
  }
  return false;
}

// Whether the sender has no step from `from` on.
bool nothing_left_here(const std::vector<step>& steps, std::size_t from) {
  return std::all_of(steps.begin() + static_cast<std::ptrdiff_t>(from), steps.end(), [](const step& s) {
    return s.does == what::receiver || s.does == what::memory || s.does == what::interface ||
           s.does == what::packet_back || s.does == what::leave || s.does == what::resume;
  });
}

// What the receiver's interface takes to execute it, or that it does not.
std::int64_t interface_time(const std::vector<step>& steps, std::int64_t if_not) {
  const auto found = std::find_if(steps.begin(), steps.end(), [](const step& s) { return s.does == what::interface; });
  return found == steps.end() ? if_not : found->ps;
}

const char* name_of(message_kind kind) {
  switch (kind) {
    case message_kind::control:
      return "control";
    case message_kind::past:
      return "past";
    case message_kind::create:
      return "create";
    case message_kind::request:
      return "request";
    case message_kind::reply:
      return "reply";
    case message_kind::read:
      return "read";
    case message_kind::answer:
      return "answer";
    case message_kind::write:
      return "write";
    case message_kind::collective:
      return "collective";
  }
  return "";
}

// How long a packet is: a word, or the whole message of so many words of arguments.
std::size_t words_of(const step& packet, std::size_t arguments) {
  return packet.header_words ? static_cast<std::size_t>(*packet.header_words) + arguments : 1;
}

}  // namespace

protocol_player::protocol_player(const machine& of, int pes, network& wires, predicted expects, hooks to)
    : machine_(of), network_(wires), to_(std::move(to)) {
  const auto& cost = machine_.cost;
  plain_ = {{what::sender, cost.packet_send + cost.batch_send, false},
            {what::packet, 0, false},
            {what::receiver, cost.batch_receive + cost.packet_execute + cost.task_switch, false}};
  answer_ = {{what::packet, 0, false}, {what::receiver, cost.task_switch, false}};
  const auto read = machine_.protocols.find("read");
  interface_answers_ = read != machine_.protocols.end() && interface_time(read->second, pe_executes) != pe_executes;
  const auto request = machine_.protocols.find("request");
  if (request != machine_.protocols.end() && request->second.back().does == what::leave)
    leave_ps_ = request->second.back().ps;
  pes_.resize(static_cast<std::size_t>(pes));
  for (pe_id pe = 0; pe < pes; ++pe) at(pe).number = pe;
  if (expects == predicted::nothing) return;
  predicting_ = expects == predicted::size ? machine_.prediction.size : machine_.prediction.selector;
  predictors_.assign(pes_.size(), predictor(expects, machine_.prediction.only_counted));
}

const std::vector<step>& protocol_player::steps_of(message_kind kind, bool to_new) const {
  auto found = machine_.protocols.end();
  if (kind == message_kind::request && to_new) found = machine_.protocols.find("request_to_new");
  if (found == machine_.protocols.end()) found = machine_.protocols.find(name_of(kind));
  if (found != machine_.protocols.end()) return found->second;
  return kind == message_kind::answer && machine_.protocols.contains("read") ? answer_ : plain_;
}

protocol_player::activity& protocol_player::next_of(processor& p) {
  if (p.next == nullptr) {
    p.next = activities_.make({});
    p.next->home = p.number;
  }
  return *p.next;
}

void protocol_player::add_work(pe_id pe, std::int64_t ps) { next_of(at(pe)).parts.push_back({ps, nullptr}); }

protocol_player::message* protocol_player::make_message(processor& p, const flight& f, const std::vector<step>& steps,
                                                        const message_facts& facts) {
  pair& way = p.to[f.to];
  const bool is_answer = facts.kind == message_kind::answer;
  message* const m = messages_.make({.f = f,
                                     .steps = &steps,
                                     .facts = facts,
                                     .kind = name_of(facts.kind),
                                     .answers = way.answers_sent,
                                     .others = way.others_sent,
                                     .is_answer = is_answer,
                                     .interface_ps = interface_time(steps, pe_executes)});
  ++(is_answer ? way.answers_sent : way.others_sent);
  return m;
}

void protocol_player::add_message(const flight& f, const message_facts& facts) {
  processor& p = at(f.from);
  if (facts.kind == message_kind::answer && interface_answers_) {
    p.from_interface.push_back(make_message(p, f, steps_of(facts.kind, false), facts));
    return;
  }
  activity& a = next_of(p);
  // To an object that this activity creates: what it needs to know of it is at hand.
  const bool to_new =
      facts.kind == message_kind::request &&
      std::any_of(a.parts.begin(), a.parts.end(), [&](const activity::part& part) {
        return part.sends != nullptr && part.sends->f.to == f.to && part.sends->facts.kind == message_kind::create;
      });
  a.parts.push_back({0, make_message(p, f, steps_of(facts.kind, to_new), facts)});
}

bool protocol_player::begin_next(pe_id pe, std::int64_t ps, bool resumes) {
  processor& p = at(pe);
  for (message* const m : p.from_interface) send({.brings = m}, pe, m->f.to, ps, m->kind);
  p.from_interface.clear();
  const bool held = std::exchange(p.hands_over, false);
  add_resumption(p);
  std::uint64_t ran = 0;  // tasks
  if (leave_ps_ != 0 && !resumes) {
    const std::uint64_t before = std::exchange(p.tasks_run_played, to_.tasks_run(pe));
    ran = p.tasks_run_played - before;
    if (ran != 0 && p.unanswered > p.left) next_of(p);  // one may wait, though it has done nothing
  }
  activity* const a = std::exchange(p.next, nullptr);
  if (a == nullptr) {
    if (held) hold(p, ps);
    return false;
  }
  a->resumes = resumes;
  a->tasks =
      static_cast<std::size_t>(std::max<std::uint64_t>(ran, 1));  // what a message begins on the spot is no task yet
  if (held && p.activities_waiting == 0) {
    play(p, a, ps);
    return true;
  }
  // A message came before the program's turns so far had been played: what it made of it is behind them.
  queue(p, {.begins = a}, ps);
  if (held) hold(p, ps);
  return true;
}

// The turn that took a message is over. If a task went on by it, that comes before what the task did.
void protocol_player::add_resumption(processor& p) {
  const std::int64_t ps = std::exchange(p.resume_ps, 0);
  const bool by_reply = std::exchange(p.takes_reply, false) && leave_ps_ != 0;
  if (ps == 0 && !by_reply) return;
  const bool goes_on = to_.tasks_run(p.number) != p.tasks_run_before;
  if (by_reply) {
    const bool was_left = goes_on && p.left > 0;
    p.left = std::min(p.left - (was_left ? 1 : 0), p.unanswered);
    if (!was_left) return;
  }
  if (ps == 0 || !goes_on) return;
  auto& parts = next_of(p).parts;
  parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(p.parts_before), {ps, nullptr, true});
}

void protocol_player::queue(processor& p, job j, std::int64_t ps) {
  if (!p.busy) return serve(p, j, ps);
  p.waiting.push_back(j);
  if (j.begins != nullptr) ++p.activities_waiting;
}

void protocol_player::hold(processor& p, std::int64_t until_ps, message* hands_over, bool resumes, std::size_t tasks) {
  p.busy = true;
  events_.push({.ps = until_ps,
                .number = numbers_++,
                .pe = p.number,
                .handed_over = hands_over,
                .resumes = resumes,
                .tasks = tasks});
}

void protocol_player::spend(pe_id pe, std::int64_t breakdown::* on, std::int64_t from_ps, std::int64_t ps,
                            const char* name) {
  to_.account(pe).*on += ps;
  if (to_.traced != nullptr && ps != 0) to_.traced->step(pe, from_ps, from_ps + ps, name);
}

void protocol_player::send(const packet& sent, pe_id from, pe_id to, std::int64_t ps, const char* kind) {
  flight f{};
  f.ps = ps;
  f.number = packets_++;
  f.from = from;
  f.to = to;
  f.what = packets_under_way_.make(sent);
  f.bytes = sent.words * static_cast<std::size_t>(machine_.word_bytes);
  if (to_.traced != nullptr) to_.traced->sent(from, f.number, to, kind, f.bytes, ps);
  if (from == to) return arrived(f);  // its own way back: no network
  // What an interface sends meanwhile goes before what its PE sends later.
  if (interface_answers_) return events_.push({.ps = ps, .number = numbers_++, .pe = from, .leaves = leaving_.make(f)});
  if (network_.send(f)) arrived(f);
}

void protocol_player::arrived(const flight& f) {
  const std::int64_t ps = f.ps + to_.delay();
  if (to_.traced != nullptr) to_.traced->taken(f.from, f.number, f.to, ps);
  events_.push({.ps = ps, .number = numbers_++, .pe = f.to, .arrives = static_cast<packet*>(f.what)});
}

// The PE goes on with an activity of its own, from `ps` on, until that waits or ends.
void protocol_player::play(processor& p, activity* a, std::int64_t ps) {
  while (a->part_now < a->parts.size()) {
    activity::part& part = a->parts[a->part_now];
    if (part.sends == nullptr) {
      const bool works = !part.goes_on_first;
      spend(p.number, works ? &breakdown::working : &breakdown::switching, ps, part.work_ps, works ? "work" : "resume");
      ps += part.work_ps;
      ++a->part_now;
      continue;
    }
    message& m = *part.sends;
    const std::vector<step>& steps = *m.steps;
    bool gone = false;
    while (!gone && a->step_now < steps.size()) {
      // One step, or a group of them that is repeated for each word.
      const std::size_t begin = a->step_now;
      std::size_t end = begin + 1;
      const bool group = steps[begin].each_word;
      while (group && end < steps.size() && steps[end].each_word) ++end;
      if (!group && steps[begin].does == what::packet && is_answered(steps, begin)) {
        a->step_now = begin + 1;
        send({.asks = a, .words = words_of(steps[begin], m.facts.words)}, p.number, m.f.to, ps, m.kind);
        return hold(p, ps);
      }
      // The last packet brings the message itself.
      const bool last_group = nothing_left_here(steps, end);
      const std::size_t times = group ? std::max<std::size_t>(m.facts.words, last_group ? 1 : 0) : 1;
      for (std::size_t n = 0; n < times; ++n) {
        for (std::size_t s = begin; s < end; ++s) {
          if (steps[s].does == what::sender) {
            spend(p.number, &breakdown::sending, ps, steps[s].ps, m.kind);
            ps += steps[s].ps;
          } else if (steps[s].does == what::packet) {
            const bool brings = last_group && n + 1 == times;
            const std::int64_t memory_ps = s + 1 < end && steps[s + 1].does == what::memory ? steps[s + 1].ps : 0;
            send({.brings = brings ? &m : nullptr, .memory_ps = memory_ps, .words = words_of(steps[s], m.facts.words)},
                 p.number, m.f.to, ps, m.kind);
            gone = gone || brings;
          }
        }
      }
      a->step_now = end;
    }
    a->step_now = 0;
    if (steps.back().does == what::leave) ++p.unanswered;
    require(gone, "a protocol of machine {} does not end with a packet to the receiver", machine_.name);
    ++a->part_now;
  }
  const bool resumes = a->resumes;
  const std::size_t may_wait = !resumes && p.unanswered > p.left ? a->tasks : 0;
  activities_.give_back(a);
  hold(p, ps, nullptr, resumes, may_wait);
}

// So many tasks did something; as many of them wait now as answers have not come. Returns when they have been left.
std::int64_t protocol_player::leave_tasks(processor& p, std::size_t tasks, std::int64_t ps) {
  const auto here = static_cast<std::size_t>(std::count_if(p.waiting.begin(), p.waiting.end(), [](const job& j) {
    return j.arrived != nullptr && j.arrived->brings != nullptr && j.arrived->brings->facts.kind == message_kind::reply;
  }));
  const std::size_t missing = p.unanswered - p.left - std::min(p.unanswered - p.left, here);
  for (std::size_t leaving = std::min(missing, tasks); leaving > 0; --leaving) {
    spend(p.number, &breakdown::switching, ps, leave_ps_, "leave");
    ps += leave_ps_;
    ++p.left;
  }
  return ps;
}

// What a PE does next takes it from `ps` on.
void protocol_player::serve(processor& p, const job& j, std::int64_t ps) {
  if (j.begins != nullptr) return play(p, j.begins, ps);
  if (j.ready != nullptr) return hold(p, ps, j.ready);
  const packet taken = *j.arrived;
  packets_under_way_.give_back(j.arrived);
  if (taken.asks != nullptr && taken.back) return play(p, taken.asks, ps);
  if (taken.asks != nullptr) {  // a step for an activity of another PE
    activity& a = *taken.asks;
    const message& m = *a.parts[a.part_now].sends;
    while ((*m.steps)[a.step_now].does != what::packet_back) {
      const step& s = (*m.steps)[a.step_now++];
      spend(p.number, &breakdown::receiving, ps, s.ps, m.kind);
      ps += s.ps;
    }
    ++a.step_now;
    send({.asks = &a, .back = true}, p.number, a.home, ps, m.kind);
    return hold(p, ps);
  }
  if (taken.brings != nullptr) {
    message* const m = taken.brings;
    return hold(p, receive(p, *m, ps), m);
  }
  spend(p.number, &breakdown::receiving, ps, taken.memory_ps, "memory");
  hold(p, ps + taken.memory_ps);
}

// The steps behind the packet that brought the message; of these, what was done ahead is not done again. Returns when
// they are over.
std::int64_t protocol_player::receive(processor& p, const message& m, std::int64_t ps) {
  auto s =
      std::find_if(m.steps->rbegin(), m.steps->rend(), [](const step& one) { return one.does == what::packet; }).base();
  std::int64_t done_ps = 0;
  if (!predictors_.empty()) {
    const predictor::taken t =
        predictors_[static_cast<std::size_t>(p.number)].take({words_of(*(s - 1), m.facts.words), m.facts.handler});
    const auto takes = [&](std::int64_t takes_ps, const char* name) {
      spend(p.number, &breakdown::executing, ps, takes_ps, name);
      ps += takes_ps;
    };
    if (t.of_prediction == predictor::outcome::hit) takes(predicting_.hit, "compare");
    if (t.of_prediction == predictor::outcome::miss) takes(predicting_.miss, "discard");
    if (t.logged) takes(machine_.prediction.log, "log");
    const bool earns = t.of_prediction == predictor::outcome::hit ||
                       (t.of_prediction == predictor::outcome::miss && machine_.prediction.miss_earns);
    if (earns) done_ps = predicting_.ahead;
  }
  for (; s != m.steps->end(); ++s) {
    if (s->does == what::packet_back || s->does == what::leave || s->does == what::resume) break;
    const std::int64_t step_ps = s->ps - std::min(s->ps, done_ps);
    done_ps -= s->ps - step_ps;
    spend(p.number, &breakdown::executing, ps, step_ps, m.kind);
    ps += step_ps;
  }
  return ps;
}

void protocol_player::move() {
  const event e = events_.top();
  events_.pop();
  if (e.leaves != nullptr) {
    flight f = *e.leaves;
    leaving_.give_back(e.leaves);
    if (network_.send(f)) arrived(f);
    return;
  }
  processor& p = at(e.pe);
  if (e.arrives != nullptr) {
    const message* const m = e.arrives->brings;
    if (m != nullptr && m->interface_ps != pe_executes) return serve_by_interface(p, e.arrives, e.ps);
    return queue(p, {.arrived = e.arrives}, e.ps);
  }
  if (e.handed_over != nullptr) return hand_over(p, e.handed_over, e.ps);
  if (e.tasks != 0) return hold(p, leave_tasks(p, e.tasks, e.ps));
  p.busy = false;
  if (e.resumes) to_.resumes(e.pe, e.ps);
  take(p, e.ps);
}

void protocol_player::serve_by_interface(processor& p, packet* arrived, std::int64_t ps) {
  message* const m = arrived->brings;
  packets_under_way_.give_back(arrived);
  p.interface_free_ps = std::max(p.interface_free_ps, ps) + m->interface_ps;
  events_.push({.ps = p.interface_free_ps, .number = numbers_++, .pe = p.number, .handed_over = m});
}

// Those from one PE to another in the order of their sending: one that is early waits, and its PE goes on.
void protocol_player::hand_over(processor& p, message* m, std::int64_t ps) {
  pair& way = at(m->f.from).to[p.number];
  const bool by_interface = m->interface_ps != pe_executes;
  if (!way.lets(*m)) {
    way.early.push_back(m);
    if (by_interface) return;
    p.busy = false;
    return take(p, ps);
  }
  ++(m->is_answer ? way.answers_handed_over : way.others_handed_over);
  // The PE stays busy until the turn is over in which the program takes it.
  if (!by_interface) {
    p.hands_over = true;
    p.takes_reply = m->facts.kind == message_kind::reply;
    if (p.takes_reply && p.unanswered > 0) --p.unanswered;
    if (m->steps->back().does == what::resume) p.resume_ps = m->steps->back().ps;
    if (p.resume_ps != 0 || (p.takes_reply && leave_ps_ != 0)) p.tasks_run_before = to_.tasks_run(p.number);
    p.parts_before = p.next == nullptr ? 0 : p.next->parts.size();
  }
  const flight f = m->f;
  messages_.give_back(m);
  to_.hand_over(f, ps);
  release_early(p, way, ps);
}

// Those that waited for what has just been handed over.
void protocol_player::release_early(processor& p, pair& way, std::int64_t ps) {
  const auto next =
      std::find_if(way.early.begin(), way.early.end(), [&](const message* early) { return way.lets(*early); });
  if (next == way.early.end()) return;
  message* const freed = *next;
  way.early.erase(next);
  if (freed->interface_ps != pe_executes) return hand_over(p, freed, ps);
  if (!p.busy) return serve(p, {.ready = freed}, ps);
  p.waiting.push_front({.ready = freed});
}

void protocol_player::take(processor& p, std::int64_t ps) {
  if (p.waiting.empty()) return rest(p, ps);
  const job j = p.waiting.front();
  p.waiting.pop_front();
  if (j.begins != nullptr) --p.activities_waiting;
  serve(p, j, ps);
}

// Nothing waits. What is done ahead is idle time; but it is done to its end, so what comes in its midst waits.
void protocol_player::rest(processor& p, std::int64_t ps) {
  if (predictors_.empty() || !predictors_[static_cast<std::size_t>(p.number)].predict()) return;
  if (to_.traced != nullptr) to_.traced->step(p.number, ps, ps + predicting_.ahead, "predict");
  hold(p, ps + predicting_.ahead);
}

}  // namespace tsubu::sim
