// Files that are written as state K of something: rows or records, of which each says K and its place, and how many
// there are follows from K. So a mixture of two states is found, and one of which something is missing.
#pragma once

#include <tsubu/tsubu.hpp>

#include <cstdint>
#include <string>

// By which writer. A folder of part files; or one file of all PEs.
enum class written_by { write_csv, write_records, write_record_file };

// Collective.
tsubu::task<void> write_state_files(written_by how, std::string name, std::uint64_t state);

// The state that is there whole; ends the job if none is. Collective.
tsubu::task<std::uint64_t> state_of_files(written_by how, std::string name);
