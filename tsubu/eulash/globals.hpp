// The shared globals of a program: allocated at process 0 in the order of their registration, with their first values,
// and known by their names.
#pragma once

#include <cstdint>
#include <string>

namespace tsubu::placed {

// Gives each its address, from there on, in this process of the system; before the job.
void lay_out_globals(std::uint64_t from);
// At process 0, before main(): allocates them there, and fills them. Where memory is one it is only now that they get
// their addresses, as it depends on the job which those are.
void make_globals();
// For reports: "lock", "pool + 40 bytes", and, of what is no global, "at 0x200000000040".
std::string name_of(std::uint64_t address);

}  // namespace tsubu::placed
