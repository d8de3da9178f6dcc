#include "tsubu/sim/batch_costing.hpp"

#include "tsubu/sim/simulation.hpp"

namespace tsubu::sim {

// What the bytes of a batch, or of a bulk and its head, take at each side.
std::int64_t batch_costing::handing_over(batch_size size) const {
  return (static_cast<std::int64_t>(size.batch) * all_.on.cost.batch_byte_fs +
          static_cast<std::int64_t>(size.bulk) * all_.on.cost.bulk_byte_fs) /
         1000;
}

std::optional<std::int64_t> batch_costing::another_turn(processor&) { return all_.on.cost.look; }

void batch_costing::send(processor& p, flight& f, const message_facts&, batch_size size) {
  all_.spend(p.account.time.sending, all_.on.cost.batch_send + handing_over(size));
  f.ps = all_.now_ps;
  if (all_.traced != nullptr) all_.traced->sent(f.from, f.number, f.to, "batch", f.bytes, f.ps);
  if (all_.wires.send(f)) brought(f);
}

void batch_costing::send_free(flight& f) {
  f.ps = all_.now_ps + all_.wires.least_ps();
  brought(f);
}

void batch_costing::brought(const flight& f) {
  flight late = f;
  late.ps += all_.delay();
  arrives_(late);
}

void batch_costing::take(processor& p, const flight& f, batch_size size) {
  if (all_.traced != nullptr) all_.traced->taken(f.from, f.number, f.to, all_.now_ps);
  all_.spend(p.account.time.receiving, all_.on.cost.batch_receive + handing_over(size));
}

void batch_costing::settle(processor& p, std::int64_t end_ps) { p.account.time.idle += end_ps - p.ps; }

}  // namespace tsubu::sim
