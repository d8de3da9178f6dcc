// Steps of messages become packets, links and ends of sequences.
#include <utility>

#include "abcl/registers/block_writer.hpp"
#include "abcl/registers/interruption.hpp"
#include "abcl/registers/passes.hpp"
#include "abcl/registers/queues.hpp"

namespace abcl::registers {

using code::entry;
using code::handler;
using code::reactive;
namespace words = code::words;

namespace {

class selection {
 public:
  selection(code::text& t, const code::program& p) : w_(t), express_(p.express) {}

  void run() {
    const std::size_t count = w_.text.blocks.size();
    for (std::size_t b = 0; b < count; ++b) {
      const std::vector<instruction> steps = std::exchange(w_.text.blocks[b].steps, {});
      w_.enter(static_cast<int>(b));
      for (const instruction& s : steps) {
        w_.stand_at(s.site);
        step(s);
      }
    }
  }

 private:
  // ---- boxes and objects

  // Asks the node of a; goes on with the answer at t.
  void ask(value a, std::int64_t handler_and_number, int t) {
    w_.keep_place(words::place, t);
    w_.emit({.what = opcode::ask_node, .a = a, .b = w_.me(), .k = handler_and_number});
    w_.end();
  }

  static bool is_large(const instruction& s) { return s.k > words::of_box - words::first; }

  void reserve(const instruction& s) {
    if (!is_large(s)) return ask(s.a, static_cast<int>(handler::box), s.t);
    ask(s.a, static_cast<int>(handler::large_box) | (s.k + words::first) << 8, s.t);
  }

  // The first of the free ones, of which there always is one.
  void open_box(value box) {
    w_.emit({.what = opcode::load, .d = box, .a = code::node, .k = words::free_boxes});
    const value rest = w_.load(box, words::next);
    const int enough = w_.block(), after = w_.block();
    w_.branch(rest, 0, enough, after);
    w_.enter(enough);
    w_.service(code::service::refill, rest);
    w_.jump_into(after);
    w_.emit({.what = opcode::give_box, .a = rest});
  }

  void open(const instruction& s) {
    if (is_large(s)) return w_.service(code::service::large_box, s.d, w_.set(s.k + words::first));
    if (s.what == opcode::open_box) return open_box(s.d);
    const value box = w_.fresh();
    open_box(box);
    w_.store_number(box, words::next, 0);
    w_.emit({.what = opcode::name_future, .d = s.d, .a = box});
  }

  void release(const instruction& s) {
    w_.store(s.a, words::next, w_.load(code::node, words::free_boxes));
    w_.emit({.what = opcode::give_box, .note = s.note, .a = s.a});
  }

  // ---- packets

  void deliver(const instruction& s, opcode packs, entry e) {
    w_.send(s.a, e, w_.make({.what = packs, .a = s.b, .k = s.k}));
  }

  // ---- waits

  void wait(int t) {
    w_.keep_place(words::place, t);
    w_.link(reactive::waiting_one);
    w_.end();
  }

  void await(const instruction& s) {
    const int there = w_.block();
    const int has_come = w_.unless_equal(w_.load(s.a, words::next), 0);
    w_.store(code::segment, words::awaited, s.what == opcode::await_future ? w_.box_of(s.a) : s.a);
    w_.keep_place(words::place, s.t);
    if (may_be_interrupted(w_)) run_express_clauses_first(w_, s.t);
    link_waiting(w_, reactive::waiting, reactive::waiting_open);
    w_.end();
    w_.enter(has_come);
    w_.jump_into(there);
    w_.jump(s.t);
  }

  void await_outside(const instruction& s) {
    w_.keep_place(words::place, s.t);
    w_.emit({.what = opcode::service, .k = static_cast<int>(code::service::ask_outside), .u = static_cast<int>(s.k)});
    w_.end();
  }

