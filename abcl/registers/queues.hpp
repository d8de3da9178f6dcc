// The messages that wait for an object: a chain of boxes from `head` to `tail`, of which those up to `ahead` were
// express; and those that express clauses will take, from `early-head` to `early-tail`.
#pragma once

#include "abcl/registers/block_writer.hpp"

namespace abcl::registers {

// `some_are_express`: in the program; else none is ahead.
void take_out(block_writer& w, value box, value before, bool some_are_express);
void put_back(block_writer& w, value message, bool some_are_express);
// To those that express clauses will take.
void put_back_early(block_writer& w, value message);
// The box, which was the first, is not the last one ahead any more.
void forget_ahead(block_writer& w, value box, value before);

}  // namespace abcl::registers
