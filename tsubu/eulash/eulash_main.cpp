// The main() of a placed program, whose own has become eulash_main(): a library of its own.
#include "tsubu/eulash/start.hpp"

// In C, where it may have no parameters.
extern "C" int eulash_main(int argc, char** argv);

int main(int argc, char** argv) { return tsubu::placed::start(argc, argv, eulash_main); }
