// The main() of a placed program, whose own has become eulash_main(): a library of its own.
#include "tsubu/eulash/start.hpp"

// In C, where it may have no parameters.
extern "C" int eulash_main(int argc, char** argv);

int main(int argc, char** argv) { return tsubu::placed::start(argc, argv, eulash_main); }

// With AddressSanitizer, clang puts variables of functions elsewhere than on stacks, where no other process can reach
// them by their addresses.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "detect_stack_use_after_return=0"; }
