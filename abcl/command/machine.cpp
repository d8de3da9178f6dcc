#include "abcl/command/machine.hpp"

#include <memory>
#include <utility>

#include "abcl/code/print.hpp"
#include "abcl/machine/job.hpp"
#include "abcl/messages/messages.hpp"
#include "abcl/registers/link.hpp"
#include "abcl/registers/print.hpp"

namespace abcl {

std::string printed(const loaded& l, const std::string& emit, const machine_options& how) {
  code::program p = to_messages(*l.checked, l.texts, *l.checked->find_class(how.start));
  if (emit == "messages") {
    for (code::text& t : p.texts) {
      registers::figures f;
      registers::tidy(t, how.passes, f);
    }
    return code::shown(p);
  }
  registers::translate(p, how.passes);
  return registers::shown(registers::link(p), how.whole);
}

bool needs_cpp(const program& p) { return !p.foreign.empty(); }

int run_program(const loaded& l, std::vector<std::string> words, const machine_options& how) {
  code::program p = to_messages(*l.checked, l.texts, *l.checked->find_class(how.start));
  registers::translate(p, how.passes);
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
                          {how.trace, std::move(title), how.stats});
}

}  // namespace abcl
