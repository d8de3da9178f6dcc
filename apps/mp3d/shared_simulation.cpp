// Molecules and cells are shared variables: an array of each, dealt to the PEs in turn. Each PE moves the molecules
// that were dealt to it, and pairs and collides in the cells that were; it changes whatever it needs, wherever that is.
//
// A barrier ends each half of a step. What a PE changes has been changed when it comes to the barrier, since it awaits
// each change; and every access that begins behind the barrier finds it so.
#include <ranges>
#include <utility>
#include <vector>

#include "apps/mp3d/motion.hpp"
#include "apps/mp3d/pairing.hpp"
#include "apps/mp3d/simulation.hpp"
#include "apps/mp3d/tunnel.hpp"
#include "apps/mp3d/work_clocks.hpp"
#include "tsubu/tsubu.hpp"

namespace mp3d {

using namespace tsubu;

// What is done to shared variables.
void arrive(std::vector<visitor>& in_cell, visitor v) { in_cell.push_back(v); }
std::vector<visitor> clear(std::vector<visitor>& in_cell) { return std::exchange(in_cell, {}); }
void change_course(molecule& m, vector3 velocity) { m.velocity = velocity; }

namespace {

constexpr int width = 512;  // molecules, or cells, that a PE is busy with at a time

// this_pe(), this_pe() + pe_count(), ... < size
auto dealt_here(std::size_t size) {
  const auto me = static_cast<std::size_t>(this_pe()), pes = static_cast<std::size_t>(pe_count());
  const std::size_t count = size > me ? (size - me - 1) / pes + 1 : 0;
  return std::views::iota(std::size_t{0}, count) | std::views::transform([=](std::size_t k) { return me + k * pes; });
}

class shared_simulation final : public simulation {
 public:
  explicit shared_simulation(const gas& of) : gas_(of) {}

  // Collective.
  task<void> begin(protocol how) {
    molecules_ = co_await create_shared_array<molecule>(static_cast<std::size_t>(gas_.molecules), by_cycle(), how);
    cells_ = co_await create_shared_array<std::vector<visitor>>(cells, by_cycle(), how);
    for (const std::size_t i : dealt_here(molecules_.size())) {
      co_await molecules_[i].write(gas_.at_beginning(static_cast<std::int64_t>(i)));
    }
    co_await barrier();
  }

  task<void> step() override {
    ++step_;
    co_await for_each_in_flight(dealt_here(molecules_.size()), width, [this](std::size_t i) { return move_one(i); });
    co_await barrier();
    co_await for_each_in_flight(dealt_here(cells), width, [this](std::size_t cell) { return collide_in(cell); });
    co_await barrier();
  }

  task<outcome> part() override {
    outcome of_part;
    of_part.counted = counted_;
    for (const std::size_t i : dealt_here(molecules_.size())) {
      const molecule m = co_await molecules_[i].read();
      if (in_stream(m.position)) ++of_part.in_stream;
      of_part.digest += digest(static_cast<std::int64_t>(i), m);
    }
    co_return of_part;
  }

 private:
  task<void> move_one(std::size_t i) {
    molecule m = co_await molecules_[i].read();
    const auto number = static_cast<std::int64_t>(i);
    move(gas_, number, step_, m, counted_);
    work(clocks_of_move);
    co_await molecules_[i].write(m);
    if (in_stream(m.position)) co_await cells_[cell_of(m.position)].change<arrive>(visitor{number, m.velocity});
  }

  task<void> collide_in(std::size_t cell) {
    const std::vector<visitor> in_cell = co_await cells_[cell].change<clear>();
    const std::vector<visitor> changed = meet(gas_, step_, in_cell, counted_);
    work_of_meeting(in_cell.size(), changed.size());
    for (const visitor& v : changed) {
      co_await molecules_[static_cast<std::size_t>(v.number)].change<change_course>(v.velocity);
    }
  }

  gas gas_;
  std::int64_t step_ = 0;
  shared_array<molecule, by_cycle> molecules_;
  shared_array<std::vector<visitor>, by_cycle> cells_;
  counters counted_;
};

}  // namespace

task<std::unique_ptr<simulation>> make_shared_simulation(gas of, protocol how) {
  auto made = std::make_unique<shared_simulation>(of);
  co_await made->begin(how);
  co_return made;
}

}  // namespace mp3d
