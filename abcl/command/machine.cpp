#include "abcl/command/machine.hpp"

#include <memory>
#include <utility>

#include "abcl/code/print.hpp"
#include "abcl/machine/job.hpp"
#include "abcl/messages/messages.hpp"
#include "abcl/registers/link.hpp"
#include "abcl/registers/print.hpp"
#include "abcl/registers/verify.hpp"

namespace abcl {

namespace {

void tidy(code::program& p, const registers::options& how) {
  for (code::text& t : p.texts) {
    registers::figures f;
    registers::tidy(t, how, f);
  }
}

// From messages to registers. In a debug build both are verified in any case.
void translate(code::program& p, const machine_options& how) {
#ifdef NDEBUG
  const bool verify = how.verify;
#else
  const bool verify = true;
#endif
  if (verify) {
    code::program tidied = p;
    tidy(tidied, how.passes);
    registers::verify(tidied, registers::language::messages);
  }
  registers::translate(p, how.passes);
  if (verify) registers::verify(p, registers::language::registers);
}

}  // namespace

std::string printed(const loaded& l, const std::string& emit, const machine_options& how) {
  code::program p = to_messages(*l.checked, l.texts, *l.checked->find_class(how.start));
  if (emit == "messages") {
    tidy(p, how.passes);
    if (how.verify) registers::verify(p, registers::language::messages);
    return code::shown(p);
  }
  p.collect_every = how.collect_every;
  translate(p, how);
  return registers::shown(registers::link(p), how.whole);
}

bool needs_cpp(const program& p) { return !p.foreign.empty(); }

int run_program(const loaded& l, std::vector<std::string> words, const machine_options& how) {
  code::program p = to_messages(*l.checked, l.texts, *l.checked->find_class(how.start));
  p.collect_every = how.collect_every;
  translate(p, how);
  auto image = std::make_shared<registers::image>(registers::link(p));
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::string title = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with("--tsubu-")) title += ' ' + words[i];
  }
  title.erase(0, title.rfind('/', title.find(' ')) + 1);
  return machine::run_job(static_cast<int>(words.size()), pointers.data(), std::move(image),
                          {how.trace, std::move(title), how.stats, how.memory});
}

}  // namespace abcl
