#include "tsubu/transport/mpi/window_bulks.hpp"

#include <algorithm>

#include "tsubu/transport/mpi/made_calls.hpp"

namespace tsubu::transport::mpi {

void window_bulks::send(int to, bulk_source source) {
  out_[static_cast<std::size_t>(to)].push_back({source, source.bytes});
  ++moving_;
}

void window_bulks::receive(batch* head, int from, std::byte* where, std::size_t bytes) {
  in_[static_cast<std::size_t>(from)].push_back({head, {where, bytes}});
  ++moving_;
}

void window_bulks::poll(std::vector<batch*>& landed) {
  tests.count();
  streams_.look();
  for (std::size_t rank = 0; rank < streams_.ranks(); ++rank) {
    if (!out_[rank].empty()) write(rank);
    if (!in_[rank].empty()) read(rank, landed);
  }
}

// As much as there is room for.
void window_bulks::write(std::size_t to) {
  while (!out_[to].empty()) {
    leaving& first = out_[to].front();
    const std::size_t bytes = std::min(first.left.size(), streams_.room(stream_kind::bulks, to));
    if (bytes == 0) return;
    streams_.write(stream_kind::bulks, to, first.left.first(bytes));
    first.left = first.left.subspan(bytes);
    if (!first.left.empty()) return;
    // done() may post the next bulk; that only offers it.
    const bulk_source source = first.source;
    out_[to].pop_front();
    --moving_;
    if (source.done != nullptr) source.done(source.argument);
  }
}

void window_bulks::read(std::size_t from, std::vector<batch*>& landed) {
  while (!in_[from].empty()) {
    landing& first = in_[from].front();
    const std::size_t bytes = std::min(first.left.size(), streams_.available(stream_kind::bulks, from));
    if (bytes == 0) return;
    streams_.read(stream_kind::bulks, from, first.left.first(bytes));
    first.left = first.left.subspan(bytes);
    if (!first.left.empty()) return;
    landed.push_back(first.head);
    in_[from].pop_front();
    --moving_;
  }
}

}  // namespace tsubu::transport::mpi
