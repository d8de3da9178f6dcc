// What is said of brackets, forms and names.
#include <array>

#include "abcl/text/catalog_parts.hpp"

namespace abcl {
namespace {

// In the fragments, `n` is an Int and `b` is a Buffer, which understands [:put Int (@ [])] and [:get (@ Int)].
constexpr auto of_forms = std::to_array<explanation>({
    {1, "A bracket is not closed", R"(
A bracket has been opened, and the file ends, or the next class or function begins, before it is
closed. The next definition is recognized where it begins at the left margin. What the damaged
definition contains is not judged; the others are.

Wrong:
  [class Main (obj []) ((Int n))
    (print n)
    (exit 0)

Right:
  [class Main (obj []) ((Int n))
    (print n)
    (exit 0)]
)"},
    {2, "A closing bracket does not fit", R"(
A closing bracket stands where another one is expected, or where no bracket is open. Round brackets
enclose forms, square ones enclose classes, sends, assignments and messages. The place that is shown
is the first that cannot be right; the mistake itself may stand before it, so look at the bracket
that is shown as open, too.

Wrong:
  (print (+ n 1])

Right:
  (print (+ n 1))
)"},
    {3, "The text has a control character", R"(
Programs consist of visible characters, spaces, tabs and line ends. Another control character has
most likely come with text that was copied from elsewhere, and cannot be seen in an editor. Delete
it, or type the word that it stands in again.

Wrong, where ^A stands for the character with the number 1:
  (print n^A)

Right:
  (print n)
)"},
    {4, "A string is not closed, or has an unknown escape", R"(
A string ends with a second quotation mark on the same line. In it, a backslash begins an escape: \n
is the end of a line, \t a tab, \" a quotation mark and \\ a backslash. Other characters do not
follow a backslash.

Wrong:
  (print "the number is n)
  (print "C:\data")

Right:
  (print "the number is" n)
  (print "C:\\data")
)"},
    {5, "This is no number", R"(
What begins with a digit, or with a sign and a digit, has to be a number: an Int as 42, a Float as
4.2 or 1.0e-6. An Int has 64 bits with a sign, a Float is one of IEEE 754 with 64 bits. There are no
hexadecimal numbers, and no units. Names begin with something else.

Wrong:
  (let ((Int width 5cm)) (print width 0xFF))

Right:
  (let ((Int width 5)) (print width 255))
)"},
    {6, "A reply without a value", R"(
`!` replies to the message that the clause has taken, and the value to reply with stands behind it.
To tell only that something is done, reply with the empty message: ![] answers a message that ends
with (@ []).

Wrong:
  (==> [:put v] [kept := v] !)

Right:
  (==> [:put v] [kept := v] ![])
)"},
    {7, "Brackets are nested too deep", R"(
Brackets may be nested 500 deep, which is more than anybody can read. A program that reaches this
has most likely been made by another program, or has lost its closing brackets. Break the value into
several, with `let` or with functions.

Wrong, if it goes on like this for 500 brackets:
  (print (+ 1 (+ 2 (+ 3 (+ 4 n)))))

Right:
  (let ((Int sum n))
    (for (i 1 5) [sum := (+ sum i)])
    (print sum))
)"},
    {8, "A comment begins with a semicolon", R"(
`;` begins a comment, which ends with its line. What other languages begin comments with consists of
characters that names and operators are made of: the rest of the line is taken for the comment that
it is meant to be, so that nothing else is said of it.

Wrong:
  (print n)  // the number

Right:
  (print n)  ; the number
)"},
    {10, "Only classes, functions and names of types stand side by side", R"(
At the outermost level, a program consists of [class ...], (function ...), (type Name Type) and
(use "file"). Forms that are to be executed stand in the body of a class: a program begins with the
creation of an object of the class Main. A class inside of another one is most often the sign of a
missing bracket before it.

Wrong:
  (print "hello")

Right:
  [class Main (obj []) ((Int n))
    (print "hello")
    (exit 0)]
)"},
    {11, "A class is not complete", R"(
A class has a name, an interface (obj ...) with the messages that it understands, and a list of its
creation arguments, in this order. Both lists may be empty, but neither may be left out. The state
and the body follow.

Wrong:
  [class Counter (obj [:get (@ Int)])
    (state (Int k := 0))
    (script (==> [:get] !k))]

Right:
  [class Counter (obj [:get (@ Int)]) ()
    (state (Int k := 0))
    (script (==> [:get] !k))]
)"},
    {12, "A function is not complete", R"(
A function has its name and its arguments in one pair of brackets, then the type of its result, then
the forms that compute it. The value of the last form is the result.

Wrong:
  (function (twice (Int n)) (* 2 n))

Right:
  (function (twice (Int n)) Int (* 2 n))
)"},
    {13, "An argument or a name is expected", R"(
Arguments of classes and functions are pairs of a type and a name, in this order. Where something is
given a name, that name is a symbol: not a number, not a string, and not a form in brackets.

Wrong:
  (function (add a b) Int (+ a b))

Right:
  (function (add (Int a) (Int b)) Int (+ a b))
)"},
    {14, "A state variable is not well formed", R"(
Each state variable is written (Type name), or (Type name := value) if it begins with a value. The
variables of `let`, in contrast, have no `:=`.

Wrong:
  [class Main (obj []) ()
    (state (Int k 0))
    (exit k)]

Right:
  [class Main (obj []) ()
    (state (Int k := 0))
    (exit k)]
)"},
    {15, "A type is expected", R"(
The types are Int, Float, Bool, Str, the name of a class, (obj [message ...] ...) for all objects
that understand these messages, (@ T) for what one replies to with a T, (array T), (future T), and
[:tag T ...] for messages. An interface consists of messages only, each in its square brackets.

Wrong:
  [class Sink (obj :put Int) ()]

Right:
  [class Sink (obj [:put Int]) ()]
)"},
    {16, "This means nothing here", R"(
Round brackets begin with an operator, a form as `if`, or the name of a function; brackets are not
put around values only to group them. A tag stands at the beginning of a message, in square
brackets.

Wrong:
  (print ((+ n 1)))
  (print [b <== :get])

Right:
  (print (+ n 1))
  (print [b <== [:get]])
)"},
    {17, "A form has too few or too many parts", R"(
Each form has its own number of parts; the error says how this one is written. Where several forms
are to stand in the place of one, as in a branch of `if`, put them into (begin ...).

Wrong:
  (if (> n 0) (print "positive") (print n) (exit 1))

Right:
  (if (> n 0)
    (begin (print "positive") (print n))
    (exit 1))
)"},
    {18, "A send is not well formed", R"(
A send has a target, an operator and one message, which stands in square brackets of its own. A
future may follow a past send, behind a `$`.

Wrong:
  [b <= :put 5]

Right:
  [b <= [:put 5]]
)"},
    {19, "An assignment is not well formed", R"(
An assignment is written [place := value]. The place is the name of a variable, an element of an
array, (aref array index), or a part of one, (subarray array from to). `=` compares, and `<-` means nothing.

Wrong:
  (let ((Int k 0)) [k = 5] (print k))

Right:
  (let ((Int k 0)) [k := 5] (print k))
)"},
    {20, "A clause is not well formed", R"(
A clause begins with an arrow and the message that it takes: `=>` takes a message, `==>` one that
wants a reply, and `=>>` and `==>>` take express messages, in a script only. A guard, `where` and a
condition, may follow. The clauses of `match` take values apart, which want no reply: they all begin
with `=>`.

Wrong:
  [class Echo (obj [:go]) () (script ([:go] (print "going")))]

Right:
  [class Echo (obj [:go]) () (script (=> [:go] (print "going")))]
)"},
    {21, "A pattern is not well formed", R"(
A pattern consists of names, which take the elements of a message, of literals, which an element has
to be equal to, and of `_`, which takes anything. There are no patterns inside of patterns: take an
element that is a message apart with `match`. A condition stands behind the pattern.

Wrong:
  (match n (=> [(> n 0)] (print "positive")) (=> [_] (print "other")))

Right:
  (match n (=> [k] where (> k 0) (print "positive")) (=> [_] (print "other")))
)"},
    {22, "A file that is used cannot be read", R"(
(use "file.abcl") adds the classes and functions of another file to the program. The name is looked
for beside the file that uses it. Each file is read once, however often it is used. The headers and
sources of C++ that `foreign` names are looked for in the same way, but for "<header>".

Wrong:
  (use buffer)

Right:
  (use "buffer.abcl")
)"},
    {23, "Two messages of an interface cannot be told apart", R"(
An object chooses the clause for a message by the tag and the number of elements, the reply
destination included. The types of the elements do not choose: an object that is sent could fit both.

Wrong:
  (obj [:log Int] [:log Str])

Right:
  (obj [:log-number Int] [:log-text Str])
)"},
    {24, "A declaration of C++ is not well formed", R"(
(foreign "header.hpp" ...) declares functions and classes of C++ that the header has. Behind it may
stand the sources that belong to it. A declaration is that of a function or a class of the program,
with its name in C++ where these have a body.

Wrong:
  (foreign <numeric> (gcd Int Int))

Right:
  (foreign "<numeric>" (function (gcd (Int a) (Int b)) Int "std::gcd"))
)"},
    {25, "A name for a type is not well formed", R"(
(type Name Type) gives a name to a type, beside classes. The name may then stand wherever the type
may, also before it is given. It is the type, not another one: what fits the one fits the other.

Wrong:
  (type Sink [:put Int] [:close])

Right:
  (type Sink (obj [:put Int] [:close]))
)"},
    {30, "An unknown name", R"(
No variable of this name is known at this place. Those of `let`, `for`, `sync` and of patterns are
known inside of the form that makes them; state variables and creation arguments are known in their
class, arguments in their function. A function sees no variables but its own. An object of a class
is made with (new Class ...).

Wrong:
  (let ((Int sum 0)) [sum := (+ sum n)])
  (print sum)

Right:
  (let ((Int sum 0))
    [sum := (+ sum n)]
    (print sum))
)"},
    {31, "An unknown class", R"(
`new` is followed by the name of a class, which stands in this file or in one that it uses. Classes
may be named before they are written. Upper and lower case are different.

Wrong:
  (print [(new buffer) <== [:get]])

Right:
  (print [(new Buffer) <== [:get]])
)"},
    {32, "An unknown form or function", R"(
Round brackets call what their first part names, and that is no operator, no form and no function of
this program. A send or an assignment stands in square brackets, an object is made with (new Class
...).

Wrong:
  (b <= [:put n])
  (set k 5)

Right:
  [b <= [:put n]]
  (let ((Int k 0)) [k := 5] (print k))
)"},
    {33, "An unknown type", R"(
The types with names are Int, Float, Bool, Str, the classes of the program, and those that (type Name
Type) names. Upper and lower case are different.

Wrong:
  (function (twice (Integer n)) Integer (* 2 n))
  (function (greeting) String "hello")

Right:
  (function (twice (Int n)) Int (* 2 n))
  (function (greeting) Str "hello")
)"},
    {34, "Something is defined twice", R"(
Two classes, two functions, or two variables of the same place have the same name, or a class has the
name of a type. A variable of an inner form may have the name of an outer one, which is hidden there.

Wrong:
  (function (sum (Int a) (Int a)) Int (+ a a))

Right:
  (function (sum (Int a) (Int b)) Int (+ a b))
)"},
    {35, "This name means something else", R"(
The names of forms, operators and types cannot be given to classes, functions or variables, so that
they mean the same everywhere.

Wrong:
  (function (not (Int i)) Bool (= i 0))

Right:
  (function (is-zero (Int i)) Bool (= i 0))
)"},
    {36, "There is no class Main that can be created", R"(
A program starts with one object of the class Main. Its creation arguments come from the command line,
so they are of type Int, Float or Str. The last one may be an (array Str), which takes all words that
are left.

Wrong:
  [class Main (obj []) (((array Int) all)) (exit 0)]

Right:
  [class Main (obj []) ((Int n) ((array Str) names)) (exit 0)]
)"},
    {37, "A program has too many classes", R"(
A program may have 4080 classes, those of the files that it uses among them. One that has more has most
likely been made by another program: let it make objects of few classes, and give them as creation
arguments what differs.

Wrong, if it goes on like this for 4081 classes:
  [class Cell1 (obj []) () (print 1)]
  [class Cell2 (obj []) () (print 2)]

Right:
  [class Cell (obj []) ((Int n)) (print n)]
)"},
    {38, "A type stands for itself", R"(
What a name of a type stands for has the name in it again, by itself or by way of other names. Types
are known by what they consist of, and this one would never end. The name of a class is its own, so
its interface may have it.

Wrong:
  (type Link (obj [:next (@ Link)]))

Right:
  [class Link (obj [:next (@ Link)]) ((Link n)) (script (==> [:next] !n))]
)"},
});

}  // namespace

std::span<const explanation> explanations_of_forms() { return of_forms; }

}  // namespace abcl
