// Reads the matrix of a linear system from a Matrix Market file.
//
// Accepted: `%%MatrixMarket matrix coordinate real|integer general|symmetric`, square, symmetric in its values (for
// `general`: each entry equals its mirror), with a positive diagonal: what the conjugate-gradient method needs, as far
// as can be seen without factorising it. A pattern has no values, hence is rejected; so are complex, array,
// skew-symmetric and hermitian files. Entries at the same place are added.
//
// Source: Boisvert, Pozo, Remington, The Matrix Market Exchange Formats, NIST IR 5935, 1996.
#pragma once

#include <filesystem>
#include <istream>
#include <string>

#include "apps/npb/csr.hpp"
#include "apps/text/line_reader.hpp"

namespace npb {

// what(): one line, "<file>:<line>: expected <...>, got <...>".
using matrix_market_error = text::file_error;

// The whole matrix, both triangles, columns ascending in each row. Throws matrix_market_error.
csr read_matrix_market(const std::filesystem::path& file);

// The same from a stream; `name` stands for the file in messages.
csr read_matrix_market(std::istream& in, const std::string& name);

}  // namespace npb
