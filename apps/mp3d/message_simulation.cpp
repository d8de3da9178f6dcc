// Molecules and cells are dealt to the PEs in turn. A molecule moves where it is and goes, as a message, to its cell;
// the cell's PE pairs and collides those that have come, and sends the new velocities back.
//
// Quiescence lies between these halves of a step, and between two steps. So when a PE collides, all that came is of
// this step, and it forgets them before it waits again: nobody sends a molecule of the next step earlier. And when a PE
// takes over the new velocities, all of them are here, and none of the next step.
#include <vector>

#include "apps/mp3d/motion.hpp"
#include "apps/mp3d/pairing.hpp"
#include "apps/mp3d/simulation.hpp"
#include "apps/mp3d/tunnel.hpp"
#include "apps/mp3d/work_clocks.hpp"
#include "tsubu/tsubu.hpp"

namespace mp3d {

using namespace tsubu;

static pe_local<std::vector<std::vector<visitor>>> cells_here;
static pe_local<std::vector<visitor>> collided_here;

void enter(std::uint32_t cell_here, std::int64_t number, vector3 velocity) {
  (*cells_here)[cell_here].push_back({number, velocity});
}

void come_back(std::int64_t number, vector3 velocity) { collided_here->push_back({number, velocity}); }

namespace {

constexpr int burst = 1000;  // sends between two looks at the network

class message_simulation final : public simulation {
 public:
  explicit message_simulation(const gas& of) : gas_(of) {
    for (std::int64_t i = this_pe(); i < gas_.molecules; i += pe_count()) molecules_.push_back(gas_.at_beginning(i));
    // The last PEs may have one cell less.
    cells_here->assign((cells + pes() - 1) / pes(), {});
    collided_here->clear();
  }

  task<void> step() override {
    ++step_;
    co_await move_all();
    co_await quiescence();
    co_await collide_all();
    co_await quiescence();
    for (const visitor& v : *collided_here) at_number(v.number).velocity = v.velocity;
    collided_here->clear();
  }

  task<outcome> part() override {
    outcome of_part;
    of_part.counted = counted_;
    std::int64_t number = this_pe();
    for (const molecule& m : molecules_) {
      if (in_stream(m.position)) ++of_part.in_stream;
      of_part.digest += digest(number, m);
      number += pe_count();
    }
    co_return of_part;
  }

 private:
  static std::uint32_t pes() { return static_cast<std::uint32_t>(pe_count()); }
  molecule& at_number(std::int64_t number) { return molecules_[static_cast<std::size_t>(number / pe_count())]; }

  task<void> move_all() {
    std::int64_t number = this_pe();
    int sent = 0;
    for (molecule& m : molecules_) {
      move(gas_, number, step_, m, counted_);
      work(clocks_of_move);
      if (in_stream(m.position)) {
        const std::uint32_t cell = cell_of(m.position);
        at(static_cast<pe_id>(cell % pes())).past<enter>(cell / pes(), number, m.velocity);
        if (++sent % burst == 0) co_await room_everywhere();
      }
      number += pe_count();
    }
  }

  task<void> collide_all() {
    int sent = 0;
    for (std::vector<visitor>& cell : *cells_here) {
      const std::vector<visitor> changed = meet(gas_, step_, cell, counted_);
      work_of_meeting(cell.size(), changed.size());
      cell.clear();
      for (const visitor& v : changed) {
        at(static_cast<pe_id>(v.number % pe_count())).past<come_back>(v.number, v.velocity);
        if (++sent % burst == 0) co_await room_everywhere();
      }
    }
  }

  gas gas_;
  std::int64_t step_ = 0;
  std::vector<molecule> molecules_;  // numbers this_pe(), this_pe() + pe_count(), ...
  counters counted_;
};

}  // namespace

std::unique_ptr<simulation> make_message_simulation(const gas& of) { return std::make_unique<message_simulation>(of); }

}  // namespace mp3d
