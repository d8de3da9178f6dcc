// The collector of a program that is compiled with one (`--collect-every`): texts of the register language, for the
// node and for each class.
//
// It stops the program, marks and sweeps. Node 0 begins; each node that is told to flush holds the program's packets
// from then on, and tells all nodes to flush: so, since packets of two nodes stay in their order, a node that has been
// told by all of them has all packets that were on their way. Then it marks its roots. A packet for each word that is
// marked, wherever it leads; each class has code that sends those for what its objects refer to. A token goes round the
// nodes, and counts marks sent and received (Safra); when none is left node 0 tells all to sweep: each puts the
// segments that are not marked into the stock of their class, and goes on with the packets that it holds.
//
// Roots are: objects that do something, wait for a reply, or have messages waiting; boxes in use; packets that are
// held. What a state's words are is known. Of other words (what is kept over waits, boxes, packets, elements of arrays)
// each that may be a name is taken for one. That is safe, since a segment is one for ever.
#pragma once

#include <string_view>

#include "abcl/code/code.hpp"
#include "abcl/registers/link.hpp"

namespace abcl::registers {

// The node's handlers.
std::string_view collector_text();
// The code of a class whose own has been linked: what its objects refer to, and how one becomes another.
void link_class_of_collector(const code::class_info& c, int number, image& to);

}  // namespace abcl::registers
