// Steps of messages become packets, links and ends of sequences.
#include <utility>

#include "abcl/registers/flow.hpp"
#include "abcl/registers/passes.hpp"

namespace abcl::registers {

using code::entry;
using code::handler;
using code::instruction;
using code::opcode;
using code::reactive;
using code::value;
namespace words = code::words;

namespace {

// What an interrupted clause was doing: it ran. Other values are those of `reactive`.
constexpr int was_running = 100;

class selection {
 public:
  selection(code::text& t, const code::program& p) : t_(t), express_(p.express), next_value_(values_of(t)) {}

  void run() {
    const std::size_t count = t_.blocks.size();
    for (std::size_t b = 0; b < count; ++b) {
      std::vector<instruction> steps = std::move(t_.blocks[b].steps);
      t_.blocks[b].steps.clear();
      at_ = b;
      express_clause_ = t_.blocks[b].express;
      for (const instruction& s : steps) {
        site_ = s.site;
        step(s);
      }
    }
  }

 private:
  value fresh() { return next_value_++; }
  void emit(instruction i) {
    if (i.site < 0) i.site = site_;
    t_.blocks[at_].steps.push_back(i);
  }
  int block() {
    t_.blocks.push_back({{}, express_clause_, {}});
    return static_cast<int>(t_.blocks.size()) - 1;
  }
  void enter(int b) { at_ = static_cast<std::size_t>(b); }
  void jump(int to) { emit({.what = opcode::jump, .t = to}); }
  value load(value from, int k) {
    const value d = fresh();
    emit({.what = opcode::load, .d = d, .a = from, .k = k});
    return d;
  }
  void store(value to, int k, value v) { emit({.what = opcode::store, .a = to, .b = v, .k = k}); }
  void store_number(value to, int k, std::int64_t n) {
    const value v = fresh();
    emit({.what = opcode::set, .d = v, .k = n});
    store(to, k, v);
  }
  // Two blocks, of which the first is entered.
  int unless_equal(value a, std::int64_t k) {
    const int yes = block(), no = block();
    emit({.what = opcode::if_equal, .a = a, .k = k, .t = yes, .u = no});
    enter(yes);
    return no;
  }
  void link(reactive r, std::int16_t note = 0) { emit({.what = opcode::link, .note = note, .k = static_cast<int>(r)}); }
  void resume_at(value place) { emit({.what = opcode::go, .note = code::notes::resumes, .a = place}); }
  void end() { emit({.what = opcode::end}); }
  void keep_place(int word, int b) { emit({.what = opcode::keep_place, .k = word, .t = b}); }
  // `of_class`: of an object that is started.
  void send(value to, entry e, value datum, int of_class = -1) {
    emit({.what = opcode::send, .a = to, .b = datum, .k = static_cast<int>(e), .u = of_class});
  }
  value me() {
    const value d = fresh();
    emit({.what = opcode::me, .d = d});
    return d;
  }

  // Asks the node of a; goes on with the answer at t.
  void ask(value a, std::int64_t handler_and_number, int t) {
    keep_place(words::place, t);
    emit({.what = opcode::ask_node, .a = a, .b = me(), .k = handler_and_number});
    end();
  }

  // The reactive text for a wait: open to express messages where those may interrupt, and no atomic form keeps them
  // out.
  void link_waiting(reactive closed, reactive open, std::int16_t note = 0) {
    if (!t_.interruptible || express_clause_) return link(closed, note);
    const int after = block();
    const int is_closed = unless_equal(load(code::segment, words::interrupt_depth), 0);
    link(open, note);
    jump(after);
    enter(is_closed);
    link(closed, note);
    jump(after);
    enter(after);
  }

  // Express clauses may run now; then it goes on at t.
  void poll(int t) {
    const int is_closed = unless_equal(load(code::segment, words::interrupt_depth), 0);
    keep_place(words::kept_place, t);
    store_number(code::segment, words::kept_reactive, was_running);
    jump(t_.at_resume);
    enter(is_closed);
    jump(t);
  }

  // The same before a look for messages, at t: what is interrupted is a clause that waits.
  void poll_messages(int t) {
    const int is_closed = unless_equal(load(code::segment, words::interrupt_depth), 0);
    keep_place(words::kept_awaited, t);
    store_number(code::segment, words::kept_reactive, static_cast<int>(reactive::accepting_open));
    jump(t_.at_resume);
    enter(is_closed);
    jump(t);
  }

