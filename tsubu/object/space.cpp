#include "tsubu/object/space.hpp"

#include <cxxabi.h>

#include <algorithm>
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
  require(static_cast<std::uint32_t>(pes_ - 1) <= identity::most_creator,
          "a job with concurrent objects has {} PEs at most", identity::most_creator + 1);
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

void object_space::too_many_wait(const object_base& o, const mail& m) const {
  const auto is_this = [&o](const auto& one) { return one.second.get() == &o; };
  const auto early = std::find_if(early_.begin(), early_.end(), is_this);
  fail(std::to_string(waiting_bytes_) + " bytes of messages wait for their objects, of " +
       std::to_string(mailbox_limit_of_job) + " (--tsubu-mailboxes); one more " + method_name(*m.of) + " for " +
       (early == early_.end() ? name_of(o) : name_of(early->first, *m.of->type)) + ", for which " +
       std::to_string(o.tsubu_header.queue.size()) + " wait");
}

identity object_space::identity_of(const object_base& o) const {
  if (o.tsubu_header.is(bits::guest)) [[unlikely]]
    return guests_.at(&o).id;
  const identity id{me_, o.tsubu_header.creator(), o.tsubu_header.number(), 0};
  return {id.home, id.creator(), id.number(), static_cast<std::uint32_t>(slot_of(id).key)};
}

std::uint32_t object_space::type_of(const object_base& o) const {
  if (o.tsubu_header.is(bits::guest)) return guests_.at(&o).type;
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
    if (creator == me_) own_slots_ = t.slots;
    t.capacity = static_cast<std::uint32_t>(capacity);
  }
  for (; t.size < end; ++t.size) t.slots[t.size] = {{nullptr}, key_of(0, no_type)};
}

object_space::slot& object_space::claim_new(const identity& id, std::uint32_t type) {
  table& t = tables_[static_cast<std::size_t>(id.creator())];
  if (id.number() >= t.size) {
    // One creator's messages come in order, so its fresh numbers do.
    require(id.number() == t.size, "PE {} creates object {} here, but has created {}", id.creator(), id.number(),
            t.size);
    if (t.size == t.capacity) {
      extend(id.creator(), std::uint64_t{id.number()} + 1);
    } else {
      t.slots[t.size++] = {{nullptr}, key_of(0, no_type)};
    }
  }
  slot& s = t.slots[id.number()];
  require(s.key == key_of(id.generation(), no_type), "PE {} creates object {} here again", id.creator(), id.number());
  s.key = key_of(id.generation(), type);
  return s;
}

void object_base::made_elsewhere(object_base& o) {
  const object_space::guest g = std::exchange(here().arriving_, {});
  if (g.id.home == no_pe) fail("a concurrent object is made by a program itself: use create<T>()");
  const std::uint64_t nameless = header::newborn(0, 0);
  std::memcpy(static_cast<void*>(&o.tsubu_header), &nameless, sizeof nameless);
  here().add_guest(o, g);  // its constructor may ask for its name
}

void object_space::no_more_names(pe_id home) const {
  fail("this PE has created " + std::to_string(identity::most_number) + " objects on PE " + std::to_string(home) +
       " that have not ended: there are no more names");
}

void object_space::failed_to_make(identity id, const wire::handler_entry& as, message_queue own) {
  const remote_error e = remote::error_being_handled();
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

void object_space::adopt_messages(object_base& o, identity id) {
  const auto early = early_.find(id);
  if (early == early_.end()) return;
  object_base::header& h = o.tsubu_header;
  // What it has sent to itself in its constructor came later.
  message_queue own = std::exchange(h.queue, message_queue());
  message_queue all = early->second->tsubu_header.queue;
  early_.erase(early);
  const auto pass = [](message_queue& from, message_queue& to) {
    const bool express = from.first_is_express();
    mail& m = from.pop();
    express ? to.push_express(m) : to.push(m);
  };
  while (!own.empty()) pass(own, all);
  const std::uint32_t type = type_of(o);
  // A reentrant method does not wait for one that begins before it, and may wait for its answer.
  for (bool behind = false; !all.empty();) {
    const mail& first = *all.first();
    require(
        *first.of->type == type, "a message of {} for {}", [&] { return class_name(*first.of->type); },
        [&] { return name_of(o); });
    behind = behind || !first.of->reenters;
    if (behind && first.of->reenters) {
      enter(id, all.pop());
    } else {
      pass(all, h.queue);
    }
  }
  h.set(bits::queued);
}

void object_space::return_number(pe_id creator, numbered n) {
  std::vector<numbered>& owed = stocks_[static_cast<std::size_t>(creator)].owed;
  owed.push_back(n);
  if (owed.size() < returned_together) return;
  numbers_returned::numbers together{};
  std::copy(owed.begin(), owed.end(), together.begin());
  owed.clear();
  remote::send<numbers_returned>(creator, together);
}

// ---- moves

routes& object_space::places() {
  if (routes_ == nullptr) routes_ = std::make_unique<routes>(*this);
  return *routes_;
}

void object_space::leave_for(object_base& o, pe_id to, reply_to<pe_id> done) {
  require(0 <= to && to < pes_, "an object is to move to PE {}, but the job's PEs are 0 to {}", to, pes_ - 1);
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
  give_number_back(slot_of(id), id.creator(), id.number(), id.generation() + 1);
}

object_base* object_space::take_roaming() {
  const auto may_leave = [this](const object_base* o) {
    const object_base::header& h = o->tsubu_header;
    return h.is(bits::may_roam) && !h.is(bits::busy | bits::ending | bits::entered) &&
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
