// --type of programs with shared data: which protocol it has.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "tsubu/data/protocol.hpp"

namespace program {

// Adds --type PROTOCOL, of what `whose` says; `name` stays as it is where it is not given, and is then one that
// protocol_named() knows.
CLI::Option* add_protocol_option(CLI::App& options, std::string& name, const std::string& whose);

}  // namespace program
