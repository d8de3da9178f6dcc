#include "abcl/messages/boxes.hpp"

namespace abcl::messages {

using code::opcode;
namespace words = code::words;

void put_all(const context& at, value box, int first, const values& v, const type* of) {
  const code::layout l = at.program.layout_of(of);
  const std::string for_people = at.program.notes_of(of);
  for (std::size_t i = 0; i < v.size() && i < l.size(); ++i) {
    const std::int64_t k = first + static_cast<std::int64_t>(i);
    if (l[i] == 0) {
      at.out.emit({.what = opcode::put, .note = for_people[i], .a = box, .b = v[i], .k = k});
    } else {
      at.out.emit({.what = opcode::put_heap, .a = box, .b = v[i], .k = k, .u = l[i]});
    }
  }
}

value open_box(const context& at, int count, bool watched) {
  const value box = at.out.make({.what = opcode::open_box, .k = count});
  if (watched) at.out.store(box, words::next, at.out.set(0));
  return box;
}

values take_reply(const context& at, value box, const type* of, bool only_one, code::wait_info wait) {
  const int come = at.out.block();
  at.out.emit_wait({.what = only_one ? opcode::await_one : opcode::await, .a = box, .t = come}, std::move(wait.what),
                   wait.asks);
  at.out.enter(come);
  if (at.program.used.leaves && !at.out.in_express()) {
    const int come_indeed = at.out.block(), left = at.out.block();
    at.out.branch_if(opcode::if_equal, at.out.load(box, words::next), words::will_not_come, left, come_indeed);
    at.out.enter(left);
    at.out.emit({.what = opcode::release, .a = box});
    at.out.jump(at.out.text.at_left);
    at.out.enter(come_indeed);
  }
  if (at.out.may_be_interrupted() && !only_one) {
    const int cleared = at.out.block();
    at.out.emit({.what = opcode::poll, .t = cleared});
    at.out.enter(cleared);
  }
  values all;
  for (int i = 0; i < at.program.words_of(of); ++i) all.push_back(at.out.load(box, words::first + i));
  at.out.emit({.what = opcode::release, .note = code::notes::reply, .a = box});
  return all;
}

}  // namespace abcl::messages
