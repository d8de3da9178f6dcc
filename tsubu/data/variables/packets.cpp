#include "tsubu/data/variables/packets.hpp"

#include "tsubu/data/variables/access_request.hpp"
#include "tsubu/remote/messages/error_report.hpp"
#include "tsubu/remote/messages/register_exception.hpp"

namespace tsubu::data {

namespace {
const bool ends_keep_their_type = register_exception<variable_ended>();
}  // namespace

void invalidate::call(const message::delivery& d, key name, bool value_follows) {
  data_space& s = this_space();
  copy* c = s.here(name, d.from);
  if (c == nullptr) return;
  // Under way, an access has given the copy up, and the messages may have crossed.
  const copy::state has = c->has();
  require(
      has == copy::state::shared || (has == copy::state::invalid && c->under_way() != 0),
      "PE {} invalidates the copy of {} on PE {}, which is {}: expected one to read", d.from,
      [&] { return describe(name); }, s.me, has == copy::state::modified ? "the only value" : "invalid");
  const std::uint32_t reads = c->take_used().reads;
  c->set_invalid();
  c->set_value_follows(value_follows);
  remote::send<acknowledge>(d.from, name, reads);
  s.changed(name, *c);
}

void copy_was_read::call(const message::delivery& d, key name, std::uint32_t reads) {
  data_space& s = this_space();
  directory_entry* entry = s.find(name, d.from);
  if (entry == nullptr) return;
  data_space::seen(*entry, d.from, reads, 0);
  s.done_with(name);
}

void tell_home_of_reads(pe_id home, key name, std::uint32_t reads) { remote::send<copy_was_read>(home, name, reads); }

void answer_failed::call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, key name,
                         const remote::error_report& report) {
  remote::reply_sink* sink = remote::current_pe->replies.take(d.from, slot, generation, nullptr);
  if (sink != nullptr) sink->error(remote::exception_of(report));
  completed::call(d, name);
}

void answer_error_being_handled(remote::reply_address to, key name) {
  if (to.slot == no_answer || to.slot == completion_only) {
    remote::current_pe->tasks.on_uncaught(remote::answered_exception());
    if (to.slot == completion_only) remote::send<completed>(to.pe, name);
  } else if (to.pe == this_pe()) {
    remote::reply_sink* sink = remote::current_pe->replies.take(to.pe, to.slot, to.generation, nullptr);
    if (sink != nullptr) sink->error(remote::answered_exception());
  } else {
    remote::send<answer_failed>(to.pe, to.slot, to.generation, name, remote::error_being_handled());
  }
}

void answer_ended(remote::reply_address to, key name, const std::type_info& type) {
  try {
    throw variable_ended(describe(name, type) + " has ended");
  } catch (const variable_ended&) {
    answer_error_being_handled(to, name);
  }
}

}  // namespace tsubu::data
