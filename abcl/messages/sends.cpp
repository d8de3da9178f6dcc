#include "abcl/messages/sends.hpp"

#include <functional>

#include "abcl/messages/boxes.hpp"
#include "abcl/messages/futures.hpp"
#include "abcl/messages/replies.hpp"
#include "abcl/messages/values.hpp"
#include "abcl/resolve/waits.hpp"

namespace abcl::messages {

using code::opcode;
namespace words = code::words;

namespace {

// Sends what `e` says to its target; `to` tells where the reply goes, if that is not among the elements.
void send(const context& at, const tree::send& e, const std::function<values()>& to) {
  const value target = eval(at, *e.target)[0];
  const type* const message = e.selector;
  const int selector = at.program.selector(message, e.where);
  const bool asks = message->wants_reply();
  const std::size_t elements = message->parts.size() - (asks ? 1 : 0);
  at.out.stand_at(e.where);
  const value box = at.out.fresh();
  const int reserved = at.out.block();
  at.out.emit({.what = opcode::reserve, .d = box, .a = target, .k = at.program.words_of(message), .t = reserved});
  at.out.enter(reserved);

  int word = words::first;
  if (e.whole != nullptr) {
    // A tuple that is there already.
    const values v = eval(at, *e.whole, message);
    put_all(at, box, word, v, message);
    word += static_cast<int>(v.size());
  }
  for (std::size_t i = 0; i < e.elements.size(); ++i) {
    const type* const want = message->parts[i];
    put_all(at, box, word, eval(at, *e.elements[i], want), want);
    word += at.program.words_of(want);
  }
  at.out.stand_at(e.where);
  if (asks && e.given() == elements) put_all(at, box, word, to(), message->parts.back());
  at.out.emit({.what = e.express ? opcode::deliver_early : opcode::deliver, .a = target, .b = box, .k = selector});
}

}  // namespace

void past(const context& at, const tree::send& e) {
  const type* const target = e.target->of;
  if (e.selector == nullptr && target->is(type::kind::reply)) {
    const values d = eval(at, *e.target, target);
    const values v = eval(at, *e.whole, target->of());
    at.out.stand_at(e.where);
    destination to;
    to.object = d[0];
    to.box = d[1];
    to.of = target->of();
    return reply_to(at, to, v, e.where);
  }
  if (e.future == nullptr) return send(at, e, [&]() -> values { return {at.out.set(0), at.out.set(0)}; });
  // The future is asked for first, so that what it is cannot change.
  const value f = future_of(at, *e.future, e.where);
  send(at, e, [&]() -> values {
    const value me = at.out.make({.what = opcode::me});
    return {me, f};
  });
}

values now(const context& at, const tree::send& e) {
  const type* const answer = e.selector->answer();
  // Nothing else can come while it waits: no reply to another box, no express message.
  const bool only_one = !at.in_sync && !at.out.text.interruptible && !at.program.used.leaves;
  value box = code::none;
  send(at, e, [&]() -> values {
    const value me = at.out.fresh(), name = at.out.fresh();
    at.out.emit({.what = opcode::me, .d = me});
    box = open_box(at, at.program.words_of(answer), !only_one);
    at.out.emit({.what = opcode::name_box, .d = name, .a = box});
    return {me, name};
  });
  at.out.stand_at(e.where);
  return take_reply(at, box, answer, only_one, {awaited_reply(e), true});
}

}  // namespace abcl::messages
