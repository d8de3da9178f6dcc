// Promise: with run_spmd the program runs on every PE, and the largest code that one returns is the job's.
#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

task<int> program(arguments) { co_return this_pe() == pe_count() / 2 ? 33 : 11; }

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
