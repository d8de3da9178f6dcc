// The shared globals of a program: allocated at process 0 in the order of their registration, with their first values.
#pragma once

#include <cstdint>

namespace tsubu::placed {

// Gives each its address, from there on, in this process of the system; before the job.
void lay_out_globals(std::uint64_t from);
// At process 0, before main(): allocates them there, and fills them. Where memory is one it is only now that they get
// their addresses, as it depends on the job which those are.
void make_globals();

}  // namespace tsubu::placed
