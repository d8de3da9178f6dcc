// The program's functions, numbered alike on all nodes.
//
// invoke(i, 1, foo, 1, 2) has foo as a value, not as a template argument, and no macro to see its name
// by; and no code address may travel. So the numbers come from the program's own symbol table (ELF
// .symtab, or .dynsym of a stripped program linked with -rdynamic): a function's number is its place
// in it. The digest of all names is part of the handlers that PEs compare when they meet, so that a
// number means the same everywhere. On arrival it must be in the table, and the name found there must
// have the parameters that the message's type says.
//
// UPC++ sends the offset of a function from another one instead: nothing tells whether that is the
// begin of a function, or of one with these parameters.
#pragma once

#include <cstdint>
#include <string>
#include <typeinfo>

#include "tsubu/base/types.hpp"

namespace tsubu::mpc {

using function_number = std::uint32_t;

// A pointer to any function; cast back before it is called.
using any_function = void (*)();

// Reads the table and announces its digest. Before the job starts; further calls do nothing.
void number_functions();

// parameters: typeid(void(P...)) of the function. Ends the job if it is not one of the program's own functions.
function_number number_of(any_function function, const std::type_info& parameters);

// Ends the job if `from` names what is no function, or one with other parameters.
any_function function_at(function_number number, const std::type_info& parameters, pe_id from);

// Whether a function of this demangled name ("ns::foo(int, int)") can have these parameters ("(int, int)"). True for
// instances of templates, whose names tell the parameters as they were written.
bool parameters_match(std::string name, const std::string& parameters);

}  // namespace tsubu::mpc
