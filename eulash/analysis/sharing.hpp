// Who shares what: for each variable and allocation site, what the facts prove.
#pragma once

#include <string>
#include <vector>

#include "eulash/analysis/facts.hpp"

namespace eulash {

enum class sharing : unsigned char {
  of_thread,    // each thread has its own, or it is on a stack and nobody else is told where
  one_process,  // only the first thread, which never leaves process 0, uses it
  read_only,    // nobody writes to it
  several,      // threads of several processes may use it
  unknown       // somebody unknown has its address
};

struct verdict {
  sharing is = sharing::several;
  std::string why;  // one sentence

  bool is_private() const { return is != sharing::several && is != sharing::unknown; }
};

class shared_objects {
 public:
  // After solve().
  explicit shared_objects(const facts& f);

  const verdict& of(object o) const { return verdicts_[static_cast<std::size_t>(o)]; }
  // Whether all that it may point to is private; false also where nothing is known to be there.
  bool leads_to_private(value pointer) const;
  // Whether threads execute the function that pthread_create starts, or the first thread only.
  bool executed_by_threads(int function) const { return of_threads_.contains(function); }

 private:
  struct use {  // the first of each kind
    const access_facts *by_first = nullptr, *by_thread = nullptr, *write = nullptr;
  };

  void find_functions_of_threads();
  void find_escaped();
  void find_uses();
  verdict judge(object o) const;
  verdict judge_variable(object o) const;
  std::string told(const access_facts* a) const;

  const facts& f_;
  std::set<int> of_threads_;
  std::set<object> escaped_, known_outside_;
  std::vector<use> uses_;
  std::vector<verdict> verdicts_;
};

}  // namespace eulash