  void await_message(const instruction& s) {
    w_.keep_place(words::place, s.t);
    if (w_.text.interruptible) w_.keep_place(words::awaited, s.u);
    if (s.k == 0 && !may_be_interrupted(w_)) {
      w_.link(reactive::idle);
    } else {
      link_waiting(w_, reactive::accepting, reactive::accepting_open,
                   s.k != 0 ? code::notes::in_clause : std::int16_t{0});
    }
    w_.end();
  }

  void next(const instruction& s) {
    const value first = w_.own(words::head);
    const int queued = w_.unless_equal(first, 0);
    link_waiting(w_, reactive::dormant, reactive::dormant_open);
    w_.end();
    w_.enter(queued);
    w_.store(code::segment, words::head, w_.load(first, words::next));
    if (express_) forget_ahead(w_, first, w_.set(0));
    w_.emit({.what = opcode::load, .d = s.d, .a = first, .k = words::message});
    w_.jump(s.t);
  }

  void pause(const instruction& s) {
    w_.keep_place(words::place, s.t);
    const value own = w_.me();
    w_.send(own, entry::answer, own);
    w_.end();
  }

  // ---- the rest

  void change_depth(int by) {
    const value then = w_.make({.what = opcode::add, .a = w_.own(words::interrupt_depth), .k = by});
    w_.store(code::segment, words::interrupt_depth, then);
  }

  void finish(bool for_ever) {
    if (for_ever) {
      w_.service(code::service::ended);
      w_.link(reactive::ended);
    } else {
      w_.link(reactive::finished);
    }
    w_.end();
  }

  void step(const instruction& s) {
    switch (s.what) {
      case opcode::reserve:
        return reserve(s);
      case opcode::create:
        return ask(s.a, static_cast<int>(handler::create) | s.k << 8, s.t);
      case opcode::open_future:
      case opcode::open_box:
        return open(s);
      case opcode::release:
        return release(s);
      case opcode::deliver:
        return deliver(s, opcode::pack, entry::message);
      case opcode::deliver_early:
        return deliver(s, opcode::pack_early, entry::express);
      case opcode::deliver_reply:
        return w_.send(s.a, entry::reply, s.b);
      case opcode::deliver_left:
        return w_.send(s.a, entry::left, s.b);
      case opcode::deliver_future:
        return w_.send(s.a, entry::future, w_.make({.what = opcode::pair, .a = s.b, .b = s.c}));
      case opcode::start:
        return w_.send(s.a, entry::start, s.a, s.u);
      case opcode::await_one:
        return wait(s.t);
      case opcode::await:
      case opcode::await_future:
        return await(s);
      case opcode::await_outside:
        return await_outside(s);
      case opcode::await_message:
        return await_message(s);
      case opcode::first:
        return w_.emit({.what = opcode::load, .d = s.d, .a = code::segment, .k = words::head});
      case opcode::following:
        return w_.emit({.what = opcode::load, .d = s.d, .a = s.a, .k = words::next});
      case opcode::take_out:
        return take_out(w_, s.a, s.b, express_);
      case opcode::put_back:
        return s.k != 0 ? put_back_early(w_, s.a) : put_back(w_, s.a, express_);
      case opcode::next:
        return next(s);
      case opcode::pause:
        return pause(s);
      case opcode::poll:
        return poll(w_, s.t);
      case opcode::poll_messages:
        // Without (non-resume) it is all the same, and the shorter way.
        return w_.text.at_left >= 0 ? poll_messages(w_, s.t) : poll(w_, s.t);
      case opcode::interrupt:
        return interrupt(w_);
      case opcode::resume:
        return resume(w_, s);
      case opcode::enter_atomic:
        return change_depth(1);
      case opcode::leave_atomic:
        return change_depth(-1);
      case opcode::drop_interrupted:
        return w_.store_number(code::segment, words::dropped, 1);
      case opcode::finish:
        return finish(s.k != 0);
      default:
        return w_.emit(s);
    }
  }

  block_writer w_;
  const bool express_;
};

}  // namespace

void select(code::text& t, const code::program& p) { selection(t, p).run(); }

}  // namespace abcl::registers
