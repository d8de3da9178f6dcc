// The smallest job that needs all of a transport: `tsubu hello`, which doctor starts on each.
#pragma once

namespace tsubu::command {

int hello(int argc, char** argv);

}  // namespace tsubu::command
