#include "tsubu/data/profile/place_names.hpp"

#include "tsubu/data/sync/lock_home.hpp"
#include "tsubu/remote/messages/send.hpp"

namespace tsubu::data {
namespace {

struct tell_place {
  using layout = wire::layout<std::string>;
  static void call(const message::delivery& d, std::string text) { lock_homes->places.told(d.from, std::move(text)); }
};

}  // namespace

std::string text_of(const std::source_location& where) {
  return std::string(where.file_name()) + ':' + std::to_string(where.line());
}

std::uint32_t place_names::number_for(pe_id to, const std::source_location& where) {
  const place p{where.file_name(), where.line(), to};
  const auto known = numbers_.find(p);
  if (known != numbers_.end()) return known->second;
  remote::send<tell_place>(to, data::text_of(where));
  const std::uint32_t number = next_[to]++;
  numbers_.emplace(p, number);
  return number;
}

std::string place_names::text_of(pe_id from, std::uint32_t number) const {
  const auto of = told_.find(from);
  return of != told_.end() && number < of->second.size() ? of->second[number] : "an unknown place";
}

}  // namespace tsubu::data
