// Numbers of PEs as people write them: "1,2,4,...,1024".
#pragma once

#include <string>
#include <vector>

namespace tsubu::command {

// The numbers that a list stands for. "..." goes on as the two numbers before it suggest, by their ratio or else by
// their difference, to the number behind it. If it cannot, the process ends with exit code 2 and one line, which begins
// with `what`: whose list it is.
std::vector<int> series_of(const std::string& what, const std::string& list);

}  // namespace tsubu::command
