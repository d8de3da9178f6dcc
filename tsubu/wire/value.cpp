#include "tsubu/wire/value.hpp"

namespace tsubu::wire {

writer::~writer() = default;
reader::~reader() = default;

template void put<std::string>(writer& out, const std::string& value);
template std::string take<std::string>(reader& in);

}  // namespace tsubu::wire
