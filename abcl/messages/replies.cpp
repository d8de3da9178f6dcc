#include "abcl/messages/replies.hpp"

#include "abcl/messages/boxes.hpp"
#include "abcl/messages/leaving.hpp"
#include "abcl/messages/values.hpp"

namespace abcl::messages {

using code::opcode;
namespace words = code::words;

void reply_to(const context& at, const destination& d, const values& v, span where) {
  at.out.stand_at(where);
  const int after = at.out.block();
  if (at.program.used.nil_replies) {
    const int someone = at.out.block();
    at.out.branch_if(opcode::if_unequal, d.object, 0, someone, after);
    at.out.enter(someone);
  }
  const auto box_there = [&] {
    const value box = at.out.fresh();
    const int reserved = at.out.block();
    at.out.emit({.what = opcode::reserve, .d = box, .a = d.object, .k = at.program.words_of(d.of), .t = reserved});
    at.out.enter(reserved);
    put_all(at, box, words::first, v, d.of);
    return box;
  };
  if (at.program.used.wide) {
    const int object = at.out.block(), box = at.out.block();
    at.out.branch_if(opcode::if_equal, d.box, 0, object, box);
    at.out.enter(object);
    const int selector = at.program.reply_selector(d.of, at.out.where());
    at.out.emit({.what = opcode::deliver, .a = d.object, .b = box_there(), .k = selector});
    at.out.jump(after);
    at.out.enter(box);
  }
  if (at.program.used.future_replies) {
    const int future = at.out.block(), box = at.out.block();
    const value is = at.out.make({.what = opcode::is_future, .a = d.box});
    at.out.branch_if(opcode::if_unequal, is, 0, future, box);
    at.out.enter(future);
    at.out.emit({.what = opcode::deliver_future, .a = d.object, .b = box_there(), .c = d.box});
    at.out.jump(after);
    at.out.enter(box);
  }
  put_all(at, d.box, words::first, v, d.of);
  at.out.emit({.what = opcode::deliver_reply, .a = d.object, .b = d.box});
  at.out.jump(after);
  at.out.enter(after);
}

void reply(const context& at, const tree::unary& e) {
  const values v = eval(at, *e.operand, at.answer.of);
  at.out.stand_at(e.where);
  if (!e.operand->of->is(type::kind::nothing)) reply_to(at, at.answer, v, e.where);
  if (at.answer.replied != code::none) at.out.emit({.what = opcode::set, .d = at.answer.replied, .k = 1});
  // A clause of `wait-for` that has replied leaves who has asked for the clause around it.
  if (at.program.used.leaves && !at.out.in_express() && at.owed == nullptr) {
    const value nobody = at.out.set(0);
    owe(at, nobody, nobody);
  }
}

void require_reply(const context& at, const destination& owed) {
  const int forgotten = at.out.block(), done = at.out.block();
  at.out.branch_if(opcode::if_unequal, owed.replied, 0, done, forgotten);
  at.out.enter(forgotten);
  at.out.act(code::service::no_reply, owed.object, owed.box);
  at.out.jump(done);
  at.out.enter(done);
}

}  // namespace abcl::messages
