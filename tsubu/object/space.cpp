#include "tsubu/object/space.hpp"

#include <cxxabi.h>

#include <array>
#include <cstdio>

#include "tsubu/object/balance.hpp"
#include "tsubu/object/object.hpp"
#include "tsubu/object/request.hpp"

namespace tsubu::objects {

// ---- classes

namespace {

// 0 is no class, 1 stands for an object that is away.
std::vector<object_type>& types() {
  static std::vector<object_type> all(2);
  return all;
}

std::string readable(const char* mangled) {
  char* text = abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr);
  std::string name = text != nullptr ? text : mangled;
  std::free(text);
  return without_anonymous(std::move(name));
}

}  // namespace

std::uint32_t register_type(const object_type& type) {
  types().push_back(type);
  type_table = types().data();
  return static_cast<std::uint32_t>(types().size() - 1);
}
std::string class_name(std::uint32_t number) {
  return number < 2 || number >= types().size() ? "an object" : readable(types()[number].name);
}

// ---- what is sent between spaces

struct numbers_returned {
  using numbers = std::array<object_space::numbered, object_space::returned_together>;
  using layout = wire::layout<numbers>;
  static void call(const message::delivery& d, const numbers& n) {
    auto& stock = here().stocks_[static_cast<std::size_t>(d.from)].returned;
    stock.insert(stock.end(), n.begin(), n.end());
  }
};

[[noreturn]] void no_such_creator(pe_id from, pe_id creator) {
  fail("PE " + std::to_string(from) + " names an object that PE " + std::to_string(creator) +
       " created, but the job's PEs are 0 to " + std::to_string(tsubu::pe_count() - 1));
}

[[noreturn]] void no_such_generation(pe_id from, std::uint32_t generation) {
  fail("PE " + std::to_string(from) + " creates an object of generation " + std::to_string(generation) +
       " here, but the last one is " + std::to_string(identity::most_generation));
}

[[noreturn]] void no_such_home(pe_id home) {
  fail("an object is to be created on PE " + std::to_string(home) + ", but the job's PEs are 0 to " +
       std::to_string(tsubu::pe_count() - 1));
}

// ---- the space

struct object_space::unborn_object final : object_base {
  unborn_object() : object_base(unregistered{}) { tsubu_header.state = bits::busy; }
};

object_space::object_space()
    : me_(this_pe()),
      pes_(tsubu::pe_count()),
      tables_(std::make_unique<table[]>(static_cast<std::size_t>(pes_))),
      stocks_(std::make_unique<stock[]>(static_cast<std::size_t>(pes_))),
      runner_(run_listed()) {
  TSUBU_CHECK(static_cast<std::uint32_t>(pes_ - 1) <= identity::most_creator,
              "a job with concurrent objects has " + std::to_string(identity::most_creator + 1) + " PEs at most");
  remote::current_pe->describe_waits_by(&describe_wait);
}

object_space::~object_space() {
  for (pe_id creator = 0; creator < pes_; ++creator) {
    table& t = tables_[static_cast<std::size_t>(creator)];
    for (std::uint32_t n = 0; n < t.size; ++n) {
      const slot& s = t.slots[n];
      if (s.has_object()) type_of_number(static_cast<std::uint32_t>(s.key >> 32)).destroy(*s.object);
    }
    std::free(t.slots);
  }
  for (const auto& [o, g] : guests_) type_of_number(g.type).destroy(*const_cast<object_base*>(o));
  runner_.coroutine.destroy();
  if (counters_.gone > 0) {
    std::fprintf(stderr, "tsubu: PE %d: %llu past messages were for objects that had ended, the last of them %s\n", me_,
                 static_cast<unsigned long long>(counters_.gone), last_gone_.c_str());
  }
}

// ---- by name

object_space::absence object_space::why_not(const identity& id, std::uint32_t type) const {
  const table& t = tables_[static_cast<std::size_t>(id.creator())];
  if (id.number() >= t.size) return absence::unborn;
  const slot& s = t.slots[id.number()];
  const auto generation = static_cast<std::uint32_t>(s.key);
  const auto found = static_cast<std::uint32_t>(s.key >> 32);
  if (id.generation() < generation) return absence::gone;
  if (id.generation() > generation || found == no_type) return absence::unborn;
  if (found == away_type) return absence::away;
  fail("a message for " + name_of(id, type) + ", but that name is of " + name_of(id, found));
}

