#include "tsubu/sim/engine.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>

#include "tsubu/base/check.hpp"

namespace tsubu::sim {

using transport::batch;
using transport::bulk_source;

namespace {

// Beyond it, picoseconds do not fit: 53 days.
constexpr std::int64_t longest_park_ns = std::numeric_limits<std::int64_t>::max() / 2000;

// From a PE's death until whoever started the job ends the others.
constexpr std::int64_t noticed_after_ps = 1'000'000'000;

}  // namespace

void fit_to(const machine& on, transport::launch_settings& how) {
  if (on.sends_each_alone()) how.hops = 1;  // each message goes straight, by itself
  // The largest power of two that divides a node, so that no row lies in two.
  if (how.row == 0) how.row = on.node.pes & -on.node.pes;
}

engine::engine(const machine& on, const transport::launch_settings& how, const engine_settings& settings,
               const pe_maker& make)
    : shared_(on, how.pes, settings),
      work_clock_ps_(settings.work == work_time::measured ? 0 : on.clock_ps),
      control_is_free_(settings.control_is_free || on.sends_each_alone()),
      turns_(how.pes),
      batches_(how.batch_bytes_for(how.pes)),
      left_(how.pes) {
  costing_ = make_costing(
      shared_, [this](const flight& f) { arrive(f); }, [this](pe_id pe, std::int64_t ps) { wake(shared_.at(pe), ps); });
  if (settings.work == work_time::annotated && memory::is_described(on)) {
    memory_ = std::make_unique<memory>(shared_.on, how.pes);
  }
  simulated = this;
  told_of_stretches = this;
  shared_.pes.reserve(static_cast<std::size_t>(how.pes));
  for (pe_id number = 0; number < how.pes; ++number) {
    shared_.pes.push_back(
        std::make_unique<processor>(*this, number, how.pes, how.batch_bytes_for(how.pes), how.shape_for(how.pes)));
  }
  for (auto& p : shared_.pes) start(*p, make);
}

engine::~engine() {
  for (auto& p : shared_.pes) {
    set_job_ender(p->ender);  // a destructor of the program's may fail
    p->pe->enter();
    p->pe.reset();
  }
  set_job_ender({});
  simulated = nullptr;
  told_of_stretches = nullptr;
}

// ---- what the PE that runs asks and tells

std::int64_t engine::now_ps() {
  if (running_ != nullptr) costing_->looks(*running_);
  return shared_.now_ps;
}

void engine::work(double clocks) {
  const auto ps = static_cast<std::int64_t>(clocks * static_cast<double>(work_clock_ps_));
  shared_.now_ps += ps;
  shared_.worked_ps += ps;
}

// Who has the turn has the least time of all: nobody begins anything before its turn's beginning.
void engine::access(const memory_access& a) {
  if (memory_ == nullptr || running_ == nullptr) return;
  const std::int64_t ps = memory_->access(running_->number(), shared_.now_ps, a, running_->ps);
  shared_.now_ps += ps;
  shared_.worked_ps += ps;
}

const addressed_datum* engine::find_addressed(std::uint64_t name) const {
  return memory_ == nullptr ? nullptr : memory_->find(name);
}
void engine::place_addressed(std::uint64_t name, void* value, std::size_t bytes) {
  if (memory_ != nullptr) memory_->place(name, value, bytes);
}
void engine::remove_addressed(std::uint64_t name) {
  if (memory_ != nullptr) memory_->remove(name);
}

pe_id engine::neighbour(pe_id of, int k) const { return shared_.wires.shape().neighbour(of, k, pe_count()); }

timed_stretch::state engine::so_far() const {
  timed_stretch::state s;
  s.of_pes.reserve(shared_.pes.size());
  for (const auto& p : shared_.pes) {
    s.of_pes.push_back(p->account);
    if (p->pe != nullptr) s.of_pes.back().packets_executed = p->pe->done().packets_executed;
  }
  s.links_taken_ps = shared_.wires.taken_ps();
  return s;
}
void engine::timed_stretch_begins() {
  if (timed_.begins(shared_.now_ps)) timed_.opened(so_far());
}
void engine::timed_stretch_ends() {
  if (timed_.ends(shared_.now_ps)) timed_.closed(so_far());
}

// ---- turns

// Makes a PE at time 0. A program runs from the start until it first waits.
void engine::start(processor& p, const pe_maker& make) {
  shared_.now_ps = 0;
  p.ender = {p.number(),
             [](void* wire, int code) {
               std::fflush(stdout);
               static_cast<sim::end*>(wire)->abort(code);
             },
             &p.wire};
  set_job_ender(p.ender);
  running_ = &p;
  costing_->goes_on();
  p.pe = make(p.wire);
  costing_->half_over(p, 0);
  running_ = nullptr;
  const auto shuffled = shared_.varied != nullptr ? shared_.varied->shuffle_seed(p.number()) : std::nullopt;
  if (shuffled) p.pe->shuffle_tasks(*shuffled);
  p.ps = shared_.now_ps;
  turns_.give(p.number(), p.ps);
}

// One turn after the other, until others may be first or it has nothing to do.
void engine::run_turns(processor& p) {
  p.pe->enter();
  running_ = &p;
  set_job_ender(p.ender);
  after_turn then = after_turn::another;
  do {
    ++shared_.events;
    if (shared_.settings.limit_ps != 0 && shared_.now_ps > shared_.settings.limit_ps) too_late();
    if (shared_.settings.fault_pe != no_pe && takes_no_turn(p)) return;
    const std::int64_t began_ps = shared_.now_ps;
    then = take_turn(p);
    if (then != after_turn::another) break;
    const std::optional<std::int64_t> in_vain_ps = costing_->another_turn(p);
    if (!in_vain_ps) {
      running_ = nullptr;
      return park(p, longest_park_ns);
    }
    if (shared_.now_ps == began_ps) shared_.spend(p.account.time.idle, *in_vain_ps);
    if (shared_.varied != nullptr) {
      shared_.spend(p.account.time.idle, shared_.varied->extra(p.number(), shared_.now_ps - began_ps));
    }
  } while (!others_may_be_first(p));
  running_ = nullptr;
  if (then == after_turn::over) return costing_->turn_over(p);
  costing_->interrupted(p);
  p.ps = shared_.now_ps;
  turns_.give(p.number(), p.ps);
}

engine::after_turn engine::take_turn(processor& p) {
  const std::int64_t began_ps = shared_.now_ps;
  const driven_pe::deeds before = p.pe->done();
  const auto note_turn = [&] {
    if (shared_.traced == nullptr || shared_.now_ps == began_ps) return;
    const driven_pe::deeds now = p.pe->done();
    shared_.traced->turn(p.number(), began_ps, shared_.now_ps, now.tasks_run - before.tasks_run,
                         now.packets_taken() - before.packets_taken());
  };
  costing_->turn_begins();
  if (p.pe->ended()) return take_last_turn(p, began_ps);
  if (!p.half_way) {
    p.pe->begin_turn();
    costing_->half_over(p, began_ps);
    p.half_way = true;
    if (shared_.now_ps != began_ps && others_may_be_first(p)) {
      note_turn();
      return after_turn::interrupted;
    }
  }
  const std::int64_t ns = p.pe->end_turn();
  costing_->half_over(p, began_ps);
  p.half_way = false;
  note_turn();
  if (ns <= 0) return after_turn::another;
  park(p, ns);
  return after_turn::over;
}

// The job has ended, as far as the PE knows.
engine::after_turn engine::take_last_turn(processor& p, std::int64_t began_ps) {
  const bool more = p.pe->take_last_turn();
  costing_->half_over(p, began_ps);
  if (more) return after_turn::another;
  p.ended = true;
  p.ps = shared_.now_ps;
  code_ = std::max(code_, p.pe->exit_code());
  end_ps_ = std::max(end_ps_, shared_.now_ps);
  --left_;
  return after_turn::over;
}

// It has nothing to do for so long, unless a message comes.
void engine::park(processor& p, std::int64_t ns) {
  const std::int64_t now_ps = shared_.now_ps;
  p.parked = true;
  p.ps = now_ps;
  p.wakes_ps = ns >= longest_park_ns ? network::no_time : now_ps + ns * 1000;
  if (!p.arrivals.empty()) p.wakes_ps = std::min(p.wakes_ps, std::max(now_ps, p.arrivals.top().ps));
  p.wakes_ps = std::min(p.wakes_ps, std::max(now_ps, p.wire.next_done_ps()));
  if (p.wakes_ps != network::no_time) turns_.give(p.number(), p.wakes_ps);
}

// A parked PE has a turn then at the latest.
void engine::wake(processor& p, std::int64_t ps) {
  if (!p.parked) return;
  ps = std::max(ps, p.ps);
  if (ps >= p.wakes_ps) return;
  p.wakes_ps = ps;
  turns_.give(p.number(), ps);
}

// Whether what another PE, or the network, does from where it is could arrive by now.
bool engine::others_may_be_first(const processor& p) {
  const std::int64_t horizon = shared_.now_ps - shared_.wires.least_ps();
  if (shared_.wires.next_ps() <= horizon) return true;
  if (costing_->next_ps() <= shared_.now_ps) return true;
  const turn* const next = turns_.next();
  return next != nullptr && next->pe != p.number() && next->ps <= horizon;
}

// What comes first in time: of the network, of what is played, of the PEs' turns. False if there is nothing.
bool engine::do_what_is_first() {
  const turn* const next = turns_.next();
  const std::int64_t turn_ps = next != nullptr ? next->ps : network::no_time;
  const std::int64_t network_ps = shared_.wires.next_ps(), costing_ps = costing_->next_ps();
  if (network_ps != network::no_time && network_ps <= std::min(turn_ps, costing_ps)) {
    move_network(network_ps);
  } else if (costing_ps != network::no_time && costing_ps <= turn_ps) {
    ++shared_.events;
    costing_->move();
  } else if (next == nullptr) {
    return false;
  } else {
    processor& p = shared_.at(turns_.take().pe);
    p.account.time.idle += turn_ps - p.ps;
    p.ps = turn_ps;
    p.parked = false;
    shared_.now_ps = turn_ps;
    run_turns(p);
  }
  return true;
}

int engine::run() {
  while (left_ > 0) {
    if (do_what_is_first()) continue;
    if (one_is_dead_) one_has_died();
    require(false, "all simulated PEs are parked and no message is under way");
  }
  for (auto& p : shared_.pes) {
    p->account.packets_executed = p->pe->done().packets_executed;
    costing_->settle(*p, end_ps_);
  }
  return code_;
}

// ---- messages

void engine::post(processor& p, batch* b, const bulk_source& source, const message_facts& facts) {
  costing_->charge(p);
  const bool free = control_is_free_ && facts.kind == message_kind::control;
  flight f{};
  f.bytes = b->size + source.bytes.size();
  f.number = p.flights++;
  f.from = p.number();
  f.to = b->to;
  f.what = parcels_.make({b, source, free});
  if (free) return costing_->send_free(f);
  costing_->send(p, f, facts, {b->size, source.bytes.size()});
  ++p.account.batches_sent;
  p.account.bytes_sent += f.bytes;
  costing_->goes_on();
}

void engine::arrive(const flight& f) {
  processor& to = shared_.at(f.to);
  flight in_order = f;
  in_order.ps = shared_.at(f.from).wire.in_order(f.to, f.ps, static_cast<const parcel*>(f.what)->free);
  to.arrivals.push(in_order);
  wake(to, in_order.ps);
}

engine::parcel engine::unpack(const flight& f) {
  auto* const what = static_cast<parcel*>(f.what);
  const parcel taken = *what;
  parcels_.give_back(what);
  return taken;
}

// Does what the network does up to that time.
void engine::move_network(std::int64_t until_ps) {
  flight arrived;
  while (shared_.wires.next_ps() <= until_ps) {
    ++shared_.events;
    if (shared_.wires.move(arrived)) costing_->brought(arrived);
  }
}

// ---- ends

void engine::tell_seed() const {
  if (shared_.varied == nullptr) return;
  const std::string line = "tsubu: the schedule was that of --tsubu-seed=" + std::to_string(shared_.settings.seed) +
                           " with " + std::to_string(pe_count()) + " PEs on machine " + shared_.on.name + ": " +
                           shared_.varied->describe() + "\n";
  std::fputs(line.c_str(), stderr);
}

void engine::too_late() {
  std::string text = "tsubu: the simulated job has not ended by its time limit, " +
                     std::to_string(static_cast<double>(shared_.settings.limit_ps) * 1e-9) + " ms of its own time.\n";
  for (auto& p : shared_.pes) {
    if (!p->ended) text += p->pe->waiting_tasks();
  }
  end_job(exit_code::failed, text + "tsubu: the job ends with code " + std::to_string(exit_code::failed));
}

// The one that dies takes no more turns. The others go on until that is noticed.
bool engine::takes_no_turn(processor& p) {
  const engine_settings& s = shared_.settings;
  if (p.number() == s.fault_pe) return one_is_dead_ = one_is_dead_ || shared_.now_ps >= s.fault_ps;
  if (one_is_dead_ && shared_.now_ps >= s.fault_ps + noticed_after_ps) one_has_died();
  return false;
}

void engine::one_has_died() {
  const engine_settings& s = shared_.settings;
  end_job(exit_code::failed, "tsubu: PE " + std::to_string(s.fault_pe) + " has died, after " +
                                 std::to_string(s.fault_ps / 1'000'000) +
                                 " us (--tsubu-fault); the job ends with code " + std::to_string(exit_code::failed));
}

}  // namespace tsubu::sim
