// Messages, creations, replies, and waiting for them.
//
// A message is sent as the paper's compiler did (its sections 4.3 and 7.2): a box is reserved at the receiver's node,
// then each argument is evaluated and written there at once, then the box is delivered. So an argument needs no place
// here while the next one is evaluated, even if that waits.
#include <fmt/format.h>

#include "abcl/check/analysis.hpp"
#include "abcl/messages/lowering.hpp"

namespace abcl {

using code::opcode;
namespace words = code::words;

// Words of a value of type `of`, from word `first` on, into a box or a new object, wherever it is.
void lowering::put_all(value box, int first, const values& v, const type* of) {
  const code::layout l = layout_of(of);
  const std::string for_people = words_for_people(of);
  for (std::size_t i = 0; i < v.size() && i < l.size(); ++i) {
    const std::int64_t k = first + static_cast<std::int64_t>(i);
    if (l[i] == 0) {
      emit({.what = opcode::put, .a = box, .b = v[i], .k = k, .u = for_people[i]});
    } else {
      emit({.what = opcode::put_heap, .a = box, .b = v[i], .k = k, .u = l[i]});
    }
  }
}

// Sends what `e` says to its target; `to` tells where the reply goes, if that is not among the elements.
void lowering::send(const tree::send& e, const std::function<values()>& to) {
  const value target = eval(*e.target)[0];
  const type* const message = e.selector;
  const int selector = selector_of(message);
  const bool asks = message->wants_reply();
  const std::size_t elements = message->parts.size() - (asks ? 1 : 0);
  where_ = e.where;
  const value box = fresh();
  const int reserved = block();
  emit({.what = opcode::reserve, .d = box, .a = target, .k = words_of(message), .t = reserved});
  enter(reserved);

  int at = words::first;
  if (e.whole != nullptr) {
    // A tuple that is there already.
    const values v = eval(*e.whole, message);
    put_all(box, at, v, message);
    at += static_cast<int>(v.size());
  }
  for (std::size_t i = 0; i < e.elements.size(); ++i) {
    const type* const want = message->parts[i];
    put_all(box, at, eval(*e.elements[i], want), want);
    at += words_of(want);
  }
  where_ = e.where;
  if (asks && e.given() == elements) put_all(box, at, to(), message->parts.back());
  emit({.what = e.express ? opcode::deliver_early : opcode::deliver, .a = target, .b = box, .k = selector});
}

// A future, which must have been made.
lowering::value lowering::future_of(const expression& e, span where) {
  const value f = eval(e)[0];
  where_ = where;
  const int good = block(), bad = block();
  branch_if(opcode::if_unequal, f, 0, good, bad);
  enter(bad);
  emit({.what = opcode::fail, .k = number_of_text("the future is nil")});
  enter(good);
  return f;
}

void lowering::past(const tree::send& e) {
  const type* const target = e.target->of;
  if (e.selector == nullptr && target->is(type::kind::reply)) {
    const values d = eval(*e.target, target);
    const values v = eval(*e.whole, target->of());
    where_ = e.where;
    destination to;
    to.object = d[0];
    to.box = d[1];
    to.of = target->of();
    return reply_to(to, v, e.where);
  }
  if (e.future == nullptr) return send(e, [&]() -> values { return {set(0), set(0)}; });
  // The future is asked for first, so that what it is cannot change.
  const value f = future_of(*e.future, e.where);
  send(e, [&]() -> values {
    const value me = fresh();
    emit({.what = opcode::me, .d = me});
    return {me, f};
  });
}

lowering::value lowering::open_box(int count, bool watched) {
  const value box = fresh();
  emit({.what = opcode::open_box, .d = box, .k = count});
  if (watched) store(box, words::next, set(0));
  return box;
}

// Waits for the reply in a box, and gives the box back.
lowering::values lowering::take_reply(value box, const type* of, bool only_one, span where) {
  where_ = where;
  const int come = block();
  emit({.what = only_one ? opcode::await_one : opcode::await, .a = box, .t = come});
  enter(come);
  if (leaves_ && !express_clause_) {
    const int come_indeed = block(), left = block();
    branch_if(opcode::if_equal, load(box, words::next), words::will_not_come, left, come_indeed);
    enter(left);
    emit({.what = opcode::release, .a = box});
    jump(text_->at_left);
    enter(come_indeed);
  }
  if (text_->interruptible && !express_clause_ && !only_one) {
    const int cleared = block();
    emit({.what = opcode::poll, .t = cleared});
    enter(cleared);
  }
  values all;
  for (int i = 0; i < words_of(of); ++i) all.push_back(load(box, words::first + i));
  emit({.what = opcode::release, .a = box, .u = code::notes::reply});
  return all;
}

lowering::values lowering::now(const tree::send& e) {
  const type* const answer = e.selector->answer();
  // Nothing else can come while it waits: no reply to another box, no express message.
  const bool only_one = open_boxes_ == 0 && !text_->interruptible && !leaves_;
  value box = code::none;
  send(e, [&]() -> values {
    const value me = fresh(), name = fresh();
    emit({.what = opcode::me, .d = me});
    box = open_box(words_of(answer), !only_one);
    emit({.what = opcode::name_box, .d = name, .a = box});
    return {me, name};
  });
  return take_reply(box, answer, only_one, e.where);
}

lowering::values lowering::create(const tree::create& e) {
  const class_def& c = *e.of_class;
  const int number = class_numbers_.at(&c);
  const std::size_t given = c.arguments.size();
  where_ = e.where;
  const value node = fresh();
  values first;  // the arguments, where a node is named: they come first, since it may depend on what they do
  if (e.node != nullptr) {
    for (std::size_t i = 0; i < given; ++i) {
      const values v = eval(*e.arguments[i], c.arguments[i]->of);
      first.insert(first.end(), v.begin(), v.end());
    }
    const value named = eval(*e.node)[0];
    where_ = e.where;
    emit({.what = opcode::node_at, .d = node, .a = named});
  } else if (loops_ > 0) {
    emit({.what = opcode::neighbours, .d = node});
  } else {
    emit({.what = opcode::neighbour, .d = node, .k = creations_++ % 2});
  }
  const value object = fresh();
  const int created = block();
  emit({.what = opcode::create, .d = object, .a = node, .k = number, .t = created});
  enter(created);
  const int begin = out_.classes[static_cast<std::size_t>(number)].first;
  int at = begin;
  for (std::size_t i = 0; i < given; ++i) {
    const type* const of = c.arguments[i]->of;
    values v;
    if (e.node != nullptr) {
      const auto in_first = first.begin() + (at - begin);
      v.assign(in_first, in_first + words_of(of));
    } else {
      v = eval(*e.arguments[i], of);
    }
    put_all(object, at, v, of);
    at += words_of(of);
  }
  where_ = e.where;
  emit({.what = opcode::start, .a = object, .u = number});
  if (wide_) return {object, set(0)};
  return {object};
}

// [destination <= v]: to a box; to a future, or an object, if the program has such destinations; to nobody.
void lowering::reply_to(const destination& d, const values& v, span where) {
  where_ = where;
  const int after = block();
  if (nil_replies_) {
    const int someone = block();
    branch_if(opcode::if_unequal, d.object, 0, someone, after);
    enter(someone);
  }
  const auto box_there = [&] {
    const value box = fresh();
    const int reserved = block();
    emit({.what = opcode::reserve, .d = box, .a = d.object, .k = words_of(d.of), .t = reserved});
    enter(reserved);
    put_all(box, words::first, v, d.of);
    return box;
  };
  if (wide_) {
    const int object = block(), box = block();
    branch_if(opcode::if_equal, d.box, 0, object, box);
    enter(object);
    const bool is_message = d.of->is(type::kind::message);
    const int selector = is_message ? selector_of(d.of->name, d.of->parts.size(), shown(d.of), words_of(d.of), false)
                                    : selector_of("", 1, '[' + shown(d.of) + ']', words_of(d.of), false);
    emit({.what = opcode::deliver, .a = d.object, .b = box_there(), .k = selector});
    jump(after);
    enter(box);
  }
  if (future_replies_) {
    const int future = block(), box = block();
    const value is = fresh();
    emit({.what = opcode::is_future, .d = is, .a = d.box});
    branch_if(opcode::if_unequal, is, 0, future, box);
    enter(future);
    emit({.what = opcode::deliver_future, .a = d.object, .b = box_there(), .c = d.box});
    jump(after);
    enter(box);
  }
  put_all(d.box, words::first, v, d.of);
  emit({.what = opcode::deliver_reply, .a = d.object, .b = d.box});
  jump(after);
  enter(after);
}

// sync, sync2, sync*: the boxes are opened, the forms executed, and the replies waited for, in the order of the boxes.
lowering::values lowering::sync(const tree::sync& e, const type* want) {
  std::vector<value> boxes;
  for (const variable* v : e.boxes) {
    boxes.push_back(open_box(words_of(v->of), true));
    boxes_[v] = boxes.back();
    ++open_boxes_;
  }
  run(e.body);
  values more;
  if (e.last != nullptr) {
    const bool known = want != nullptr && want->is(type::kind::message) && !want->parts.empty();
    more = eval(*e.last, known ? want->parts.back() : nullptr);
  }
  values all;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const values v = take_reply(boxes[i], e.boxes[i]->of, false, e.where);
    all.insert(all.end(), v.begin(), v.end());
    --open_boxes_;
  }
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

lowering::values lowering::touch(const tree::unary& e) {
  const value f = future_of(*e.operand, e.where);
  const int come = block();
  const bool polls = text_->interruptible && !express_clause_;
  const int wait = polls ? block() : current_;
  if (polls) jump(wait);
  enter(wait);
  emit({.what = opcode::await_future, .a = f, .t = come});
  enter(come);
  if (polls) {
    const int cleared = block(), there = block();
    emit({.what = opcode::poll, .t = cleared});
    enter(cleared);
    // An express clause may have taken the value.
    branch_if(opcode::if_equal, load(f, words::next), 0, wait, there);
    enter(there);
  }
  const value box = fresh();
  emit({.what = opcode::load, .d = box, .a = f, .k = words::next, .u = code::notes::touches});
  values all;
  for (int i = 0; i < words_of(e.of); ++i) all.push_back(load(box, words::first + i));
  if (e.what == op::next_value) {
    store(f, words::next, load(box, words::next));
    emit({.what = opcode::release, .a = box});
  }
  return all;
}

}  // namespace abcl
