#include "tsubu/data/variables/write_combining_buffer.hpp"

#include "tsubu/remote/pe.hpp"

namespace tsubu::data {

void write_combining_buffer::keep(sum& s) {
  const std::size_t place = place_of(s.name);
  if (places_[place] != nullptr) {
    send(place);
  } else {
    if (used_.empty()) remote::current_pe->defer(*this);
    used_.push_back(static_cast<std::uint16_t>(place));
  }
  places_[place] = &s;
  if (s.group != nullptr) ++s.group->waiting;
}

void write_combining_buffer::send(std::size_t place) {
  sum& s = *places_[place];
  places_[place] = nullptr;
  {
    const task_group_scope inside(s.group);
    s.send();
  }
  if (s.group != nullptr && --s.group->waiting == 0) s.group->settled(*s.group);
  s.discard();
}

void write_combining_buffer::send_all() {
  for (const std::uint16_t place : used_) {
    if (places_[place] != nullptr) send(place);
  }
  used_.clear();
}

}  // namespace tsubu::data