object_base& object_space::unborn(const identity& id) {
  std::unique_ptr<unborn_object>& u = early_[id];
  if (u == nullptr) u = std::make_unique<unborn_object>();
  return *u;
}

identity object_space::identity_of(const object_base& o) const {
  if (!guests_.empty()) [[unlikely]] {
    if (const auto g = guests_.find(&o); g != guests_.end()) return g->second.id;
  }
  const identity id{me_, o.tsubu_header.creator(), o.tsubu_header.number(), 0};
  return {id.home, id.creator(), id.number(), static_cast<std::uint32_t>(slot_of(id).key)};
}

std::uint32_t object_space::type_of(const object_base& o) const {
  if (const auto g = guests_.find(&o); g != guests_.end()) return g->second.type;
  return static_cast<std::uint32_t>(slot_of(identity_of(o)).key >> 32);
}

std::string object_space::name_of(const object_base& o) const { return name_of(identity_of(o), type_of(o)); }

std::string object_space::name_of(const identity& id, std::uint32_t type) const {
  return class_name(type) + ' ' + std::to_string(id.creator()) + '.' + std::to_string(id.number()) + " on PE " +
         std::to_string(id.home);
}

// ---- creation

std::uint32_t object_space::names_everywhere(std::uint32_t count) {
  std::uint32_t first = 0;
  for (pe_id home = 0; home < pes_; ++home) first = std::max(first, stocks_[static_cast<std::size_t>(home)].fresh);
  for (pe_id home = 0; home < pes_; ++home) stocks_[static_cast<std::size_t>(home)].fresh = first + count;
  return first;
}

void object_space::extend(pe_id creator, std::uint64_t end) {
  table& t = tables_[static_cast<std::size_t>(creator)];
  if (end > std::uint64_t{identity::most_number} + 1)
    fail("PE " + std::to_string(creator) + " creates more objects here than can be numbered");
  if (end > t.capacity) {
    const std::uint64_t capacity =
        std::min<std::uint64_t>(std::max<std::uint64_t>({64, end, 2ULL * t.capacity}), ~std::uint32_t{0});
    // Not a vector: the pages of a large table are moved, not copied.
    void* const grown = std::realloc(t.slots, capacity * sizeof(slot));
    if (grown == nullptr) throw std::bad_alloc();
    t.slots = static_cast<slot*>(grown);
    t.capacity = static_cast<std::uint32_t>(capacity);
  }
  for (; t.size < end; ++t.size) t.slots[t.size] = {{nullptr}, key_of(0, no_type)};
}

void object_space::claim_new(const identity& id, std::uint32_t type) {
  table& t = tables_[static_cast<std::size_t>(id.creator())];
  if (id.number() >= t.size) {
    // One creator's messages come in order, so its fresh numbers do.
    TSUBU_CHECK(id.number() == t.size, "PE " + std::to_string(id.creator()) + " creates object " +
                                           std::to_string(id.number()) + " here, but has created " +
                                           std::to_string(t.size));
    if (t.size == t.capacity) {
      extend(id.creator(), std::uint64_t{id.number()} + 1);
    } else {
      t.slots[t.size++] = {{nullptr}, key_of(0, no_type)};
    }
  }
  slot& s = t.slots[id.number()];
  TSUBU_CHECK(s.key == key_of(id.generation(), no_type),
              "PE " + std::to_string(id.creator()) + " creates object " + std::to_string(id.number()) + " here again");
  s.key = key_of(id.generation(), type);
  making_ = {id.creator(), id.number()};
}

void object_space::made_elsewhere(object_base& o) {
  if (making_.creator != arrival) fail("a concurrent object is made by a program itself: use create<T>()");
  o.tsubu_header.set_name(0, 0);
  add_guest(o, arriving_);  // its constructor may ask for its name
}

void object_space::no_more_names(pe_id home) const {
  fail("this PE has created " + std::to_string(identity::most_number) + " objects on PE " + std::to_string(home) +
       " that have not ended: there are no more names");
}

void object_space::failed_to_make(const identity& id, const wire::handler_entry& as, message_queue own) {
  const remote_error e = remote::error_being_handled();
  making_.creator = no_pe;
  slot& s = slot_of(id);
  const std::string name = name_of(id, static_cast<std::uint32_t>(s.key >> 32));
  not_made_[id] = name + " could not be made: " + e.what();
  s = {{nullptr}, key_of(id.generation() + 1, no_type)};
  if (const auto early = early_.find(id); early != early_.end()) {
    message_queue queue = early->second->tsubu_header.queue;
    early_.erase(early);
    drop_all(queue, id);
  }
  drop_all(own, id);
  // Its number is not used again: the reason stays with it.
  message::this_endpoint->escaped(as, std::current_exception());
}

