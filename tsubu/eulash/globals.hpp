// The shared globals of a program: allocated at process 0 in the order of their registration, with their first values.
#pragma once

namespace tsubu::placed {

// Gives each its address, in this process of the system; before the job.
void lay_out_globals();
// At process 0, before main(): allocates them there, and fills them.
void make_globals();

}  // namespace tsubu::placed
