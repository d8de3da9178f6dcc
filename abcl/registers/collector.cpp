#include "abcl/registers/collector.hpp"

#include <fmt/format.h>

#include <string>

namespace abcl::registers {

namespace words = code::words;

namespace {

// The program's packets are held from now on; each node hears that no more come.
constexpr std::string_view stop = R"(
    set r1, 1
    store node[phase], r1
    service hold
    service r2, node-count
    set r3, 0
tell:
    node-at r4, r3
    ask-node r4.flush, r4
    add r3, r3, 1
    if-lt r3, r2, tell
)";

// In r8 the marks are counted.
constexpr auto texts = FMT_STRING(R"(
; ---- it begins

text node.collect
    load r1, node[collecting]
    if-ne r1, 0, already
    set r1, 1
    store node[collecting], r1
    {stop}
already:
    end

text node.flush
    load r1, node[phase]
    if-ne r1, 0, stopped
    {stop}
stopped:
    load r1, node[markers]
    add r1, r1, 1
    store node[markers], r1
    service r2, node-count
    if-eq r1, r2, all
    end
all:
    load r8, node[marks]

; ---- what is free: segments in stock or reserve get colour 2, boxes no message

    load r1, node[classes]
    set r9, 2
class:
    sub r1, r1, 1
    load r2, r1[stock]
ready:
    store r2[{colour}], r9
    load r2, r2[tail]
    if-ne r2, 0, ready
    load r2, r1[reserve]
reserved:
    if-eq r2, 0, no-more
    store r2[{colour}], r9
    load r2, r2[tail]
    jump reserved
no-more:
    if-gt r1, 0, class
    set r9, 0
    load r1, node[free-boxes]
free:
    store r1[message], r9
    load r1, r1[next]
    if-ne r1, 0, free

; ---- objects that are roots

    load r1, node[segments]
object:
    load r2, r1[{colour}]
    if-eq r2, 2, following
    load r2, r1[reactive]
    if-ge r2, idle, rests
    if-eq r2, dormant, rests
    if-eq r2, dormant-open, rests
root:
    name-box r3, r1
    ask-node r3.mark, r3
    add r8, r8, 1
following:
    load r1, r1[{behind}]
    if-ne r1, 0, object
    jump boxes
rests:
    load r2, r1[head]
    if-ne r2, 0, root
    load r2, r1[interruptible]
    if-eq r2, 0, following
    load r2, r1[early-head]
    if-ne r2, 0, root
    jump following

; ---- what boxes in use have in them

boxes:
    service r1, next-box r1
    if-eq r1, 0, packets
    load r2, r1[message]
    if-eq r2, 0, boxes
    service r5, box-end r1
    sub r4, r5, r1
    if-ne r4, {of_box}, large
    {words_of_box}
    jump boxes
large:
    add r4, r1, {first}
word:
    load r2, r4[0]
    {mark_or_no}
no:
    add r4, r4, 1
    if-lt r4, r5, word
    jump boxes

; ---- packets that are held

packets:
    service r5, held-words
    set r4, 0
packet:
    if-ge r4, r5, rooted
    service r2, held-word r4
    add r4, r4, 1
    {mark_or_packet}
    jump packet

; ---- the roots are marked: a token may go on from here, that of node 0 begins

rooted:
    store node[marks], r8
    set r1, 2
    store node[phase], r1
    set r0, 0
    service r1, my-node
    if-eq r1, 0, begin
    load r2, node[has-token]
    if-eq r2, 0, none
    load r0, node[token]
    node-at r1, r1
    ask-node r1.token, r0
none:
    end
begin:
    store node[black], r0
    {to_next}
    end

; ---- what r0 refers to can be reached

text node.mark
    load r8, node[marks]
    sub r8, r8, 1
    set r2, 1
    store node[black], r2
    service r1, segment-of r0
    if-eq r1, 0, array
    load r3, r1[{colour}]
    if-ne r3, 0, done
    store r1[{colour}], r2
    load r3, r1[{at_mark}]
    go r3
array:
    service r4, array-words r0
    set r5, 0
element:
    if-ge r5, r4, done
    service r2, array-word r0 r5
    add r5, r5, 1
    {mark_or_element}
    jump element
done:
    store node[marks], r8
    end

; ---- how many marks are on their way: r0 is twice as many as were counted, and one more if a node is black

text node.token
    load r1, node[phase]
    if-eq r1, 2, rooted
    store node[token], r0
    set r1, 1
    store node[has-token], r1
    end
rooted:
    load r2, node[marks]
    mul r2, r2, 2
    add r0, r0, r2
    load r2, node[black]
    set r3, 0
    store node[black], r3
    service r1, my-node
    if-eq r1, 0, home
    if-eq r2, 0, pass
    mod r3, r0, 2
    if-ne r3, 0, pass
    add r0, r0, 1
pass:
    {to_next}
    end
home:
    if-ne r2, 0, again
    if-ne r0, 0, again
    service r2, node-count
tell:
    node-at r4, r1
    ask-node r4.sweep, r4
    add r1, r1, 1
    if-lt r1, r2, tell
    end
again:
    set r0, 0
    jump pass

; ---- all that can be reached is marked: all other segments are ready for objects, half of each class in stock, half in
; reserve

text node.sweep
    load r1, node[classes]
    set r2, 0
class:
    sub r1, r1, 1
    store r1[stock], r2
    store r1[reserve], r2
    store r1[ready], r2
    if-gt r1, 0, class
    load r5, node[segments]
text node.sweep-on
next:
    if-eq r5, 0, done
    move r1, r5
    load r5, r1[{behind}]
    load r3, r1[{colour}]
    set r2, 0
    store r1[{colour}], r2
    if-eq r3, 1, next
    load r4, r1[{at_free}]
    go r4
done:
    load r1, node[free-boxes]
    set r9, 1
free:
    store r1[message], r9
    load r1, r1[next]
    if-ne r1, 0, free
    set r2, 0
    store node[phase], r2
    store node[markers], r2
    store node[marks], r2
    store node[black], r2
    store node[has-token], r2
    load r1, node[between]
    store node[countdown], r1
    service release-held
    node-at r2, r2
    ask-node r2.swept, r2
    end

text node.swept
    load r1, node[have-swept]
    add r1, r1, 1
    service r2, node-count
    if-eq r1, r2, all
    store node[have-swept], r1
    end
all:
    set r1, 0
    store node[have-swept], r1
    store node[collecting], r1
    end
)");

// To the node behind r1.
constexpr std::string_view to_next = R"(
    add r1, r1, 1
    service r2, node-count
    mod r1, r1, r2
    node-at r1, r1
    ask-node r1.token, r0
)";