  // Express messages that have come while the clause ran are taken before it waits for a reply, and goes on at t.
  void run_express_clauses_first(int t) {
    const int waits = block();
    const int some = unless_equal(load(code::segment, words::early_head), 0);
    jump(waits);
    enter(some);
    const int is_closed = unless_equal(load(code::segment, words::interrupt_depth), 0);
    keep_place(words::kept_place, t);
    store(code::segment, words::kept_awaited, load(code::segment, words::awaited));
    store_number(code::segment, words::kept_reactive, static_cast<int>(reactive::waiting_open));
    jump(t_.at_resume);
    enter(is_closed);
    jump(waits);
    enter(waits);
  }

  // An express clause has ended, or none has run yet: the next one, or what was interrupted.
  void resume(const instruction& s) {
    const int others = block();
    const value first = load(code::segment, words::early_head);
    emit({.what = opcode::if_equal, .a = first, .k = 0, .t = others, .u = block()});
    enter(t_.blocks[at_].steps.back().u);
    store(code::segment, words::early_head, load(first, words::next));
    emit({.what = opcode::load, .d = s.d, .a = first, .k = words::message});
    jump(s.t);

    enter(others);
    const int left = unless_equal(load(code::segment, words::dropped), 0);
    const value was = load(code::segment, words::kept_reactive);
    const int not_running = unless_equal(was, was_running);
    resume_at(load(code::segment, words::kept_place));
    enter(not_running);
    const int not_dormant = unless_equal(was, static_cast<int>(reactive::dormant_open));
    jump(t_.at_next);
    enter(not_dormant);
    const int not_accepting = unless_equal(was, static_cast<int>(reactive::accepting_open));
    resume_at(load(code::segment, words::kept_awaited));  // looks again
    enter(not_accepting);
    const value awaited = load(code::segment, words::kept_awaited);
    const value place = load(code::segment, words::kept_place);
    const int come = unless_equal(load(awaited, words::next), 0);
    store(code::segment, words::awaited, awaited);
    store(code::segment, words::place, place);
    link(reactive::waiting_open);
    end();
    enter(come);
    resume_at(place);

    enter(left);
    leave();
  }

  // (non-resume): a clause that ran is left; one that waits, when its wait ends. What looks for a message leaves it
  // there.
  void leave() {
    const int now = block();
    const value was = load(code::segment, words::kept_reactive);
    const int not_running = unless_equal(was, was_running);
    jump(now);
    enter(not_running);
    const int not_dormant = unless_equal(was, static_cast<int>(reactive::dormant_open));
    store_number(code::segment, words::dropped, 0);
    jump(t_.at_next);
    enter(not_dormant);
    const int not_accepting = unless_equal(was, static_cast<int>(reactive::accepting_open));
    resume_at(load(code::segment, words::kept_awaited));
    enter(not_accepting);
    const value awaited = load(code::segment, words::kept_awaited);
    const int come = unless_equal(load(awaited, words::next), 0);
    store(code::segment, words::awaited, awaited);
    keep_place(words::place, now);
    link(reactive::waiting_open);
    end();
    enter(come);
    jump(now);
    enter(now);
    store_number(code::segment, words::dropped, 0);
    jump(t_.at_left >= 0 ? t_.at_left : t_.at_next);
  }

  // Behind the last of the queue.
  void append(value box) {
    const int after = block();
    const int behind = unless_equal(load(code::segment, words::head), 0);
    store(code::segment, words::head, box);
    jump(after);
    enter(behind);
    store(load(code::segment, words::tail), words::next, box);
    jump(after);
    enter(after);
    store(code::segment, words::tail, box);
  }

  // The same, of those that express clauses take.
  void append_early(value box) {
    store_number(box, words::next, 0);
    const int after = block();
    const int behind = unless_equal(load(code::segment, words::early_head), 0);
    store(code::segment, words::early_head, box);
    jump(after);
    enter(behind);
    store(load(code::segment, words::early_tail), words::next, box);
    jump(after);
    enter(after);
    store(code::segment, words::early_tail, box);
  }

