#include "tsubu/message/overflow.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/message/batch_format.hpp"
#include "tsubu/wire/handler.hpp"

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

void overflow::push(int link, item waiting, std::size_t kept_elsewhere) {
  const auto [found, is_new] = queues_.try_emplace(link);
  if (is_new) waited_for_.push_back(link);
  queue& q = found->second;
  entry& e = q.entries.emplace_back();
  e.what = waiting;
  e.batch_size = waiting.batch->size;
  q.bytes += bytes_of(e);

  const std::size_t in_use = transport_.bytes_in_use() + kept_bytes_ + kept_elsewhere;
  peak_bytes_ = std::max(peak_bytes_, in_use);
  if (in_use <= memory_bytes_) return;
  if (!warned_) {
    warned_ = true;
    std::fprintf(stderr, "tsubu: PE %d: %zu bytes of messages wait in memory, the rest goes to a file: %s\n",
                 links_.pe(), in_use, heaviest().c_str());
  }
  spill_last(link);
  if (file_.bytes() > spill_bytes_) {
    fail("more than " + std::to_string(spill_bytes_) +
         " bytes of messages wait in a file (--tsubu-spill): " + heaviest());
  }
}

overflow::item overflow::pop(int link) {
  queue& q = queues_.at(link);
  entry e = std::move(q.entries.front());
  q.entries.pop_front();
  q.bytes -= bytes_of(e);
  if (q.entries.empty()) {
    queues_.erase(link);
    std::swap(*std::find(waited_for_.begin(), waited_for_.end(), link), waited_for_.back());
    waited_for_.pop_back();
  }
  if (!e.spilled) return e.what;
  e.what.batch = transport_.acquire_for(e.batch_size);
  e.what.batch->size = e.batch_size;
  file_.take(e.batch_place, {e.what.batch->data(), e.batch_size});
  if (!e.payload_place.empty()) {
    std::vector<std::byte> bytes(e.payload_bytes);
    file_.take(e.payload_place, bytes);
    e.what.source = keep(std::move(bytes));
  }
  return e.what;
}

// Moves what was pushed last for `link` into the file.
void overflow::spill_last(int link) {
  entry& e = queues_.at(link).entries.back();
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

std::uint64_t overflow::waiting_bytes(int link) const {
  const auto found = queues_.find(link);
  return found == queues_.end() ? 0 : found->second.bytes;
}

template <class F>
void overflow::for_each(int link, F f) const {
  std::vector<std::byte> read(transport_.batch_bytes());
  int left = 1000;
  for (const entry& e : queues_.at(link).entries) {
    if (--left < 0) return;
    std::span<const std::byte> bytes;
    if (e.spilled) {
      file_.read(e.batch_place, std::span(read).first(e.batch_size));
      bytes = std::span(read).first(e.batch_size);
    } else {
      bytes = {e.what.batch->data(), e.batch_size};
    }
    f(bytes, bytes_of(e) - e.batch_size);
  }
}

// The link for which most waits, and the handler with the most bytes of that.
std::string overflow::heaviest() const {
  int link = -1;
  for (const int one : waited_for_) {
    if (link < 0 || waiting_bytes(one) > waiting_bytes(link)) link = one;
  }
  if (link < 0) return "none waits";
  std::vector<std::uint64_t> bytes(wire::handlers().size());
  for_each(link, [&](std::span<const std::byte> batch, std::uint64_t bulk_bytes) {
    format::for_each_run(batch, [&](const format::run_header& header) {
      bytes[wire::number_in(header.handler)] += header.bytes() + bulk_bytes;
    });
  });
  const auto most = static_cast<std::size_t>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
  std::string text = std::to_string(waiting_bytes(link)) + " bytes for PE " + std::to_string(links_.pe_at(link)) +
                     (links_.routed() ? " and those behind it" : "");
  if (bytes[most] != 0) text += ", most of them for " + wire::readable_name(*wire::handlers()[most]);
  return text;
}

}  // namespace tsubu::message
