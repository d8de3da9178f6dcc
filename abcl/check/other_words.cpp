#include "abcl/check/other_words.hpp"

#include <algorithm>

namespace abcl {
namespace {

struct other_word {
  std::string_view word;
  const char* here;
};

constexpr other_word all_other_words[] = {
    {"!=", "`/=` compares"},
    {"%", "`mod` is the rest of a division"},
    {"&", "(bit-and a b) has the bits that both have"},
    {"&&", "`and` is meant"},
    {":=", "[name := value] assigns"},
    {"<<", "(shift-left a by) shifts"},
    {"<>", "`/=` compares"},
    {"=/=", "`/=` compares"},
    {"=<", "`<=` compares"},
    {"==", "`=` compares"},
    {">>", "(shift-right a by) shifts; the sign comes in from the left"},
    {"^", "(bit-xor a b) has the bits that one of them has"},
    {"append", "(str a b ...) puts texts together"},
    {"atoi", "(parse-int text) is the Int that a text is"},
    {"case", "`match` takes values apart"},
    {"concat", "(str a b ...) puts texts together"},
    {"continue", "an `if` around the rest of the loop's forms is meant"},
    {"create", "(new Class ...) creates an object"},
    {"def", "(function (name (Type argument) ...) Type form ...) defines, beside classes"},
    {"define", "(function (name (Type argument) ...) Type form ...) defines, beside classes"},
    {"defun", "(function (name (Type argument) ...) Type form ...) defines, beside classes"},
    {"display", "`print` is meant"},
    {"do", "`begin` is meant, or a loop: `while`, `for`"},
    {"elif", "(cond (condition form ...) ... (else form ...)) has several conditions"},
    {"else", "an `if` is (if condition then else)"},
    {"elseif", "(cond (condition form ...) ... (else form ...)) has several conditions"},
    {"eof?", "(more-input?) says whether the input has another line"},
    {"eq?", "`=` compares"},
    {"equal", "`=` compares"},
    {"fn", "there are no functions without names"},
    {"format", "`print` and `str` put values together"},
    {"getline", "`read-line` is meant"},
    {"input", "(read-line) is a line of the standard input"},
    {"lambda", "there are no functions without names"},
    {"last", "(break) leaves a loop"},
    {"leave", "(break) leaves a loop"},
    {"len", "`length` is meant"},
    {"let*", "`let` is meant: a variable sees those before it"},
    {"list", "(array a b ...) makes an array"},
    {"next", "an `if` around the rest of the loop's forms is meant; (next-value future) takes a value out"},
    {"nth", "(aref array index) is an element"},
    {"open", "(read-file path) is the text of a file, (write-file path text) writes one"},
    {"println", "`print` is meant"},
    {"progn", "`begin` is meant"},
    {"rand", "(random n) is an Int from 0 to n - 1"},
    {"readline", "`read-line` is meant"},
    {"receive", "`wait-for` takes a message inside of a clause"},
    {"ref", "(aref array index) is an element"},
    {"rem", "`mod` is the rest of a division"},
    {"reply", "`!value` replies"},
    {"return", "`!value` replies; a form has the value of its last part"},
    {"self", "`me` is the object that runs"},
    {"send", "[target <= message] sends; `<==` waits for the reply"},
    {"set!", "[name := value] assigns"},
    {"set", "[name := value] assigns"},
    {"setf", "[name := value] assigns"},
    {"setq", "[name := value] assigns"},
    {"size", "`length` is meant"},
    {"slice", "(subarray array from to) is a part of an array, (substring text from to) one of a Str"},
    {"slurp", "(read-file path) is the text of a file"},
    {"spawn", "(new Class ...) creates an object"},
    {"state", "`state` stands directly behind the creation arguments of a class"},
    {"str->int", "(parse-int text) is the Int that a text is"},
    {"string->number", "`parse-int` and `parse-float` make numbers of texts"},
    {"strip", "`trim` is meant"},
    {"subseq", "(subarray array from to) is a part of an array, (substring text from to) one of a Str"},
    {"substr", "(substring text from to) is a part of a text"},
    {"switch", "`match` takes values apart"},
    {"this", "`me` is the object that runs"},
    {"time", "(clock) is the job's time in seconds"},
    {"to-float", "`float` is meant"},
    {"to-int", "`int` is meant"},
    {"tokenize", "`words` and `split` take texts apart"},
    {"unless", "`if` is meant, with `not`"},
    {"vector", "(array a b ...) makes an array"},
    {"when", "`if` is meant; its else may be left out"},
    {"xor", "(bit-xor a b) has the bits that one of them has; of Bools `/=` is it"},
    {"|", "(bit-or a b) has the bits that one of them has"},
    {"||", "`or` is meant"},
    {"~", "(bit-not a) has the bits that `a` has not"},
};

constexpr other_word all_other_values[] = {
    {"FALSE", "`false` is meant"},
    {"False", "`false` is meant"},
    {"NIL", "`nil` is no object, `false` no truth"},
    {"NULL", "`nil` is meant"},
    {"Nil", "`nil` is meant"},
    {"None", "`nil` is no object; a variable without a first value holds 0, \"\" or the like"},
    {"TRUE", "`true` is meant"},
    {"True", "`true` is meant"},
    {"null", "`nil` is meant"},
    {"nullptr", "`nil` is meant"},
    {"self", "`me` is the object that runs"},
    {"t", "`true` is meant, if a Bool is"},
    {"this", "`me` is the object that runs"},
};

}  // namespace

const char* value_said_here(std::string_view name) {
  const auto* const found = std::ranges::find(all_other_values, name, &other_word::word);
  return found != std::end(all_other_values) ? found->here : nullptr;
}

const char* said_here(std::string_view word) {
  const auto* const found = std::ranges::find(all_other_words, word, &other_word::word);
  return found != std::end(all_other_words) ? found->here : nullptr;
}

}  // namespace abcl
