#include "tsubu/sim/played_costing.hpp"

#include <algorithm>
#include <utility>

#include "tsubu/sim/simulation.hpp"

namespace tsubu::sim {

played_costing::played_costing(simulation& all, arrival arrives, resumption resumes)
    : costing(all, std::move(arrives)),
      player_(all.on, all.wires.pes(), all.wires, all.settings.what_is_predicted,
              protocol_player::hooks{.hand_over =
                                         [this](const flight& f, std::int64_t ps) {
                                           flight now = f;
                                           now.ps = ps;
                                           arrives_(now);
                                         },
                                     .account = [&all](pe_id pe) -> breakdown& { return all.at(pe).account.time; },
                                     .delay = [&all] { return all.delay(); },
                                     .resumes = std::move(resumes),
                                     .tasks_run = [&all](pe_id pe) { return all.at(pe).pe->done().tasks_run; },
                                     .traced = all.traced.get()}),
      turns_unplayed_(static_cast<std::size_t>(all.wires.pes())) {}

// The turn itself takes no time: the program has seen its work by its clock, which now goes back.
void played_costing::half_over(processor&, std::int64_t began_ps) { all_.now_ps = began_ps; }

// A program that polls, or sends to its own PE again and again, is never idle. It is played after so many turns: its
// messages would never leave, and none come. It goes on when what was in them has been played, so that this does not
// fall behind.
std::optional<std::int64_t> played_costing::another_turn(processor& p) {
  constexpr std::uint32_t most_turns_unplayed = 64;
  std::uint32_t& turns = turns_unplayed_[static_cast<std::size_t>(p.number())];
  if (++turns != most_turns_unplayed) return 1;
  turns = 0;
  add_work(p);
  if (player_.begin_part(p.number(), all_.now_ps)) return std::nullopt;
  return all_.on.cost.look;
}

void played_costing::turn_over(processor& p) {
  add_work(p);
  turns_unplayed_[static_cast<std::size_t>(p.number())] = 0;
  player_.begin(p.number(), all_.now_ps);
}

// The work since the last message; what is not added now would be that of the PE whose turn is next.
void played_costing::add_work(processor& p) {
  const std::int64_t ps = std::exchange(all_.worked_ps, 0);
  if (ps != 0) player_.add_work(p.number(), ps);
}

// A packet leaves when the next one is begun, or later: the work between belongs behind it.
void played_costing::message_begins(processor& p) {
  if (p.pe != nullptr) add_work(p);
}

void played_costing::send(processor&, flight& f, const message_facts& facts, batch_size) {
  player_.add_message(f, facts);
}

void played_costing::send_free(flight& f) {
  f.ps = all_.now_ps + all_.wires.least_ps();
  arrives_(f);
}

// Between its turns it was busy with what they had begun.
void played_costing::settle(processor& p, std::int64_t end_ps) {
  p.account.time.idle = std::max<std::int64_t>(end_ps - p.account.time.busy(), 0);
}

}  // namespace tsubu::sim
