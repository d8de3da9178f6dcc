#include "tsubu/wire/value.hpp"

namespace tsubu::wire {

writer::writer(std::vector<std::byte>& to) : OutputArchive(this), to_(to) {}
writer::~writer() = default;

reader::reader(const std::byte* begin, const std::byte* end) : InputArchive(this), next_(begin), end_(end) {}
reader::~reader() = default;

template void put<std::string>(writer& out, const std::string& value);
template std::string take<std::string>(reader& in);

}  // namespace tsubu::wire