void object_space::adopt_messages(object_base& o, const identity& id) {
  const auto early = early_.find(id);
  if (early == early_.end()) return;
  object_base::header& h = o.tsubu_header;
  // What it has sent to itself in its constructor came later.
  message_queue own = std::exchange(h.queue, early->second->tsubu_header.queue);
  while (!own.empty()) {
    const bool express = own.first_is_express();
    mail& m = own.pop();
    express ? h.queue.push_express(m) : h.queue.push(m);
  }
  early_.erase(early);
  const std::uint32_t type = type_of(o);
  for (const mail* m = h.queue.first();; m = m->next) {
    TSUBU_CHECK(*m->of->type == type, "a message of " + class_name(*m->of->type) + " for " + name_of(o));
    if (m->next == h.queue.first()) break;
  }
  h.set(bits::queued);
}

void object_space::return_number(pe_id creator, numbered n) {
  std::vector<numbered>& owed = owed_[creator];
  owed.push_back(n);
  if (owed.size() < returned_together) return;
  numbers_returned::numbers together{};
  std::copy(owed.begin(), owed.end(), together.begin());
  owed.clear();
  remote::send<numbers_returned>(creator, together);
}

// ---- execution

void object_space::method_ended_slowly(object_base& o) {
  object_base::header& h = o.tsubu_header;
  if (h.is(bits::serving)) return served(o);
  h.clear(bits::busy | bits::waiting);
  if (h.is(bits::ending | bits::leaving)) [[unlikely]] {
    if (h.is(bits::listed)) unlist(o);  // a reentrant method has ended it
    // A method that waits and does not keep the object still refers to it.
    if (!reentrants_.empty() && reentrants_.contains(&o)) {
      h.set(bits::busy);
      return;
    }
    if (h.is(bits::ending)) return end_now(o);
    // Not before the messages that were sent after it when it was here last have come.
    if (knows_routes() && places().is_marked(identity_of(o))) {
      h.set(bits::busy);
      return;
    }
    const auto d = leaving_.extract(&o);
    h.clear(bits::leaving);
    return move_away(*this, o, d.mapped().to, d.mapped().done);
  }
  if (!h.queue.empty()) {
    h.set(bits::queued);
    list(o, false);
  }
}

void object_space::reentrant_ended(object_base& o) {
  const auto at = reentrants_.find(&o);
  if (--at->second == 0) reentrants_.erase(at);
  special_ = !guests_.empty() || !reentrants_.empty();
  const std::uint32_t state = o.tsubu_header.state;
  // It only waited for this one.
  if ((state & (bits::ending | bits::leaving)) != 0 && (state & bits::waiting) == 0) method_ended_slowly(o);
}

void object_space::end_now(object_base& o) {
  const identity id = identity_of(o);
  const object_type& type = type_of_number(type_of(o));
  message_queue queue = o.tsubu_header.queue;
  if (o.tsubu_header.is(bits::leaving)) {
    const auto d = leaving_.extract(&o);
    if (d.mapped().done.pe != no_pe) destination(d.mapped().done).gone(name_of(o) + " has ended before it could move");
  }
  if (remove_guest(o)) {
    places().forget(id);
    tell_home_of_end(id);
    ++counters_.ended;
  } else {
    free_name(o);
  }
  type.destroy(o);
  drop_all(queue, id);
}

void object_space::drop_all(message_queue& queue, const identity& id) {
  while (!queue.empty()) drop(queue.pop(), id);
}

void object_space::drop(mail& m, const identity& id) {
  task_group* const group = m.group;
  {
    const task_group_scope in(group != nullptr ? group : this_task_group);
    if (group != nullptr) --group->waiting;
    if (m.reply.wanted()) {
      m.reply.gone(gone_text(*m.of, id));
    } else {
      count_gone(*m.of, id);
    }
    m.of->free(m);
  }
  if (group != nullptr && group->waiting == 0) group->settled(*group);
}

void object_space::count_gone(const method_info& of, const identity& id) {
  ++counters_.gone;
  last_gone_ = gone_text(of, id);
}

std::string object_space::gone_text(const method_info& of, const identity& id) const {
  const std::string for_method = "(" + method_name(of) + ")";
  if (const auto why = not_made_.find(id); why != not_made_.end()) return why->second + ' ' + for_method;
  return name_of(id, *of.type) + " has ended " + for_method;
}

