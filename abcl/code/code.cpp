#include "abcl/code/code.hpp"

#include <array>

namespace abcl::code {
namespace {

// In the order of `opcode`. Operands: a letter is that member, printed as a value (d a b c), a number (k), or the name
// of a block (t u); o is b or, if that is none, the number k; capitals name by k: S a selector, C a class, F a
// function, X a text, V a service, R a reactive text, E an entry, H a handler; L is the layout u. All else stands for
// itself.
constexpr std::array<shape, opcodes> shapes = {{
    // messages
    {"reserve", "d at a, k words, then t", true, true},
    {"deliver", "b to a as S"},
    {"deliver-express", "b to a as S"},
    {"deliver-reply", "b to a"},
    {"deliver-future", "b to c of a"},
    {"deliver-left", "b to a"},
    {"create", "d = C at a, then t", true, true},
    {"start", "a"},
    {"open-box", "d, k words"},
    {"await-one", "a, then t", true, true},
    {"await", "a, then t", true, true},
    {"await-future", "a, then t", true, true},
    {"await-outside", "d = function k, then t", true, true},
    {"release", "a"},
    {"open-future", "d"},
    {"first", "d"},
    {"following", "d, a"},
    {"take-out", "a behind b"},
    {"put-back", "a"},
    {"await-message", "then t, again u", true, true},
    {"next", "d, then t", true},
    {"pause", "then t", true, true},
    {"poll", "then t", true, true},
    {"poll-messages", "then t", true, true},
    {"interrupt", ""},
    {"resume", "d, then t", true},
    {"enter-atomic", ""},
    {"leave-atomic", ""},
    {"drop-interrupted", ""},
    {"finish", "k", true},
    // registers
    {"send", "a.E, b"},
    {"ask-node", "a.H, b"},
    {"link", "R"},
    {"end", "", true},
    {"go", "a", true},
    {"keep-place", "k, t"},
    {"give-box", "a"},
    // both
    {"put", "a[k], b"},
    {"put-heap", "a[k], b, L"},
    {"incoming", "d"},
    {"pack", "d, a as S"},
    {"pack-express", "d, a as S"},
    {"kind-of", "d, a"},
    {"box-of", "d, a"},
    {"name-box", "d, a"},
    {"name-future", "d, a"},
    {"pair", "d, a, b"},
    {"future-of", "d, a"},
    {"is-future", "d, a"},
    {"is-early", "d, a"},
    {"set", "d, k"},
    {"text", "d, X"},
    {"me", "d"},
    {"neighbour", "d, k"},
    {"neighbours", "d"},
    {"node-at", "d, a"},
    {"move", "d, a"},
    {"add", "d, a, o"},
    {"sub", "d, a, o"},
    {"mul", "d, a, o"},
    {"div", "d, a, o"},
    {"mod", "d, a, o"},
    {"fadd", "d, a, b"},
    {"fsub", "d, a, b"},
    {"fmul", "d, a, b"},
    {"fdiv", "d, a, b"},
    {"fneg", "d, a"},
    {"sqrt", "d, a"},
    {"to-int", "d, a"},
    {"to-float", "d, a"},
    {"eq", "d, a, o"},
    {"ne", "d, a, o"},
    {"lt", "d, a, o"},
    {"le", "d, a, o"},
    {"flt", "d, a, b"},
    {"fle", "d, a, b"},
    {"feq", "d, a, b"},
    {"fne", "d, a, b"},
    {"not", "d, a"},
    {"load", "d, a[k]"},
    {"store", "a[k], b"},
    {"jump", "t", true},
    {"if-eq", "a, o, t else u", true},
    {"if-ne", "a, o, t else u", true},
    {"if-lt", "a, o, t else u", true},
    {"if-le", "a, o, t else u", true},
    {"if-gt", "a, o, t else u", true},
    {"if-ge", "a, o, t else u", true},
    {"argument", "k, a"},
    {"call", "F, then t", true, true},
    {"result", "d, k"},
    {"give-result", "k, a"},
    {"leave", "", true},
    {"service", "d, V a b c L"},
    {"fail", "X", true},
}};

}  // namespace

const shape& shape_of(opcode what) { return shapes[static_cast<std::size_t>(what)]; }
bool ends_block(opcode what) { return shape_of(what).ends_block; }
bool waits(opcode what) { return shape_of(what).waits; }

void successors(const instruction& i, std::vector<int>& into) {
  into.clear();
  if (!ends_block(i.what)) return;
  if (i.t >= 0) into.push_back(i.t);
  if (i.u >= 0 && i.u != i.t) into.push_back(i.u);
}

}  // namespace abcl::code
