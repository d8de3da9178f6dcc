// How much memory this process may use: the machine's, or less where a limit says so.
#pragma once

#include <cstdint>
#include <string>

namespace kv {

// The least of the machine's memory, the limits of the process's control groups (versions 1 and 2, with those above
// it), and RLIMIT_AS and RLIMIT_DATA.
std::uint64_t memory_limit();

// The least limit of the control groups that `groups` names, a file like /proc/self/cgroup, where they are mounted at
// `root`, as /sys/fs/cgroup; all ones if there is none. What cannot be read sets no limit.
std::uint64_t control_group_limit(const std::string& groups, const std::string& root);

}  // namespace kv
