// What goes wrong with a file on one PE is thrown on all of them, so that none waits for who has thrown.
#pragma once

#include <string>

#include "tsubu/containers/files/error.hpp"

namespace tsubu::containers {

// What work() says is wrong with a file. Empty: nothing is.
template <class F>
std::string what_goes_wrong(F work) {
  try {
    work();
  } catch (const data_file_error& error) {
    return error.what();
  }
  return {};
}

// For all_reduce(): what is wrong on some PE, if anything is on any.
struct first_error {
  std::string operator()(std::string a, std::string b) const { return a.empty() ? b : a; }
};

}  // namespace tsubu::containers