// A mark for the word in r2, if it may refer to something; else goes on there.
std::string mark_or(const std::string& there) {
  return fmt::format(R"(
    service r3, refers r2
    if-eq r3, 0, {}
    ask-node r3.mark, r2
    add r8, r8, 1
)",
                     there);
}

// A mark for word `k` of the object r1: the name of an object, or whatever may refer to one.
std::string mark_name(int k) {
  return fmt::format(R"(
    load r2, r1[{0}]
    if-eq r2, 0, behind-{0}
    ask-node r2.mark, r2
    add r8, r8, 1
behind-{0}:
)",
                     k);
}
std::string mark_word(int k) {
  return fmt::format("\n    load r2, r1[{0}]\n{1}behind-{0}:\n", k, mark_or(fmt::format("behind-{}", k)));
}

// What the state refers to; and, unless the object rests, what is kept over waits, with whom a clause owes a reply.
std::string mark_text(const code::class_info& c, const image::class_code& of) {
  std::string text = fmt::format("text mark {}\n", c.name), kept;
  for (int i = 0; i < c.state; ++i) {
    const char refers = c.refers[static_cast<std::size_t>(i)];
    if (refers != ' ') text += refers == 'o' ? mark_name(c.first + i) : mark_word(c.first + i);
  }
  if (c.first == words::leaving_object) kept += mark_word(words::asker_object);
  for (int k = c.first + c.state; k < of.words; ++k) kept += mark_word(k);
  if (!kept.empty()) {
    text += R"(
    load r2, r1[reactive]
    if-ge r2, ended, rests
    if-eq r2, dormant, rests
    if-eq r2, dormant-open, rests
)" + kept + "rests:\n";
  }
  return text + "    store node[marks], r8\n    end\n";
}

// Zeros, but for what a segment keeps for ever, and where its object begins; unless it was ready before (r3 is 2). Then
// it is the first in stock, in front of what is in reserve, and that is what was in stock: so half of them go to
// either.
std::string free_text(const code::class_info& c, const image::class_code& of, int number) {
  std::string text = fmt::format("text free {}\n    if-eq r3, 2, ready\n", c.name);
  for (int k = 0; k < of.words; ++k) {
    const bool is_of_class = k == words::place || k == words::at_message || k == words::tail ||
                             (of.at_express >= 0 && (k == words::interruptible || k == words::at_express));
    if (!is_of_class) text += fmt::format("    store r1[{}], r2\n", k);
  }
  return text + fmt::format(R"(
    set r2, {}
    store r1[place], r2
ready:
    load r2, node[{reserve}]
    store r1[tail], r2
    load r2, node[{stock}]
    store node[{reserve}], r2
    store node[{stock}], r1
    load r2, node[{ready}]
    add r2, r2, 1
    store node[{ready}], r2
    load r2, node[next-to-sweep]
    go r2
)",
                            of.begin, fmt::arg("reserve", words::reserve + number),
                            fmt::arg("stock", words::stock + number), fmt::arg("ready", words::ready + number));
}

}  // namespace

std::string_view collector_text() {
  using fmt::arg;
  std::string words_of_box;
  for (int k = words::first; k < words::of_box; ++k) words_of_box += mark_word(k);
  static const std::string text = fmt::format(
      texts, arg("stop", stop), arg("to_next", to_next), arg("first", words::first), arg("of_box", words::of_box),
      arg("words_of_box", words_of_box), arg("mark_or_no", mark_or("no")), arg("mark_or_packet", mark_or("packet")),
      arg("mark_or_element", mark_or("element")), arg("colour", words::colour), arg("behind", words::segment_behind),
      arg("at_mark", words::at_mark), arg("at_free", words::at_free));
  return text;
}

void link_class_of_collector(const code::class_info& c, int number, image& to) {
  image::class_code& of = to.classes[static_cast<std::size_t>(number)];
  of.at_mark = assemble(mark_text(c, of), to).front().at;
  of.at_free = assemble(free_text(c, of, number), to).front().at;
}

}  // namespace abcl::registers