void object_space::wait(object_base& o, mail& m, bool express) {
  m.group = this_task_group;
  if (m.group != nullptr) ++m.group->waiting;
  ++counters_.queued;
  object_base::header& h = o.tsubu_header;
  if (waiting_bytes_ > mailbox_limit_) too_many_wait(o, m);
  const bool accepted = h.is(bits::accepting) && h.accepts->match(m) >= 0;
  // If it is listed, one that came before has been accepted.
  if (accepted && may_run_on_this_stack() && !h.is(bits::listed)) return serve(o, m);
  if (express) {
    h.queue.push_express(m);
  } else {
    h.queue.push(m);
  }
  h.set(bits::queued);
  if (accepted || !h.is(bits::busy)) list(o, true);
}

void object_space::too_many_wait(const object_base& o, const mail& m) const {
  std::string text = std::to_string(waiting_bytes_) + " bytes of messages wait for their objects, of " +
                     std::to_string(mailbox_limit_) + " (--tsubu-mailboxes)";
  text += "; one more " + method_name(*m.of) + " for an object";
  if (early_.empty()) text = text.substr(0, text.size() - 9) + name_of(o);
  text += ", for which " + std::to_string(o.tsubu_header.queue.size()) + " wait";
  fail(text);
}

void object_space::run_soon(object_base& o, mail& m) {
  m.group = this_task_group;
  if (m.group != nullptr) ++m.group->waiting;
  reentrant_.push_back({identity_of(o), &m});
  schedule();
}

void object_space::list(object_base& o, bool in_front) {
  object_base::header& h = o.tsubu_header;
  if (h.is(bits::listed)) return;
  h.set(bits::listed);
  if (in_front) {
    in_front_.push_back(&o);
  } else {
    list_.push_back(&o);
  }
  schedule();
}

void object_space::unlist(object_base& o) {
  std::erase(list_, &o);
  std::erase(in_front_, &o);
  o.tsubu_header.clear(bits::listed);
}

void object_space::schedule() {
  if (scheduled_) return;
  scheduled_ = true;
  const task_group_scope in_none(nullptr);
  this_task_context->ready(std::coroutine_handle<>(runner_.coroutine));
}

object_space::runner object_space::run_listed() {
  for (;;) {
    run_some();
    if (balancer_ != nullptr) balancer_->after_running();
    // A slice takes longer than a message should wait for others.
    if (slice_left_ <= 0) remote::current_pe->flush(message::flush_reason::old);
    scheduled_ = false;
    if (!list_.empty() || !in_front_.empty() || !reentrant_.empty()) schedule();
    co_await std::suspend_always();
  }
}

void object_space::run_some() {
  constexpr int at_a_time = 32;
  if (!reentrant_.empty()) run_reentrant();
  slice_left_ = slice;
  for (int i = 0; i < at_a_time; ++i) {
    for (; !in_front_.empty(); in_front_.pop_back()) list_.push_front(in_front_.back());
    if (list_.empty()) return;
    // The front is the newest and deepest. That the others get their turn, too, one in so many is from the back.
    constexpr std::uint32_t from_the_back = 64;
    object_base* o = nullptr;
    if (++runs_ % from_the_back == 0) {
      o = list_.back();
      list_.pop_back();
    } else {
      o = list_.front();
      list_.pop_front();
    }
    run_one(*o);
    if (slice_left_ <= 0) return;
  }
}

balancer& object_space::balance() {
  if (balancer_ == nullptr) balancer_ = std::make_unique<balancer>(*this);
  return *balancer_;
}

void object_space::run_one(object_base& o) {
  object_base::header& h = o.tsubu_header;
  h.clear(bits::listed);
  mail* m = nullptr;
  const bool accepts = h.is(bits::busy);
  if (!accepts) {
    m = &h.queue.pop();
  } else if (h.is(bits::accepting)) {
    m = h.queue.take_first([&h](const mail& one) { return h.accepts->match(one) >= 0; });
  }
  if (h.queue.empty()) h.clear(bits::queued);
  if (m == nullptr) return;
  if (accepts) {
    serve(o, *m);
  } else {
    run_message(o, *m);
  }
}

void object_space::run_message(object_base& o, mail& m) {
  task_group* const group = m.group;
  if (group == nullptr) [[likely]]
    return m.of->run(*this, o, m);
  {
    const task_group_scope in(group);
    --group->waiting;
    m.of->run(*this, o, m);
  }
  if (group->waiting == 0) group->settled(*group);
}

