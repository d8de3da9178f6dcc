// The language server: what an editor asks about programs while they are written (LSP 3.17, over standard streams).
//
// Errors as one types, types and signatures under the cursor, definitions, who sends a message, names to complete,
// renaming, layout.
#pragma once

#include <iosfwd>

namespace abcl {

// Serves until the editor says exit, or closes `in`. The exit code: 0 if it has asked for the shutdown before.
int serve(std::istream& in, std::ostream& out);

}  // namespace abcl
