// What a simulated PE sends and takes, and what it hears of what it has sent.
#include <cstring>

#include "tsubu/sim/processor.hpp"

namespace tsubu::sim {

int end::post_bulk(batch* b, pe_id to, bulk_source source) {
  b->to = to;
  b = all_.shrunk(b);
  b->bulk_bytes = source.bytes.size();
  --held_;
  all_.post(*all_.pes_[static_cast<std::size_t>(pe_)], to, b, source);
  return ++peers_[to].on_the_way;
}

transport::batch* end::poll() {
  ++polls_;
  engine::processor& p = *all_.pes_[static_cast<std::size_t>(pe_)];
  all_.charge(p);
  batch* const taken = take(p);
  all_.measure_from_here();
  return taken;
}

transport::batch* end::take(engine::processor& p) {
  const std::int64_t now = all_.clock_.ps;
  all_.move_network(now);
  while (!news_.empty() && news_.top().ps <= now) {
    const news heard = news_.top();
    news_.pop();
    if (heard.done.done != nullptr) {
      --dones_;
      heard.done.done(heard.done.argument);
    } else {
      --peers_[heard.by].on_the_way;
    }
  }
  if (p.arrivals.empty() || p.arrivals.top().ps > now) return nullptr;
  const flight f = p.arrivals.top();
  p.arrivals.pop();
  auto* const what = static_cast<engine::parcel*>(f.what);
  const engine::parcel taken = *what;
  all_.parcels_.give_back(what);
  ++all_.events_;
  // The player tells of its packets, by their numbers; of what is free no sending was told.
  if (all_.trace_ != nullptr && all_.player_ == nullptr && !taken.free) {
    all_.trace_->taken(f.from, f.number, f.to, now);
  }
  if (!taken.free && all_.player_ == nullptr) {
    all_.spend(p.account.time.receiving,
               all_.machine_.cost.batch_receive + all_.handing_over(taken.b->size, taken.source.bytes.size()));
  }
  if (taken.b->is_bulk()) {
    taken.b->bulk_data = receiver_->place(f.from, {taken.b->data(), taken.b->size}, taken.b->bulk_bytes);
    std::memcpy(taken.b->bulk_data, taken.source.bytes.data(), taken.source.bytes.size());
    // Its PE hears of that, and not this one: what is done then is that PE's.
    if (taken.source.done != nullptr) {
      engine::processor& home = *all_.pes_[static_cast<std::size_t>(f.from)];
      home.wire.hear(all_.clock_.ps + all_.network_.least_ps(), pe_, taken.source);
      all_.wake(home, all_.clock_.ps + all_.network_.least_ps());
    }
  }
  ++held_;
  return taken.b;
}

void end::release(batch* b) {
  --held_;
  if (b->from != pe_) {
    end& home = all_.pes_[static_cast<std::size_t>(b->from)]->wire;
    const std::int64_t late = all_.schedule_ == nullptr ? 0 : all_.schedule_->delay();
    home.hear(all_.clock_.ps + all_.network_.least_ps() + late, pe_);
  }
  all_.give_back(b);
}

}  // namespace tsubu::sim
