// --type of programs with shared data: which protocol it has.
#pragma once

#include <string>

#include "apps/program/command_line.hpp"
#include "tsubu/data/protocol.hpp"

namespace program {

// Adds --type PROTOCOL, of what `whose` says; `name` stays as it is where it is not given, and is then one that
// protocol_named() knows.
option add_protocol_option(command_line& options, std::string& name, const std::string& whose);

}  // namespace program
