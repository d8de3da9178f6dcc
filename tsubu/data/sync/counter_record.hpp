// A counter on its home: its value, who keeps a zero, and who waits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tsubu/data/sync/counter_operation.hpp"
#include "tsubu/data/sync/sync_wait.hpp"
#include "tsubu/data/variables/pe_set.hpp"
#include "tsubu/remote/messages/reply.hpp"

namespace tsubu::data {

class counter_record {
 public:
  counter_record(key name, long initial) : name_(name), value_(initial) {}
  counter_record(const counter_record&) = delete;
  counter_record& operator=(const counter_record&) = delete;

  // The result, if it is there now. Else wait() is called, for the same.
  std::optional<long> operate(counter_operation what, long argument);
  void wait(counter_operation what, long argument, remote::reply_address to);
  // May PE `by` keep the answer that it gets now, a zero? If so it is asked to forget before another value is written.
  bool may_keep_zero(pe_id by);
  // A PE keeps its zero no more.
  void forgotten(pe_id by);

  // Its end: those that keep a zero are told, and nobody answers.
  void end();
  bool is_waited_for() const { return !writers_.empty() || !until_zero_.empty(); }
  // "is 3, and who waits for zero: PE 1, PE 2"
  std::string report() const;

  key name() const { return name_; }

 private:
  struct writer {
    long value;
    remote::reply_address to;
  };

  void set(long value);
  bool begin_write(long value);
  void ask_to_forget();

  const key name_;

  // While writers_ wait, until no PE keeps a zero, the value is 0, and nobody may keep it.
  long value_;
  pe_set keep_zero_;             // PEs that may answer their own questions with a zero, without this one
  int not_forgotten_ = 0;        // of those that have been asked to forget
  std::vector<writer> writers_;  // wait, in order
  std::vector<remote::reply_address> until_zero_;
};

}  // namespace tsubu::data
