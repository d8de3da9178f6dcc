// What a node does with packets, as programs of the register language: the reactive texts, which take packets for
// objects, and the handlers of packets for the node itself. The paper's section 4.1 describes them; the texts are ours.
//
// A sequence begins with the packet's datum in r0. `answer` has no text: it is matched with the place in the segment.
// An object is linked to another text when it begins to wait, or goes on; so none of these asks what it waits for.
// What a text does not say here link.cpp fills in: dormant-open does as dormant, accepting-open and idle as accepting,
// waiting-open as waiting, an express message as an ordinary one where messages are waited for, and the rest as busy.
#include "abcl/registers/handlers.hpp"

#include <fmt/format.h>

namespace abcl::registers {

namespace {

// ---- what several texts do

// The object goes on where it waits.
constexpr std::string_view go_on = R"(
    link busy
    load r1, segment[place]
    go r1
)";

// It may wait for others than r1.
constexpr std::string_view end_unless_awaited = R"(
    load r3, segment[awaited]
    if-eq r1, r3, this
    end
this:
)";

// A reply is in its box, r1, from now on; or will not come.
constexpr std::string_view keep_reply = R"(
    box-of r1, r0
    set r2, has-come
    store r1[next], r2
)";
constexpr std::string_view keep_left = R"(
    box-of r1, r0
    set r2, will-not-come
    store r1[next], r2
)";

// A value of a future, r1: behind the others.
constexpr std::string_view keep_value = R"(
    future-of r1, r0
    box-of r2, r0
    set r3, 0
    store r2[next], r3
    load r4, r1[next]
    if-eq r4, 0, only
    load r5, r1[message]
    store r5[next], r2
    store r1[message], r2
    end
only:
    store r1[next], r2
    store r1[message], r2
)";

// Express clauses begin; r1 is what the object was doing.
constexpr std::string_view interrupt_text = R"(
    store segment[kept-reactive], r1
    load r2, segment[at-express]
    go r2
)";

// A segment of class r1, in r2; r4 is the next one.
constexpr std::string_view create = R"(
    load r2, r1[stock]
    name-box r3, r2
    send r0.answer, r3
    load r4, r2[tail]
    if-eq r4, 0, refill
)";

// ---- the texts; what is between braces stands above

constexpr auto handler_texts = FMT_STRING(R"(
; ---- a message comes

; to an object that works: it waits in the queue
text busy.message
    box-of r1, r0
    store r1[message], r0
    set r2, 0
    store r1[next], r2
    load r3, segment[head]
    if-eq r3, 0, first
    load r4, segment[tail]
    store r4[next], r1
    store segment[tail], r1
    end
first:
    store segment[head], r1
    store segment[tail], r1
    end

; to one that takes any
text dormant.message
    link busy
    load r1, segment[at-message]
    go r1

; to one that looks whether it wants it
text accepting.message
    {go_on}

; ---- an express message comes

; to an object that cannot be interrupted: in front of the others, behind those like it; or, if its class has express
; clauses, to those that interrupt as soon as that is possible
text busy.express
    box-of r1, r0
    store r1[message], r0
    load r2, segment[interruptible]
    if-eq r2, 0, ahead
    set r3, 0
    store r1[next], r3
    load r4, segment[early-head]
    if-eq r4, 0, only
    load r5, segment[early-tail]
    store r5[next], r1
    store segment[early-tail], r1
    end
only:
    store segment[early-head], r1
    store segment[early-tail], r1
    end
ahead:
    load r3, segment[ahead]
    store segment[ahead], r1
    if-eq r3, 0, front
    load r4, r3[next]
    store r1[next], r4
    store r3[next], r1
    if-eq r4, 0, last
    end
front:
    load r4, segment[head]
    store r1[next], r4
    store segment[head], r1
    if-eq r4, 0, last
    end
last:
    store segment[tail], r1
    end

; to one that can be interrupted
text dormant-open.express
    set r1, dormant-open
    {interrupt}
text accepting-open.express
    set r1, accepting-open
    {interrupt}
text waiting-open.express
    set r1, waiting-open
    {interrupt}

; ---- a reply comes

; that nobody waits for yet
text busy.reply
    {keep_reply}
    end

; the only one that can come
text waiting-one.reply
    {go_on}

; one of several
text waiting.reply
    {keep_reply}
    {end_unless_awaited}
    {go_on}

; a reply that will not come: the box is told instead
text busy.left
    {keep_left}
    end
text waiting.left
    {keep_left}
    {end_unless_awaited}
    {go_on}

; a value of a future
text busy.future
    {keep_value}
    end
text waiting.future
    {keep_value}
    {end_unless_awaited}
    {go_on}

; ---- an object has ended
text ended.message
    service refuse r0
    end
text ended.express
    service refuse r0
    end

; ---- an object begins

text busy.start
    load r1, segment[place]
    go r1

; ---- for the node

; a box is wanted: the answer leaves first, and the free list never gets empty
text node.box
    load r1, node[free-boxes]
    name-box r2, r1
    send r0.answer, r2
    load r3, r1[next]
    if-eq r3, 0, refill
    give-box r3
    end
refill:
    service r3, refill
    give-box r3
    end

; one of r1 words
text node.large-box
    service r2, large-box r1
    name-box r3, r2
    send r0.answer, r3
    end

; an object of class r1 is wanted: segments are kept ready
text node.create
    {create}
    store r1[stock], r4
    end
refill:
    service r4, fill-stock r1
    store r1[stock], r4
    end
)");

}  // namespace

std::string_view handlers_text() {
  using fmt::arg;
  static const std::string text =
      fmt::format(handler_texts, arg("go_on", go_on), arg("end_unless_awaited", end_unless_awaited),
                  arg("keep_reply", keep_reply), arg("keep_left", keep_left), arg("keep_value", keep_value),
                  arg("interrupt", interrupt_text), arg("create", create));
  return text;
}

std::string_view create_and_count_text() {
  static const std::string text = fmt::format(R"(
; the same; what is in reserve comes first, and when it is time to collect node 0 is told
text node.create
    {}
    store r1[stock], r4
    end
refill:
    load r2, r1[ready]
    load r4, r1[reserve]
    if-eq r4, 0, none
    div r2, r2, 2
    store r1[ready], r2
    set r3, 0
    store r1[reserve], r3
    jump filled
none:
    service r4, fill-stock r1
    set r3, 0
    store r1[ready], r3
    load r3, node[at-a-time]
    add r2, r2, r3
filled:
    store r1[stock], r4
    load r3, node[countdown]
    sub r3, r3, r2
    store node[countdown], r3
    if-gt r3, 0, enough
    set r2, 0
    node-at r2, r2
    ask-node r2.collect, r2
enough:
    end
)",
                                              create);
  return text;
}

}  // namespace abcl::registers