  // An express message that a normal clause will take: in front of the others, behind those like it.
  void insert_ahead(value box) {
    const int after = block(), last = block(), done = block();
    const value ahead = load(code::segment, words::ahead);
    const int behind = unless_equal(ahead, 0);
    const value head = load(code::segment, words::head);
    store(box, words::next, head);
    store(code::segment, words::head, box);
    emit({.what = opcode::if_equal, .a = head, .k = 0, .t = last, .u = after});
    enter(behind);
    const value next = load(ahead, words::next);
    store(box, words::next, next);
    store(ahead, words::next, box);
    emit({.what = opcode::if_equal, .a = next, .k = 0, .t = last, .u = after});
    enter(last);
    store(code::segment, words::tail, box);
    jump(after);
    enter(after);
    store(code::segment, words::ahead, box);
    jump(done);
    enter(done);
  }

  // The message that is first is not the last one ahead any more.
  void forget_ahead(value box, value before) {
    if (!express_) return;
    const int after = block(), no = block(), yes = block();
    emit({.what = opcode::if_equal, .a = load(code::segment, words::ahead), .b = box, .t = yes, .u = no});
    enter(yes);
    store(code::segment, words::ahead, before);
    jump(after);
    enter(no);
    jump(after);
    enter(after);
  }

  void await(const instruction& s) {
    const int there = block();
    const int has_come = unless_equal(load(s.a, words::next), 0);
    if (s.what == opcode::await_future) {
      const value address = fresh();
      emit({.what = opcode::box_of, .d = address, .a = s.a});
      store(code::segment, words::awaited, address);
    } else {
      store(code::segment, words::awaited, s.a);
    }
    keep_place(words::place, s.t);
    if (t_.interruptible && !express_clause_) run_express_clauses_first(s.t);
    link_waiting(reactive::waiting, reactive::waiting_open);
    end();
    enter(has_come);
    jump(there);
    enter(there);
    jump(s.t);
  }

