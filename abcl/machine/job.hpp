// A program of the register language as a job of Tsubu: each PE is a node of the machine, each packet a past message.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "abcl/registers/link.hpp"

namespace abcl::machine {

// What is told at the end, also when the program ends with an error or a deadlock.
struct job_options {
  std::string trace;         // the file to write events to (trace.hpp); empty: none is recorded
  std::string title;         // of the chart
  bool stats = false;        // what each node has executed, to the standard error
  std::uint32_t memory = 0;  // words of each node; 0: as many as there are addresses
};

// Runs the program; argv[0] is its name, the rest its arguments and options of Tsubu. Returns the exit code. On several
// ranks each calls it, with the same image.
int run_job(int argc, char** argv, std::shared_ptr<const registers::image> program, job_options how = {});

}  // namespace abcl::machine
