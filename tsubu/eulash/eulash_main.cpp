// The main() of a placed program, whose own has become eulash_main(): a library of its own.
#include "tsubu/eulash/libc.h"
#include "tsubu/eulash/start.hpp"

int main(int argc, char** argv) { return tsubu::placed::start(argc, argv, eulash_main); }