  void step(const instruction& s) {
    switch (s.what) {
      case opcode::reserve:
        if (s.k <= words::of_box - words::first) return ask(s.a, static_cast<int>(handler::box), s.t);
        return ask(s.a, static_cast<int>(handler::large_box) | (s.k + words::first) << 8, s.t);
      case opcode::create:
        return ask(s.a, static_cast<int>(handler::create) | s.k << 8, s.t);
      case opcode::deliver:
      case opcode::deliver_early: {
        const value packed = fresh();
        const bool early = s.what == opcode::deliver_early;
        emit({.what = early ? opcode::pack_early : opcode::pack, .d = packed, .a = s.b, .k = s.k});
        return send(s.a, early ? entry::express : entry::message, packed);
      }
      case opcode::deliver_reply:
        return send(s.a, entry::reply, s.b);
      case opcode::deliver_left:
        return send(s.a, entry::left, s.b);
      case opcode::deliver_future: {
        const value both = fresh();
        emit({.what = opcode::pair, .d = both, .a = s.b, .b = s.c});
        return send(s.a, entry::future, both);
      }
      case opcode::start:
        return send(s.a, entry::start, s.a, s.u);
      case opcode::open_future:
      case opcode::open_box: {
        if (s.k > words::of_box - words::first) {
          const value count = fresh();
          emit({.what = opcode::set, .d = count, .k = s.k + words::first});
          return emit({.what = opcode::service, .d = s.d, .a = count, .k = static_cast<int>(code::service::large_box)});
        }
        const value box = s.what == opcode::open_future ? fresh() : s.d;
        emit({.what = opcode::load, .d = box, .a = code::node, .k = words::free_boxes});
        const value rest = load(box, words::next);
        const int enough = block(), after = block();
        emit({.what = opcode::if_equal, .a = rest, .k = 0, .t = enough, .u = after});
        enter(enough);
        emit({.what = opcode::service, .d = rest, .k = static_cast<int>(code::service::refill)});
        jump(after);
        enter(after);
        emit({.what = opcode::give_box, .a = rest});
        if (s.what == opcode::open_box) return;
        store_number(box, words::next, 0);
        return emit({.what = opcode::name_future, .d = s.d, .a = box});
      }
      case opcode::release: {
        store(s.a, words::next, load(code::node, words::free_boxes));
        return emit({.what = opcode::give_box, .note = s.note, .a = s.a});
      }
      case opcode::await_one:
        keep_place(words::place, s.t);
        link(reactive::waiting_one);
        return end();
      case opcode::await:
      case opcode::await_future:
        return await(s);
      case opcode::await_outside:
        keep_place(words::place, s.t);
        emit({.what = opcode::service, .k = static_cast<int>(code::service::ask_outside), .u = static_cast<int>(s.k)});
        return end();
      case opcode::first:
        return emit({.what = opcode::load, .d = s.d, .a = code::segment, .k = words::head});
      case opcode::following:
        return emit({.what = opcode::load, .d = s.d, .a = s.a, .k = words::next});
      case opcode::take_out: {
        const int after = block(), last = block(), done = block();
        const value rest = load(s.a, words::next);
        const int behind = unless_equal(s.b, 0);
        store(code::segment, words::head, rest);
        jump(after);
        enter(behind);
        store(s.b, words::next, rest);
        jump(after);
        enter(after);
        emit({.what = opcode::if_equal, .a = rest, .k = 0, .t = last, .u = done});
        enter(last);
        store(code::segment, words::tail, s.b);
        jump(done);
        enter(done);
        return forget_ahead(s.a, s.b);
      }
      case opcode::put_back: {
        const value box = fresh();
        emit({.what = opcode::box_of, .d = box, .a = s.a});
        store(box, words::message, s.a);
        if (s.k != 0) return append_early(box);
        if (!express_) {
          store_number(box, words::next, 0);
          return append(box);
        }
        const value early = fresh();
        emit({.what = opcode::is_early, .d = early, .a = s.a});
        const int after = block();
        const int goes_ahead = unless_equal(early, 0);
        store_number(box, words::next, 0);
        append(box);
        jump(after);
        enter(goes_ahead);
        insert_ahead(box);
        jump(after);
        return enter(after);
      }
      case opcode::await_message:
        keep_place(words::place, s.t);
        if (t_.interruptible) keep_place(words::awaited, s.u);
        link_waiting(reactive::accepting, reactive::accepting_open,
                     s.k != 0 ? code::notes::in_clause : std::int16_t{0});
        return end();
      case opcode::next: {
        const value first = load(code::segment, words::head);
        const int queued = unless_equal(first, 0);
        link_waiting(reactive::dormant, reactive::dormant_open);
        end();
        enter(queued);
        store(code::segment, words::head, load(first, words::next));
        if (express_) {
          const value zero = fresh();
          emit({.what = opcode::set, .d = zero, .k = 0});
          forget_ahead(first, zero);
        }
        emit({.what = opcode::load, .d = s.d, .a = first, .k = words::message});
        return jump(s.t);
      }
      case opcode::pause: {
        keep_place(words::place, s.t);
        const value own = me();
        send(own, entry::answer, own);
        return end();
      }
      case opcode::poll:
        return poll(s.t);
      case opcode::poll_messages:
        // Without (non-resume) it is all the same, and the shorter way.
        return t_.at_left >= 0 ? poll_messages(s.t) : poll(s.t);
      case opcode::interrupt: {
        store(code::segment, words::kept_place, load(code::segment, words::place));
        store(code::segment, words::kept_awaited, load(code::segment, words::awaited));
        return link(reactive::busy, code::notes::interrupts);
      }
      case opcode::resume:
        return resume(s);
      case opcode::enter_atomic:
      case opcode::leave_atomic: {
        const value now = load(code::segment, words::interrupt_depth), then = fresh();
        emit({.what = opcode::add, .d = then, .a = now, .k = s.what == opcode::enter_atomic ? 1 : -1});
        return store(code::segment, words::interrupt_depth, then);
      }
      case opcode::drop_interrupted:
        return store_number(code::segment, words::dropped, 1);
      case opcode::finish:
        if (s.k != 0) {
          emit({.what = opcode::service, .k = static_cast<int>(code::service::ended)});
          link(reactive::ended);
        } else {
          link(reactive::busy, code::notes::finishes);
        }
        return end();
      default:
        return emit(s);
    }
  }

  code::text& t_;
  const bool express_;
  int next_value_;
  std::size_t at_ = 0;
  bool express_clause_ = false;
  int site_ = -1;
};

}  // namespace

void select(code::text& t, const code::program& p) { selection(t, p).run(); }

}  // namespace abcl::registers
