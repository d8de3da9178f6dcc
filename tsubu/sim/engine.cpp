#include "tsubu/sim/engine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

#include "tsubu/base/check.hpp"
#include "tsubu/base/host_clock.hpp"
#include "tsubu/remote/quiescence.hpp"
#include "tsubu/sim/processor.hpp"

namespace tsubu::sim {

using transport::batch;
using transport::bulk_source;

namespace {

// A PE that says so is woken by messages only.
constexpr std::int64_t only_messages_ns = 100'000'000;

// From a PE's death until whoever started the job ends the others.
constexpr std::int64_t noticed_after_ps = 1'000'000'000;

// A program that polls, and is never idle, is played after so many turns: its messages would never leave, and none
// come.
constexpr std::uint32_t most_turns_unplayed = 64;

// What has left with no more than that needs no larger batch.
constexpr std::size_t small_bytes = 128;

// Looks at the clock take no time, unless a turn does hardly anything else: it waits for a time to come.
constexpr int most_free_looks = 1000;

}  // namespace

breakdown& breakdown::operator+=(const breakdown& other) {
  working += other.working;
  executing += other.executing;
  sending += other.sending;
  receiving += other.receiving;
  switching += other.switching;
  idle += other.idle;
  return *this;
}

engine::engine(const machine& on, const transport::launch_settings& how, const engine_settings& settings,
               const pe_maker& make)
    : machine_(on), settings_(settings), network_(machine_, how.pes), batch_bytes_(how.batch_bytes_for(how.pes)) {
  clock_.tick_ps = clock_.work_ps = machine_.clock_ps;
  if (settings_.work == work_time::measured) {
    clock_.work_ps = 0;  // what work() stands for is measured
    host_ = std::make_unique<host_clock>();
  }
  clock_.driver = this;
  clock_.catch_up = [](void* driver) {
    auto& self = *static_cast<engine*>(driver);
    if (self.running_ == nullptr) return;
    if (self.settings_.work == work_time::measured) {
      self.charge(*self.running_);  // a program sees what it has computed by then
    } else if (++self.looks_ > most_free_looks) {
      self.spend(self.running_->account.time.idle, self.clock_.tick_ps);
    }
  };
  if (settings_.work == work_time::annotated && memory::is_described(machine_)) {
    memory_ = std::make_unique<memory>(machine_, how.pes);
    accesses_ = {[](void* driver, const memory_access& a) {
                   auto& self = *static_cast<engine*>(driver);
                   processor* const p = self.running_;
                   if (p == nullptr) return std::int64_t{0};
                   // Who has the turn has the least time of all: nobody begins anything before its turn's beginning.
                   return self.memory_->access(p->wire.pe(), self.clock_.ps, a, p->ps);
                 },
                 this};
    simulated_memories = &accesses_;
  }
  simulated = &clock_;
  if (settings_.seed != 0) schedule_ = std::make_unique<schedule>(settings_.seed, how.pes, network_.least_ps());
  if (!settings_.trace.empty()) trace_ = std::make_unique<trace>(settings_.trace, machine_.name, how.pes);
  if (!machine_.protocols.empty()) {
    player_ = std::make_unique<protocol_player>(
        machine_, how.pes, network_, settings_.what_is_predicted,
        protocol_player::hooks{
            .hand_over =
                [this](const flight& f, std::int64_t ps) {
                  flight now = f;
                  now.ps = ps;
                  arrive(now);
                },
            .account = [this](pe_id pe) -> breakdown& { return pes_[static_cast<std::size_t>(pe)]->account.time; },
            .delay = [this] { return schedule_ != nullptr ? schedule_->delay() : 0; },
            .traced = trace_.get()});
  }
  pes_.reserve(static_cast<std::size_t>(how.pes));
  for (pe_id number = 0; number < how.pes; ++number) {
    pes_.push_back(std::make_unique<processor>(*this, number, how.pes, batch_bytes_, how.hops_for(how.pes)));
  }
  left_ = how.pes;
  for (auto& p : pes_) {
    clock_.ps = 0;
    p->ender = {p->wire.pe(),
                [](void* wire, int code) {
                  std::fflush(stdout);
                  static_cast<sim::end*>(wire)->abort(code);
                },
                &p->wire};
    set_job_ender(p->ender);
    // A program runs from the start until it first waits.
    running_ = p.get();
    measure_from_here();
    p->pe = make(p->wire);
    charge(*p);
    running_ = nullptr;
    if (schedule_ != nullptr && p->pe->tasks.is_round_robin()) {
      if (auto order = schedule_->ready_order(p->wire.pe())) p->pe->tasks.set_scheduler(std::move(order));
    }
    if (player_ == nullptr) p->ps = clock_.ps;
    give_turn(*p, p->ps);
  }
}

engine::~engine() {
  for (auto& p : pes_) {
    p->pe->enter();
    p->pe.reset();
  }
  set_job_ender({});
  simulated = nullptr;
  simulated_memories = nullptr;
  for (batch* b : arena_) {
    b->~batch();
    ::operator delete(b, std::align_val_t{64});
  }
}

account engine::of(pe_id pe) const { return pes_[static_cast<std::size_t>(pe)]->account; }

batch* engine::acquire() { return acquire(free_, batch_bytes_); }

batch* engine::acquire(std::vector<batch*>& free, std::size_t bytes) {
  if (free.empty()) {
    void* memory = ::operator new(sizeof(batch) + bytes, std::align_val_t{64});
    arena_.push_back(new (memory) batch);
    arena_.back()->capacity = static_cast<std::uint32_t>(bytes);
    free.push_back(arena_.back());
  }
  batch* const b = free.back();
  free.pop_back();
  b->size = 0;
  b->bulk_bytes = 0;
  return b;
}

void engine::give_back(batch* b) { (b->capacity == small_bytes ? small_free_ : free_).push_back(b); }

// Of many PEs each has a batch with a packet or two under way, as in a barrier.
batch* engine::shrunk(batch* b) {
  if (b->size > small_bytes || b->capacity == small_bytes) return b;
  batch* const small = acquire(small_free_, small_bytes);
  small->from = b->from;
  small->to = b->to;
  small->size = b->size;
  std::memcpy(small->data(), b->data(), b->size);
  give_back(b);
  return small;
}

// Lets the PE's time go on for what it has done since it was last charged.
void engine::charge(processor& p) {
  if (player_ != nullptr) return;  // its messages and work are played
  if (settings_.work == work_time::measured) return measure(p);
  if (p.pe == nullptr) return;  // it is being made
  const message::counters& c = p.pe->messages.counted();
  const auto since = [](std::uint64_t now, std::uint64_t& before) {
    return static_cast<std::int64_t>(now - std::exchange(before, now));
  };
  breakdown& time = p.account.time;
  time.working += std::exchange(clock_.worked_ps, 0);
  const std::int64_t executed = since(c.packets_taken(), p.charged_executed);
  events_ += static_cast<std::uint64_t>(executed);
  spend(time.executing, executed * machine_.cost.packet_execute);
  spend(time.sending, since(c.packets_sent, p.charged_sent) * machine_.cost.packet_send);
  spend(time.switching, since(p.pe->tasks_run(), p.charged_tasks) * machine_.cost.task_switch);
}

// What the bytes of a batch, or of a bulk and its head, take at each side.
std::int64_t engine::handing_over(std::size_t batch, std::size_t bulk) const {
  return (static_cast<std::int64_t>(batch) * machine_.cost.batch_byte_fs +
          static_cast<std::int64_t>(bulk) * machine_.cost.bulk_byte_fs) /
         1000;
}

void engine::measure(processor& p) {
  spend(p.account.time.working,
        static_cast<std::int64_t>(static_cast<double>(host_->took() * 1000) * settings_.work_scale));
  if (p.pe == nullptr) return;  // it is being made
  const std::uint64_t taken = p.pe->messages.counted().packets_taken();
  events_ += taken - std::exchange(p.charged_executed, taken);
}

// What the engine has done since it last charged is not the PE's.
void engine::measure_from_here() {
  if (host_ != nullptr) host_->begin();
}

void engine::post(processor& p, pe_id to, batch* b, const bulk_source& source) {
  charge(p);
  const message_facts of = p.wire.facts_of(*b, source.bytes.size());
  const bool is_control = of.kind == message_kind::control;
  const bool free = is_control && (player_ != nullptr || settings_.control_is_free);
  flight f{};
  f.bytes = b->size + source.bytes.size();
  f.number = p.flights++;
  f.from = p.wire.pe();
  f.to = to;
  f.what = parcels_.make({b, source, free});
  if (player_ != nullptr && !free) {
    player_->add_message(f, of);
  } else if (free) {
    f.ps = clock_.ps + network_.least_ps();
    return arrive(f);
  } else {
    spend(p.account.time.sending, machine_.cost.batch_send + handing_over(b->size, source.bytes.size()));
    f.ps = clock_.ps;
    if (trace_ != nullptr) trace_->sent(f.from, f.number, to, "batch", f.bytes, f.ps);
    if (network_.send(f)) arrive(f);
  }
  ++p.account.batches_sent;
  p.account.bytes_sent += f.bytes;
  measure_from_here();
}

// The work since the last message. It takes its time when it is played; the turn itself takes none.
void engine::add_work(processor& p) {
  const std::int64_t ps = std::exchange(clock_.worked_ps, 0);
  if (ps != 0) player_->add_work(p.wire.pe(), ps);
}

// A packet leaves when the next one is begun, or later: the work between belongs behind it.
void engine::message_begins(const end& wire) {
  if (player_ == nullptr) return;
  processor& p = *pes_[static_cast<std::size_t>(wire.pe())];
  if (p.pe != nullptr) add_work(p);
}

void engine::turn_over(processor& p) {
  running_ = nullptr;
  if (player_ == nullptr) return;
  p.turns_unplayed = 0;
  add_work(p);
  player_->begin(p.wire.pe(), clock_.ps);
}

void engine::arrive(const flight& f) {
  processor& from = *pes_[static_cast<std::size_t>(f.from)];
  processor& to = *pes_[static_cast<std::size_t>(f.to)];
  flight in_order = f;
  end::peer& way = from.wire.peers_[f.to];
  std::int64_t& last = static_cast<const parcel*>(f.what)->free ? way.last_free_ps : way.last_arrival_ps;
  if (schedule_ != nullptr && player_ == nullptr) in_order.ps += schedule_->delay();
  in_order.ps = last = std::max(last, in_order.ps);
  to.arrivals.push(in_order);
  wake(to, in_order.ps);
}

// A parked PE has a turn then at the latest.
void engine::wake(processor& p, std::int64_t ps) {
  if (!p.parked) return;
  ps = std::max(ps, p.ps);
  if (ps >= p.wakes_ps) return;
  p.wakes_ps = ps;
  give_turn(p, ps);
}

// Does what the network does up to that time.
void engine::move_network(std::int64_t until_ps) {
  flight arrived;
  while (network_.next_ps() <= until_ps) {
    ++events_;
    if (!network_.move(arrived)) continue;
    if (player_ != nullptr) {
      player_->arrived(arrived);
    } else {
      arrive(arrived);
    }
  }
}

void engine::give_turn(processor& p, std::int64_t ps) { turns_.push({ps, p.wire.pe(), ++p.version}); }

// The least of the turns that stand, which stays in the queue. False if there is none.
bool engine::next_turn(turn& next) {
  while (!turns_.empty()) {
    next = turns_.top();
    if (pes_[static_cast<std::size_t>(next.pe)]->version == next.version) return true;
    turns_.pop();
  }
  return false;
}

// Whether what another PE, or the network, does from where it is could arrive by now.
bool engine::others_may_be_first(const processor& p) {
  const std::int64_t horizon = clock_.ps - network_.least_ps();
  if (network_.next_ps() <= horizon) return true;
  if (player_ != nullptr && player_->next_ps() <= clock_.ps) return true;
  turn next;
  return next_turn(next) && next.pe != p.wire.pe() && next.ps <= horizon;
}

void engine::leave(processor& p, std::int64_t next_ps) {
  running_ = nullptr;
  if (player_ != nullptr) add_work(p);  // else it would be that of the PE whose turn is next
  p.ps = clock_.ps;
  give_turn(p, next_ps);
}

void engine::run_turns(processor& p) {
  remote::pe& pe = *p.pe;
  pe.enter();
  running_ = &p;
  set_job_ender(p.ender);
  do {
    ++events_;
    if (settings_.limit_ps != 0 && clock_.ps > settings_.limit_ps) too_late();
    if (settings_.fault_pe != no_pe && takes_no_turn(p)) return;
    const std::int64_t before = clock_.ps;
    looks_ = 0;
    const std::uint64_t tasks_before = pe.tasks_run(), packets_before = pe.messages.counted().packets_taken();
    const auto note_turn = [&] {
      if (trace_ == nullptr || clock_.ps == before) return;
      trace_->turn(p.wire.pe(), before, clock_.ps, pe.tasks_run() - tasks_before,
                   pe.messages.counted().packets_taken() - packets_before);
    };
    measure_from_here();
    if (pe.quiescence.ended()) {
      const bool more = pe.take_last_turn();
      charge(p);
      if (player_ != nullptr) clock_.ps = before;
      if (!more) {
        p.ended = true;
        p.ps = clock_.ps;
        code_ = std::max(code_, pe.quiescence.exit_code());
        end_ps_ = std::max(end_ps_, clock_.ps);
        --left_;
        return turn_over(p);
      }
    } else {
      if (!p.half_way) {
        pe.begin_turn();
        charge(p);
        if (player_ != nullptr) clock_.ps = before;
        p.half_way = true;
        if (clock_.ps != before && others_may_be_first(p)) {
          note_turn();
          break;
        }
      }
      const std::int64_t ns = pe.end_turn();
      charge(p);
      if (player_ != nullptr) clock_.ps = before;
      p.half_way = false;
      note_turn();
      if (ns > 0) {
        p.parked = true;
        std::int64_t wake = ns >= only_messages_ns ? network::no_time : clock_.ps + ns * 1000;
        if (!p.arrivals.empty()) wake = std::min(wake, std::max(clock_.ps, p.arrivals.top().ps));
        if (p.wire.dones_ > 0) wake = std::min(wake, std::max(clock_.ps, p.wire.news_.top().ps));
        p.ps = clock_.ps;
        p.wakes_ps = wake;
        if (wake != network::no_time) give_turn(p, wake);
        return turn_over(p);
      }
    }
    const bool goes_on_and_on = ++p.turns_unplayed == most_turns_unplayed;
    if (goes_on_and_on) {
      turn_over(p);
      running_ = &p;
      p.turns_unplayed = 0;
    }
    // Nothing that is done again and again takes no time. (What is played takes its own.)
    if (clock_.ps == before) spend(p.account.time.idle, player_ == nullptr || goes_on_and_on ? machine_.cost.look : 1);
    if (schedule_ != nullptr) spend(p.account.time.idle, schedule_->extra(p.wire.pe(), clock_.ps - before));
  } while (!others_may_be_first(p));
  leave(p, clock_.ps);
}

void engine::tell_seed() const {
  if (schedule_ == nullptr) return;
  const std::string line = "tsubu: the schedule was that of --tsubu-seed=" + std::to_string(settings_.seed) + " with " +
                           std::to_string(pe_count()) + " PEs on machine " + machine_.name + ": " +
                           schedule_->describe() + "\n";
  std::fputs(line.c_str(), stderr);
}

void engine::too_late() {
  std::string text = "tsubu: the simulated job has not ended by its time limit, " +
                     std::to_string(static_cast<double>(settings_.limit_ps) * 1e-9) + " ms of its own time.\n";
  for (auto& p : pes_) {
    if (!p->ended) text += p->pe->waiting_tasks();
  }
  end_job(exit_code::failed, text + "tsubu: the job ends with code " + std::to_string(exit_code::failed));
}

// The one that dies takes no more turns. The others go on until that is noticed.
bool engine::takes_no_turn(processor& p) {
  if (p.wire.pe() == settings_.fault_pe) return one_is_dead_ = one_is_dead_ || clock_.ps >= settings_.fault_ps;
  if (one_is_dead_ && clock_.ps >= settings_.fault_ps + noticed_after_ps) one_has_died();
  return false;
}

void engine::one_has_died() {
  end_job(exit_code::failed, "tsubu: PE " + std::to_string(settings_.fault_pe) + " has died, after " +
                                 std::to_string(settings_.fault_ps / 1'000'000) +
                                 " us (--tsubu-fault); the job ends with code " + std::to_string(exit_code::failed));
}

int engine::run() {
  while (left_ > 0) {
    turn next{};
    const bool some = next_turn(next);
    const std::int64_t turn_ps = some ? next.ps : network::no_time;
    const std::int64_t player_ps = player_ != nullptr ? player_->next_ps() : network::no_time;
    if (network_.next_ps() != network::no_time && network_.next_ps() <= std::min(turn_ps, player_ps)) {
      move_network(network_.next_ps());
      continue;
    }
    if (player_ps != network::no_time && player_ps <= turn_ps) {
      ++events_;
      player_->move();
      continue;
    }
    if (!some && one_is_dead_) one_has_died();
    require(some, "all simulated PEs are parked and no message is under way");
    turns_.pop();
    processor& p = *pes_[static_cast<std::size_t>(next.pe)];
    p.account.time.idle += next.ps - p.ps;
    p.ps = next.ps;
    clock_.ps = next.ps;
    p.parked = false;
    run_turns(p);
  }
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    processor& p = *pes_[static_cast<std::size_t>(pe)];
    p.account.packets_executed = p.pe->messages.counted().packets_executed;
    breakdown& time = p.account.time;
    if (player_ == nullptr) {
      time.idle += end_ps_ - p.ps;
    } else {  // between its turns it was busy with what they had begun
      time.idle = 0;
      time.idle = std::max<std::int64_t>(
          end_ps_ - (time.working + time.executing + time.sending + time.receiving + time.switching), 0);
    }
  }
  return code_;
}

}  // namespace tsubu::sim
