// The words of a job as main() has them, for who has no main() of its own.
#pragma once

#include <cerrno>
#include <string>
#include <vector>

namespace tsubu::run_detail {

class job_words {
 public:
  // Without the program's name, which is that of the process.
  explicit job_words(const std::vector<std::string>& words) : words_(words) {
    words_.insert(words_.begin(), ::program_invocation_name);
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
    count_ = static_cast<int>(words_.size());
  }
  int& count() { return count_; }
  char** pointers() { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
  int count_ = 0;
};

}  // namespace tsubu::run_detail
