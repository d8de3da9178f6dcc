// Starting a job.
//
//   task<int> program(arguments args) { ...; co_return 0; }
//   int main(int argc, char** argv) { return run(argc, argv, program); }
//
// The transport is threads, or MPI when an MPI launcher started the process; --tsubu-help lists the
// options. The job ends when the program has returned and all that it caused has run, everywhere; its
// exit code is what the program returned (its low 8 bits; 1 if these are 0 and the rest is not). An exception that
// leaves the program ends the job with 1; a job in which nothing is left to run while the program still waits is a
// deadlock, and ends with 70, or with what the program has returned on other PEs, if that is not 0.
#pragma once

#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

// A program's arguments without Tsubu's own; [0] is the program's name.
// Local; does not block; an argument that is missing ends the job.
class arguments {
 public:
  arguments(int argc, char** argv);

  // How many there are, the name included.
  std::size_t size() const { return words_.size(); }
  // Ends the job if there are not as many.
  const std::string& operator[](std::size_t i) const {
    require(i < words_.size(), "argument {} is missing: the program was given {}", i, words_.size() - 1);
    return words_[i];
  }
  auto begin() const { return words_.begin(); }
  auto end() const { return words_.end(); }

  // `args.number(1, 100)`: the first one as a number of that type, or 100 if there is none. Ends the job if it is no
  // number, or none of that type.
  template <class T>
    requires std::integral<T> || std::floating_point<T>
  T number(std::size_t i, T otherwise) const {
    using limits = std::numeric_limits<T>;
    if (i >= words_.size()) return otherwise;
    if constexpr (std::floating_point<T>) {
      return static_cast<T>(real(i, limits::lowest(), limits::max()));
    } else if constexpr (std::signed_integral<T>) {
      return static_cast<T>(whole(i, limits::min(), limits::max()));
    } else {
      return static_cast<T>(natural(i, limits::max()));
    }
  }

 private:
  long double real(std::size_t i, long double least, long double most) const;
  long long whole(std::size_t i, long long least, long long most) const;
  unsigned long long natural(std::size_t i, unsigned long long most) const;

  std::vector<std::string> words_;
};

// Runs `program` on PE 0; the other PEs answer messages. Returns the job's exit code.
// Local; blocks the process until the job has ended; returns its exit code, or ends the process with it, as for a
// wrong option.
int run(int argc, char** argv, task<int> (*program)(arguments));

// Runs `program` on every PE. The exit code is the largest that one returned.
// Local; blocks the process until the job has ended; returns its exit code, or ends the process with it, as for a
// wrong option.
int run_spmd(int argc, char** argv, task<int> (*program)(arguments));

// "threads", "sim", "openmpi", "mpich" or "mpi_abi": how the PEs of this job are connected.
// Local; does not block; throws nothing.
std::string_view transport_name();

}  // namespace tsubu
