// What is said of types, messages and clauses, and the warnings.
#include <array>

#include "abcl/text/catalog_parts.hpp"

namespace abcl {
namespace {

// In the fragments, `n` is an Int and `b` is a Buffer, which understands [:put Int (@ [])] and [:get (@ Int)].
constexpr auto of_rules = std::to_array<explanation>({
    {40, "A value has another type than is expected", R"(
What stands here is not of the type that its surroundings expect. Int and Float are not converted by
themselves: (float n) and (int x) do that. A past send `<=` has no value, and neither has an `if`
whose branches have different types or that has only one. An object fits an (obj ...) if it
understands all of its messages.

Wrong:
  (let ((Float x n)) (print x))

Right:
  (let ((Float x (float n))) (print x))
)"},
    {41, "An object does not understand a message", R"(
The interface of the target, which stands behind the name of its class, has no message with this
tag, or none without a tag. If the target is of a type (obj ...), only the messages in that type may
be sent, whatever the object itself understands.

Wrong:
  (print [b <== [:take]])

Right:
  (print [b <== [:get]])
)"},
    {42, "A message has too few or too many elements", R"(
The target understands a message with this tag, but with another number of elements. The reply
destination, the last element (@ T), is not written in a now send; in a past send it is, if the
reply is to go somewhere.

Wrong:
  [b <== [:put]]

Right:
  [b <== [:put n]]
)"},
    {43, "Nobody would reply to this", R"(
A now send `<==`, and a send to a future, wait for a reply; but this message has no reply
destination (@ T) as its last element, so that none would come. Reply destinations themselves do not
reply, either. A past send `<=` does not wait.

Wrong:
  [class Door (obj [:open]) () (script (=> [:open] (print "open")))]
  [class Main (obj []) () [(new Door) <== [:open]] (exit 0)]

Right:
  [class Door (obj [:open]) () (script (=> [:open] (print "open")))]
  [class Main (obj []) () [(new Door) <= [:open]] (exit 0)]
)"},
    {44, "Messages are sent to objects", R"(
The target of a send is an object or a reply destination. Numbers, texts, arrays and futures
understand no messages; the elements of an array may. In square brackets `<=` sends; the comparison
stands in round ones, with the operator first.

Wrong:
  (if [n <= 5] (print "few"))

Right:
  (if (<= n 5) (print "few"))
)"},
    {45, "There is nobody to reply to", R"(
`!` replies to the message that the innermost clause with `==>` around it has taken. Outside of such
a clause, as in the body of a class or in a clause with `=>`, nobody waits for a reply. A clause
with `=>` that names the reply destination of its message sends to it.

Wrong:
  [class Counter (obj [:get (@ Int)]) () (script (=> [:get r] !1))]

Right:
  [class Counter (obj [:get (@ Int)]) () (script (=> [:get r] [r <= 1]))]
)"},
    {47, "An operator is given wrong operands", R"(
`+`, `-`, `*` and `/` take numbers of one type, `mod` takes Ints, `<` and its like numbers or texts
of one type, `=` and `/=` also Bools and objects, `and`, `or` and `not` Bools. `/`, `mod` and `not`
have a fixed number of operands, the others one or more, comparisons at least two. Int and Float are
not mixed: (float n) makes a Float of an Int.

Wrong:
  (print (* n 1.5))

Right:
  (print (* (float n) 1.5))
)"},
    {48, "An object is created with wrong arguments", R"(
The arguments of `new` are those of the class, in their order, all of them. Behind them, `:on` and a
number may tell the node that the object is to live on.

Wrong:
  [class Point (obj [:show]) ((Int x) (Int y)) (script (=> [:show] (print x y)))]
  [class Main (obj []) () [(new Point 1) <= [:show]] (exit 0)]

Right:
  [class Point (obj [:show]) ((Int x) (Int y)) (script (=> [:show] (print x y)))]
  [class Main (obj []) () [(new Point 1 2) <= [:show]] (exit 0)]
)"},
    {49, "A function is called with another number of arguments", R"(
A call gives a value to each argument of the function, in their order. There are no arguments that
may be left out. What a function of the library takes is said with the error.

Wrong:
  (function (add (Int a) (Int b)) Int (+ a b))
  (function (three) Int (add 3))

Right:
  (function (add (Int a) (Int b)) Int (+ a b))
  (function (three) Int (add 1 2))
)"},
    {50, "A pattern never fits the value", R"(
`match` compares a value with the patterns of its clauses. This pattern has another tag or another
number of elements than all values of this type, so the clause could not be taken. A value that is
no message is taken by a pattern with one element.

Wrong:
  (match [n 1] (=> [k] (print k)))

Right:
  (match [n 1] (=> [k one] (print k one)))
)"},
    {51, "A message of the interface has no clause", R"(
The interface of a class promises that its objects understand a message, but the script has no
clause that takes it: it would stay in the queue for ever. Add a clause, or take the message out of
the interface.

Wrong:
  [class Lamp (obj [:on] [:off]) ()
    (script (=> [:on] (print "on")))]

Right:
  [class Lamp (obj [:on] [:off]) ()
    (script
      (=> [:on] (print "on"))
      (=> [:off] (print "off")))]
)"},
    {52, "A clause takes a message that is not in the interface", R"(
Objects are sent only what the interface of their class names, with its number of elements. With
`==>`, the pattern leaves out the reply destination, which is the last element: `!` replies to it.
With `=>`, the pattern names it.

Wrong:
  [class Cell (obj [:put Int (@ [])]) ()
    (script (==> [:put v r] (print v) ![]))]

Right:
  [class Cell (obj [:put Int (@ [])]) ()
    (script (==> [:put v] (print v) ![]))]
)"},
    {53, "A message wants no reply", R"(
A clause with `==>` takes a message whose last element in the interface is a reply destination (@
T). This message has none: take it with `=>`, or add (@ T) to it in the interface.

Wrong:
  [class Door (obj [:open]) () (script (==> [:open] ![]))]

Right:
  [class Door (obj [:open (@ [])]) () (script (==> [:open] ![]))]
)"},
    {54, "A reply box is used wrongly", R"(
(sync r form ...) makes a reply box `r`, executes the forms and waits for the value that is put into
the box; that is the value of the `sync`. In the forms, (@ r) is the destination of the box, to be
given to somebody where a reply destination is expected. The name `r` alone has no value. All who
may reply have to reply with values of one type.

Wrong:
  (print (sync r [b <= [:get]]))

Right:
  (print (sync r [b <= [:get (@ r)]]))
)"},
    {55, "This has no value", R"(
A reply `!v` and (exit code) may stand wherever a value is expected, so that a branch may end with
them; but they have none that could be printed or put into a message.

Wrong:
  [class Echo (obj [Int (@ Int)]) () (script (==> [v] (print !v)))]

Right:
  [class Echo (obj [Int (@ Int)]) () (script (==> [v] (print v) !v))]
)"},
    {56, "This cannot be assigned to", R"(
State variables, creation arguments and the variables of `let` may be assigned to. What a loop
counts, what a pattern has taken, and the arguments of functions keep their values; so do `me`,
`nil`, `true` and `false`.

Wrong:
  (for (i 0 n) [i := (+ i 1)])

Right:
  (let ((Int i 0))
    (while (< i n) [i := (+ i 2)]))
)"},
    {57, "A script stands at the end of a class", R"(
An object that reaches its script only takes messages from then on. So the script is the last form
of the body of its class, there is one of it, and it does not stand in another form. In a clause,
`wait-for` takes messages and then goes on.

Wrong:
  [class Echo (obj [:go]) ()
    (script (=> [:go] (print "going")))
    (print "ready")]

Right:
  [class Echo (obj [:go]) ()
    (print "ready")
    (script (=> [:go] (print "going")))]
)"},
    {58, "This place only computes", R"(
Guards, the first values of state variables, and functions do not send, wait or reply. Functions may
print; first values may create objects, too. The body of a class and its clauses do it all. A guard
is asked more often than once and has to say the same each time, so it looks at no files, at no
clock and at nothing random either, and calls no function that prints or changes an array which it
has not made; functions and first values may. To wait for the standard input is left to bodies and
clauses.

Wrong:
  [class Main (obj []) ()
    (state (Buffer kept := (new Buffer)) (Int first := [kept <== [:get]]))
    (print first)
    (exit 0)]

Right:
  [class Main (obj []) ()
    (state (Buffer kept := (new Buffer)) (Int first))
    [first := [kept <== [:get]]]
    (print first)
    (exit 0)]
)"},
    {59, "A function has no object", R"(
`me`, `suicide`, `non-resume` and `wait-for` concern the object that runs. A function computes with
its arguments alone, whoever calls it. Give it the object as an argument, or do it in the class.

Wrong:
  (function (is-me (Buffer b)) Bool (= b me))

Right:
  (function (is-same (Buffer a) (Buffer b)) Bool (= a b))
)"},
    {60, "Only an express clause leaves out what it has interrupted", R"(
An express message may interrupt an object; when its clause has ended, what was interrupted goes on,
unless the clause says (non-resume). Other clauses interrupt nothing. Express clauses begin with
`=>>` or `==>>`.

Wrong:
  [class Job (obj [:stop]) () (script (=> [:stop] (non-resume)))]

Right:
  [class Job (obj [:stop]) () (script (=>> [:stop] (non-resume)))]
)"},
    {61, "A future is expected, or what it holds is not known", R"(
`touch`, `next-value`, `ready?` and the place behind `$` take a future. (make-future) makes one of
the type that is expected where it stands: give it to a variable first. A future holds what is
replied, so both have the same type.

Wrong:
  (print (touch [b <= [:get]]))

Right:
  (let (((future Int) f (make-future)))
    [b <= [:get] $ f]
    (print (touch f)))
)"},
    {62, "An array is expected, or what it holds is not known", R"(
`aref` takes an array and an index, `subarray` an array and two, from where to before where, and
`length` an array or a text. What (make-array length value) holds is known from the value or from the variable that it is given to; `nil` alone does not tell.

Wrong:
  (print (length (make-array n nil)))

Right:
  (let (((array Buffer) all (make-array n nil)))
    (print (length all)))
)"},
    {63, "A future cannot be sent", R"(
A future stays with the object that has made it: it is no element of a message and no creation
argument. What travels is the destination that replies go to, or the value.

Wrong:
  (obj [:take (future Int)])

Right:
  (obj [:take (@ Int)])
)"},
    {64, "An express clause has a condition", R"(
An express clause interrupts at once, so it takes every message of its kind: it has neither literals in
its pattern nor a guard.

Wrong:
  (=>> [:stop 1] (non-resume))

Right:
  (=>> [:stop n] (if (= n 1) (non-resume)))
)"},
    {65, "There is no loop to leave", R"(
(break) leaves the innermost `while` or `for` around it, which goes on behind itself. It is one of the
forms of the loop, or stands in an `if`, `cond`, `begin`, `let`, `match`, `atomic` or `wait-for` among
them. It does not leave a `sync`, nor what computes a value.

Wrong:
  (if (> n 3) (break))

Right:
  (for (i 0 n) (if (> i 3) (break)) (print i))
)"},
    {101, "A clause leaves out the reply destination", R"(
The message wants a reply: its last element in the interface is a reply destination. A clause with
`=>` has to give that a name. One that leaves it out is taken as if it began with `==>`, so that `!`
replies.

Warned of:
  [class Twice (obj [Int (@ Int)]) () (script (=> [v] !(* 2 v)))]

Better:
  [class Twice (obj [Int (@ Int)]) () (script (==> [v] !(* 2 v)))]
)"},
    {102, "An object waits for itself", R"(
A now send waits for the reply, and an object takes no messages while it waits. One that asks itself
waits for ever. Compute what you need with a function, or send a past message to `me`, which is
taken later.

Warned of:
  [class Sum (obj [:one (@ Int)] [:two (@ Int)]) ()
    (script (==> [:one] !1) (==> [:two] !(* 2 [me <== [:one]])))]

Better:
  (function (one) Int 1)
  [class Sum (obj [:one (@ Int)] [:two (@ Int)]) ()
    (script (==> [:one] !(one)) (==> [:two] !(* 2 (one))))]
)"},
    {103, "A clause is never reached", R"(
Clauses are tried in their order, and one before takes every such message: it has neither a guard
nor a literal. Put the clause for the special case first.

Warned of:
  (match n
    (=> [_] (print "other"))
    (=> [0] (print "zero")))

Better:
  (match n
    (=> [0] (print "zero"))
    (=> [_] (print "other")))
)"},
    {104, "A clause never replies", R"(
A clause with `==>` takes a message that wants a reply, and there is no `!` in it: who has sent the
message with `<==` waits for ever. The value of the last form is not replied by itself. If there is
nothing to tell, reply with ![] where it is done, or take (@ T) out of the interface.

Warned of:
  [class One (obj [:get (@ Int)]) () (script (==> [:get] 1))]

Better:
  [class One (obj [:get (@ Int)]) () (script (==> [:get] !1))]
)"},
    {105, "A value is ignored", R"(
A form in a sequence computes a value, and nothing is done with it. Only the last form of a sequence
gives its value on. Most often an assignment or a reply is missing.

Warned of:
  (begin (+ n 1) (print n))

Better:
  (begin (print (+ n 1)))
)"},
    {106, "A variable is not used", R"(
A variable of `let` or of a pattern is never read. In a pattern, `_` takes an element that nobody
needs; a variable whose name begins with `_` is not warned of.

Warned of:
  (match [n 1] (=> [k one] (print k)))

Better:
  (match [n 1] (=> [k _] (print k)))
)"},
    {107, "A clause replies twice", R"(
Whoever asks with `<==`, or by a `sync`, takes one reply, and a second one ends the job. Only a future
takes as many as come, and an object that stands for the destination. `!` does not end a clause: where
one of two replies is meant, they stand in the branches of an `if`.

Warned of:
  [class One (obj [:get (@ Int)]) () (script (==> [:get] !1 !2))]

Better:
  [class One (obj [:get (@ Int)]) () (script (==> [:get] !1))]
)"},
});

}  // namespace

std::span<const explanation> explanations_of_rules() { return of_rules; }

}  // namespace abcl
