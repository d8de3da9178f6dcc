#include "tsubu/object/move.hpp"

#include <stdexcept>

#include "tsubu/object/balance.hpp"
#include "tsubu/object/routes.hpp"
#include "tsubu/object/space.hpp"
#include "tsubu/object/watches.hpp"

namespace tsubu::objects {

namespace {

bool can_move(const object_base& o) { return type_of_number(this_space().type_of(o)).send != nullptr; }

std::logic_error cannot_move(const object_base& o) {
  return std::logic_error(this_space().name_of(o) +
                          " cannot move: its class needs a default constructor and a serialize() of its own");
}

}  // namespace

void leave_for(object_base& o, pe_id to, reply_to<pe_id> done) {
  check_place(to);
  object_space& s = this_space();
  if (to == s.me()) {
    if (done.wanted()) done.reply(to);
  } else if (!can_move(o)) {
    done.fail(std::make_exception_ptr(cannot_move(o)));
  } else {
    s.places().leave_for(o, to, done.send().to);
  }
}

void leave_after_method(object_base& o, pe_id to) {
  check_place(to);
  object_space& s = this_space();
  if (!can_move(o)) throw cannot_move(o);
  if (to != s.me()) {
    s.places().leave_for(o, to, {no_pe, 0, 0});
  } else if (o.tsubu_header.is(object_base::header::leaving)) {
    s.places().stay(o);
  }
}

void begin_arrival(pe_id from, const identity& id, std::uint32_t type) {
  check_name(from, id);
  object_space& s = this_space();
  require(s.object_named(id) == nullptr && (id.home != s.me() || s.names.is_away(id)),
          "PE {} sends {} here, which is not away", from, [&] { return name_text(id, type); });
  s.places().expect_arrival({id, type});
}

void end_arrival(pe_id from, object_base& o, const identity& id, std::uint32_t stay, bool roams,
                 remote::reply_address done) {
  object_space& s = this_space();
  if (roams) {
    o.tsubu_header.set(object_base::header::may_roam);
    s.balance().fed_by(from);
  }
  s.places().take_in(id, o, stay);
  s.method_ended(o);
  if (done.pe != no_pe) destination(done).value<pe_id>(s.me());
}

void send_watchers(object_base& o, std::vector<std::byte>& state) { this_space().watchers().send(o, state); }

void take_in_watchers(object_base& o, wire::reader& state) { this_space().watchers().take_in(o, state); }

void send_on(pe_id from, const identity& id, std::uint32_t stay, mail& m, bool express) {
  check_name(from, id);
  this_space().places().send(id, from, stay, m, express);
}

void never_forwarded(const identity& id, pe_id, std::uint32_t, mail& m, bool) {
  fail("a message for " + name_text(id, *m.of->type) + " is to follow it to another PE, but its class cannot move");
}

}  // namespace tsubu::objects
