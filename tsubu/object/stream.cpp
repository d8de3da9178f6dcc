#include "tsubu/object/stream.hpp"

namespace tsubu::objects {

namespace {
pe_local<std::uint32_t> streams;
}

std::uint32_t next_stream() { return (*streams)++; }

}  // namespace tsubu::objects
