#include "tsubu/message/overflow.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tsubu::message {

void overflow::forget(void* kept) {
  auto* p = static_cast<payload*>(kept);
  overflow& keeper = *p->keeper;
  keeper.kept_bytes_ -= p->bytes.size();
  keeper.kept_.erase(p->self);
}

transport::bulk_source overflow::keep(std::vector<std::byte> bytes) {
  kept_bytes_ += bytes.size();
  payload& p = kept_.emplace_back(payload{std::move(bytes), this, {}});
  p.self = std::prev(kept_.end());
  return {p.bytes, forget, &p};
}

void overflow::push(pe_id to, item waiting) {
  const auto [found, is_new] = queues_.try_emplace(to);
  if (is_new) destinations_.push_back(to);
  queue& q = found->second;
  entry& e = q.entries.emplace_back();
  e.what = waiting;
  e.batch_size = waiting.batch->size;
  q.bytes += bytes_of(e);
}

overflow::item overflow::pop(pe_id to) {
  queue& q = queues_.at(to);
  entry e = std::move(q.entries.front());
  q.entries.pop_front();
  q.bytes -= bytes_of(e);
  if (q.entries.empty()) {
    queues_.erase(to);
    std::swap(*std::find(destinations_.begin(), destinations_.end(), to), destinations_.back());
    destinations_.pop_back();
  }
  if (!e.spilled) return e.what;
  e.what.batch = transport_.acquire();
  e.what.batch->size = e.batch_size;
  file_.take(e.batch_place, {e.what.batch->data(), e.batch_size});
  if (!e.payload_place.empty()) {
    std::vector<std::byte> bytes(e.payload_bytes);
    file_.take(e.payload_place, bytes);
    e.what.source = keep(std::move(bytes));
  }
  return e.what;
}

void overflow::spill_last(pe_id to) {
  entry& e = queues_.at(to).entries.back();
  e.spilled = true;
  e.batch_place = file_.write({e.what.batch->data(), e.batch_size});
  transport_.release(std::exchange(e.what.batch, nullptr));
  // The bytes of a bulk that the program owns stay where they are.
  if (e.what.source.done != forget) return;
  e.payload_bytes = e.what.source.bytes.size();
  e.payload_place = file_.write(e.what.source.bytes);
  forget(e.what.source.argument);
  e.what.source = {};
}

std::uint64_t overflow::waiting_bytes(pe_id to) const {
  const auto found = queues_.find(to);
  return found == queues_.end() ? 0 : found->second.bytes;
}

}  // namespace tsubu::message