void object_space::run_reentrant() {
  std::vector<soon> now;
  now.swap(reentrant_);
  for (const soon& s : now) {
    object_base* const o = object_named(s.id);
    if (o != nullptr) {
      run_message(*o, *s.m);
    } else if (knows_routes()) {
      places().send_again(s.id, *s.m, false);  // it may have moved
    } else {
      drop(*s.m, s.id);
    }
  }
}

object_base* object_space::object_named(const identity& id) {
  if (id.home == me_) {
    if (object_base* const o = at_home(id)) return o;
  }
  if (!knows_routes()) return nullptr;
  const route* const r = places().find(id);
  return r != nullptr ? r->local : nullptr;
}

void object_space::serve(object_base& o, mail& m) {
  object_base::header& h = o.tsubu_header;
  accept_wait& a = *h.accepts;
  a.which_ = a.match(m);
  h.clear(bits::accepting);
  h.set(bits::serving);
  run_message(o, m);
}

void object_space::served(object_base& o) {
  object_base::header& h = o.tsubu_header;
  accept_wait& a = *h.accepts;
  h.accepts = a.outer_;
  h.clear(bits::serving);
  // The method that accepted was itself accepted.
  if (h.accepts != nullptr) h.set(bits::serving);
  a.served_ = true;
  if (a.record_.waiting()) a.record_.wake();
}

bool accept_wait::await_ready() {
  object_base::header& h = object_.tsubu_header;
  TSUBU_CHECK(h.is(object_base::header::busy), "accept() is awaited by code that is no method of its object");
  TSUBU_CHECK(!h.is(object_base::header::accepting), "two accept() of one object are awaited at a time");
  outer_ = std::exchange(h.accepts, this);
  mail* const m = h.queue.take_first([this](const mail& one) { return match(one) >= 0; });
  if (m == nullptr) {
    h.set(object_base::header::accepting);
    return false;
  }
  if (h.queue.empty()) h.clear(object_base::header::queued);
  here().serve(object_, *m);
  return served_;
}

// ---- moves

routes& object_space::places() {
  if (routes_ == nullptr) routes_ = std::make_unique<routes>(*this);
  return *routes_;
}

void object_space::leave_for(object_base& o, pe_id to, reply_to<pe_id> done) {
  TSUBU_CHECK(0 <= to && to < pes_, "an object is to move to PE " + std::to_string(to) +
                                        ", but the job's PEs are 0 to " + std::to_string(pes_ - 1));
  if (to == me_) {
    if (done.wanted()) done.reply(me_);
    return;
  }
  leaving_[&o] = {to, done.send().to};
  o.tsubu_header.set(bits::leaving);
}

void object_space::set_away(const identity& id) { slot_of(id) = {{nullptr}, key_of(id.generation(), away_type)}; }

void object_space::set_here(const identity& id, std::uint32_t type, object_base& o) {
  o.tsubu_header.set_name(id.creator(), id.number());
  slot_of(id) = {{&o}, key_of(id.generation(), type)};
}

object_base* object_space::at_home(const identity& id) const {
  const void* const at = slot_address(id.creator(), id.number());
  if (at == nullptr) return nullptr;
  const slot& s = *static_cast<const slot*>(at);
  return s.has_object() && static_cast<std::uint32_t>(s.key) == id.generation() ? s.object : nullptr;
}

void object_space::ended_away(const identity& id) {
  slot_of(id) = {{nullptr}, key_of(id.generation() + 1, no_type)};
  places().forget(id);
  give_number_back(id.creator(), id.number(), id.generation() + 1);
}

object_base* object_space::take_roaming() {
  const auto may_leave = [this](const object_base* o) {
    const object_base::header& h = o->tsubu_header;
    return h.is(bits::may_roam) && !h.is(bits::busy | bits::ending) && !reentrants_.contains(o) &&
           !(knows_routes() && places().is_marked(identity_of(*o)));
  };
  const auto take = [&may_leave](auto& from) -> object_base* {
    for (std::size_t i = from.size(); i-- > 0;) {
      object_base* const o = from[i];
      if (!may_leave(o)) continue;
      from.erase(from.begin() + static_cast<std::ptrdiff_t>(i));
      o->tsubu_header.clear(bits::listed);
      return o;
    }
    return nullptr;
  };
  object_base* const o = take(list_);
  return o != nullptr ? o : take(in_front_);
}

}  // namespace tsubu::objects
