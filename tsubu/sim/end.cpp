#include "tsubu/sim/end.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "tsubu/sim/engine.hpp"

namespace tsubu::sim {

end::end(engine& all, pe_id pe, int pes, std::size_t batch_bytes, ::tsubu::transport::grid_shape shape) : all_(all) {
  pe_ = pe;
  pe_count_ = pes_per_process_ = pes;
  batch_bytes_ = batch_bytes;
  shape_ = shape;
  spin_polls_ = 0;
  has_other_threads_ = false;
  each_packet_alone_ = all.shared_.on.sends_each_alone();
}

processor& end::own() const { return all_.shared_.at(pe_); }

transport::batch* end::acquire() {
  all_.costing_->message_begins(own());
  batch* const b = all_.batches_.acquire();
  b->from = pe_;
  ++held_;
  return b;
}

transport::batch* end::with_room_for(std::size_t bytes, batch* filling, std::size_t used) {
  return all_.batches_.with_room_for(bytes, filling, used);
}

int end::post_bulk(batch* b, pe_id to, bulk_source source) {
  b->to = to;
  b = all_.batches_.shrunk(b);
  b->bulk_bytes = source.bytes.size();
  --held_;
  const int on_the_way = ++ways_.use(to).on_the_way;
  all_.post(own(), b, source, receiver_->facts_of(*b, source.bytes.size()));
  return on_the_way;
}

int end::on_the_way(pe_id to) const {
  const in_flight_table::peer* const found = ways_.find(to);
  return found == nullptr ? 0 : found->on_the_way;
}

std::int64_t end::in_order(pe_id to, std::int64_t ps, bool free) {
  in_flight_table::peer& way = ways_.use(to);
  std::int64_t& last = free ? way.last_free_ps : way.last_arrival_ps;
  return last = std::max(last, ps);
}

transport::batch* end::poll() {
  ++polls_;
  all_.costing_->charge(own());
  const std::int64_t now_ps = all_.shared_.now_ps;
  all_.move_network(now_ps);
  take_news(now_ps);
  batch* const taken = take(now_ps);
  all_.costing_->goes_on();
  return taken;
}

void end::hear(std::int64_t ps, pe_id by, const bulk_source& done) {
  news_.push({ps, by, news_number_++, done.done, done.argument});
  dones_ += done.done != nullptr ? 1 : 0;
}

// What has come back by now of what it has sent.
void end::take_news(std::int64_t now_ps) {
  while (!news_.empty() && news_.top().ps <= now_ps) {
    const news heard = news_.top();
    news_.pop();
    if (heard.done != nullptr) {
      --dones_;
      heard.done(heard.argument);
    } else {
      --ways_.use(heard.by).on_the_way;
    }
  }
}

transport::batch* end::take(std::int64_t now_ps) {
  processor& p = own();
  if (p.arrivals.empty() || p.arrivals.top().ps > now_ps) return nullptr;
  const flight f = p.arrivals.top();
  p.arrivals.pop();
  const engine::parcel taken = all_.unpack(f);
  ++all_.shared_.events;
  if (!taken.free) all_.costing_->take(p, f, {taken.b->size, taken.source.bytes.size()});
  if (taken.b->is_bulk()) land(taken.b, f.from, taken.source);
  ++held_;
  return taken.b;
}

void end::land(batch* b, pe_id from, const bulk_source& source) {
  b->bulk_data = receiver_->place(from, {b->data(), b->size}, b->bulk_bytes);
  std::memcpy(b->bulk_data, source.bytes.data(), source.bytes.size());
  if (source.done == nullptr) return;
  // Its PE hears of that, and not this one: what is done then is that PE's.
  processor& home = all_.shared_.at(from);
  const std::int64_t ps = all_.shared_.now_ps + all_.shared_.wires.least_ps();
  home.wire.hear(ps, pe_, source);
  all_.wake(home, ps);
}

void end::release(batch* b) {
  --held_;
  if (b->from != pe_) {
    end& home = all_.shared_.at(b->from).wire;
    home.hear(all_.shared_.now_ps + all_.shared_.wires.least_ps() + all_.shared_.delay(), pe_);
  }
  all_.batches_.give_back(b);
}

void end::abort(int code) {
  all_.tell_seed();
  all_.shared_.traced.reset();  // of a job that fails it is wanted most
  std::_Exit(code);
}

}  // namespace tsubu::sim
