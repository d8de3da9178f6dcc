#include "tsubu/transport/mpi/bulk.hpp"

#include <algorithm>
#include <functional>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/made_calls.hpp"

namespace tsubu::transport::mpi {

namespace {

constexpr int tag = 1;
constexpr std::size_t part_bytes = std::size_t{1} << 30;  // MPI counts in int
constexpr std::size_t most_bytes = std::size_t{1} << 40;

}  // namespace

void bulk_mover::offer(std::uint64_t pair, bulk_source source) {
  check(!source.bytes.empty() && source.bytes.size() < most_bytes, "a bulk has at least 1 and less than 2^40 bytes");
  offers_[pair].push(source);
}

void bulk_mover::cleared(std::uint64_t pair, int to) {
  auto found = offers_.find(pair);
  check(found != offers_.end(), "clear-to-send for a bulk that was not offered");
  transfer* t = new transfer;
  t->source = found->second.front();
  found->second.pop();
  if (found->second.empty()) offers_.erase(found);
  const std::byte* bytes = t->source.bytes.data();
  start(t, t->source.bytes.size(), [&](std::size_t offset, int count, MPI_Request* request) {
    return MPI_Isend(bytes + offset, count, MPI_BYTE, to, tag, comm_, request);
  });
}

void bulk_mover::receive(batch* head, int from, std::byte* where, std::size_t bytes) {
  transfer* t = new transfer;
  t->head = head;
  start(t, bytes, [&](std::size_t offset, int count, MPI_Request* request) {
    return MPI_Irecv(where + offset, count, MPI_BYTE, from, tag, comm_, request);
  });
}

template <typename Start>
void bulk_mover::start(transfer* t, std::size_t bytes, Start start_part) {
  for (std::size_t offset = 0; offset < bytes; offset += part_bytes) {
    const int count = static_cast<int>(std::min(part_bytes, bytes - offset));
    MPI_Request request;
    check_mpi(start_part(offset, count, &request));
    requests_.push_back(request);
    transfers_.push_back(t);
    ++t->parts;
  }
}

void bulk_mover::poll(std::vector<batch*>& landed) {
  finished_.resize(requests_.size());
  int count = 0;
  tests.count();
  check_mpi(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, finished_.data(),
                         MPI_STATUSES_IGNORE));
  if (count <= 0) return;
  // done() may post the next bulk; that only offers it, and the arrays stay as they are.
  finished_.resize(static_cast<std::size_t>(count));
  for (int i : finished_) {
    transfer*& t = transfers_[static_cast<std::size_t>(i)];
    if (--t->parts == 0) finish(t, landed);
    t = nullptr;
  }
  std::erase(transfers_, nullptr);
  std::erase(requests_, MPI_REQUEST_NULL);
}

void bulk_mover::finish(transfer* t, std::vector<batch*>& landed) {
  if (t->head != nullptr) {
    landed.push_back(t->head);
  } else if (t->source.done != nullptr) {
    t->source.done(t->source.argument);
  }
  delete t;
}

}  // namespace tsubu::transport::mpi
