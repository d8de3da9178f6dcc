// The shared globals of a program: allocated at process 0 in the order of their registration, with their first values,
// and known by their names; and those variables of which each thread has its own.
#pragma once

#include <cstddef>
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

// The variables of each thread's own: where each is among them, told before the job; and the room that they take.
void lay_out_own_variables();
std::size_t bytes_of_own_variables();
// Puts them there, with their first values. Where they begin.
char* make_own_variables(char* room);

}  // namespace tsubu::placed
