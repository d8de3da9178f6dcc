// Messages that come to an object that has ended, in both back ends: a question whose reply somebody waits for ends the
// job; others are dropped, and a line tells of them at the end of the job.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace abcl {

inline std::string asked_an_ended_object(std::string_view message) {
  return "a question " + std::string(message) + " to an object that has ended";
}

// A PE has one.
class late_messages {
 public:
  late_messages() = default;
  late_messages(const late_messages&) = delete;
  late_messages& operator=(const late_messages&) = delete;
  ~late_messages() {
    if (count_ == 0) return;
    const std::string how_many = count_ == 1 ? "1 past message was for an object that had ended: "
                                             : std::to_string(count_) +
                                                   " past messages were for objects that had "
                                                   "ended, the last of them ";
    std::fputs(("abcl: PE " + std::to_string(pe_) + ": " + how_many + last_ + '\n').c_str(), stderr);
  }

  // As its type is written.
  void count(int pe, std::string_view message) {
    pe_ = pe;
    ++count_;
    last_ = message;
  }

 private:
  int pe_ = 0;
  std::uint64_t count_ = 0;
  std::string last_;
};

}  // namespace abcl
