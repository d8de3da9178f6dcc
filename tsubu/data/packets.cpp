#include "tsubu/data/packets.hpp"

#include "tsubu/data/access_request.hpp"

namespace tsubu::data {

void put_out_of_use::call(const message::delivery& d, key name, bool value_follows) {
  data_space& s = this_space();
  copy& c = s.here(name, d.from);
  c.set_nothing();
  c.value_follows = value_follows ? 1 : 0;
  remote::send<out_of_use>(d.from, name, std::exchange(c.reads, 0));
  s.changed(c);
}

void answer_failed::call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, key name, pe_id pe,
                         std::string type, std::string text) {
  remote::reply_sink* sink = remote::current_pe->replies.take(d.from, slot, generation, nullptr);
  if (sink != nullptr) sink->error(std::make_exception_ptr(remote_error(pe, std::move(type), text)));
  done_with_it::call(d, name);
}

void answer_with(const remote_error& e, remote::reply_address to, key name) {
  if (to.slot == nobody || to.slot == nobody_told) {
    remote::current_pe->tasks.on_uncaught(std::make_exception_ptr(e));
    if (to.slot == nobody_told) remote::send<done_with_it>(to.pe, name);
  } else if (to.pe == this_pe()) {
    remote::reply_sink* sink = remote::current_pe->replies.take(to.pe, to.slot, to.generation, nullptr);
    if (sink != nullptr) sink->error(std::make_exception_ptr(e));
  } else {
    remote::send<answer_failed>(to.pe, to.slot, to.generation, name, e.pe(), e.type(), e.message());
  }
}

remote_error has_ended(key name, const std::type_info& type) {
  return {this_pe(), "tsubu::variable_ended", describe(name, type) + " has ended"};
}

}  // namespace tsubu::data
