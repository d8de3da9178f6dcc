// Programs that are linked into one executable, `programs`, and can run in one job, one after the other. A launch costs
// more than most programs do, above all on MPI, and so does linking one. Each program is in a namespace of its own,
// since no two functions of a job that take messages may have the same name, and ends with
//
//   const test::joined_program entry("storms", run, program);
//
//   programs storms [ARGUMENT...]             runs it as a job of its own
//   programs storms,epochs [ARGUMENT...]      runs these in one job, each with these arguments
//   programs together [ARGUMENT...]           runs all in one job
#pragma once

#include "tsubu/run/run.hpp"

namespace tsubu::test {

class joined_program {
 public:
  using body = task<int> (*)(arguments);
  using starter = int (*)(int argc, char** argv, body);

  // `start` is run or run_spmd.
  joined_program(const char* name, starter start, body program_body)
      : name_(name), start_(start), body_(program_body), next_(first_) {
    first_ = this;
  }
  joined_program(const joined_program&) = delete;
  joined_program& operator=(const joined_program&) = delete;

  const char* name() const { return name_; }
  bool runs_on_every_pe() const { return start_ == &run_spmd; }
  task<int> program(arguments args) const { return body_(std::move(args)); }
  int as_a_job(int argc, char** argv) const { return start_(argc, argv, body_); }

  static const joined_program* first() { return first_; }
  const joined_program* next() const { return next_; }

 private:
  const char* name_;
  starter start_;
  body body_;
  const joined_program* next_;
  static constinit inline const joined_program* first_ = nullptr;
};

}  // namespace tsubu::test
