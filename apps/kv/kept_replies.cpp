#include "apps/kv/kept_replies.hpp"

#include <unordered_map>

namespace kv {

using namespace tsubu;

namespace {

struct kept_here {
  std::unordered_map<std::uint64_t, std::shared_ptr<const std::string>> by_number;
  std::uint64_t last = 0;

  std::uint64_t keep(std::shared_ptr<const std::string> what) {
    by_number.emplace(++last, std::move(what));
    return last;
  }
};
pe_local<kept_here> kept;

std::string take_kept(std::uint64_t number) {
  const auto found = kept->by_number.find(number);
  require(found != kept->by_number.end(), "a PE asks for the kept reply {}, which is not here", number);
  std::string bytes = *found->second;
  kept->by_number.erase(found);
  return bytes;
}
void forget_kept(std::uint64_t number) { kept->by_number.erase(number); }

}  // namespace

std::string bulk_header(std::size_t bytes) { return '$' + std::to_string(bytes) + "\r\n"; }

pe_reply keep_value(std::shared_ptr<const std::string> value) {
  pe_reply reply{.text = bulk_header(value->size()), .bytes = value->size(), .is_bulk = true};
  reply.number = kept->keep(std::move(value));
  return reply;
}

pe_reply keep_if_long(std::string reply, const store& of) {
  if (reply.size() <= store::large_bytes + 64) return {.text = std::move(reply)};
  const std::size_t bytes = reply.size();
  return {.text = "", .number = kept->keep(of.keep(std::move(reply))), .bytes = bytes};
}

kept_reply& kept_reply::operator=(kept_reply&& other) noexcept {
  forget();
  pe_ = other.pe_;
  number_ = std::exchange(other.number_, 0);
  bytes_ = other.bytes_;
  return *this;
}

future<std::string> kept_reply::take() { return at(pe_).future<take_kept>(std::exchange(number_, 0)); }

void kept_reply::forget() {
  if (number_ != 0) at(pe_).past<forget_kept>(std::exchange(number_, 0));
}

}  // namespace kv
