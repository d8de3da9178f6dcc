#include "tsubu/object/stream.hpp"

namespace tsubu::objects {

namespace {
pe_local<std::uint32_t> streams;
}

void bad_stream(const std::string& what) { fail(what); }
std::uint32_t next_stream() { return (*streams)++; }

}  // namespace tsubu::objects
