// What is wrong with a file of data, where the program that reads it can catch it.
#pragma once

#include <stdexcept>

namespace tsubu {

// what() begins with the file's name, and has the line and the column where there is one:
//   towns.txt: No such file or directory
// Local; does not block; throws std::bad_alloc.
class data_file_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tsubu
