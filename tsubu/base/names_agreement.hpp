// Where the names of the next job begin, for processes that have run other jobs before it each (job_names.hpp): each
// says how far it has come, and all go on from the greatest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tsubu::detail {

// One number for the jobs and one for each kind of names, in the same order in all processes of one program.
std::vector<std::uint32_t> names_so_far();

// As many, none below this process's. No PE has begun yet.
void go_on_from(std::span<const std::uint32_t> all);

}  // namespace tsubu::detail
