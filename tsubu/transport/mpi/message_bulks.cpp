#include "tsubu/transport/mpi/message_bulks.hpp"

#include <algorithm>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/made_calls.hpp"

namespace tsubu::transport::mpi {

namespace {

constexpr int tag = 1;
constexpr std::size_t part_bytes = std::size_t{1} << 30;  // MPI counts in int

}  // namespace

void message_bulks::send(int to, bulk_source source) {
  transfer* t = new transfer;
  t->source = source;
  const std::byte* bytes = source.bytes.data();
  start(t, source.bytes.size(), [&](std::size_t offset, int count, MPI_Request* request) {
    return MPI_Isend(bytes + offset, count, MPI_BYTE, to, tag, comm_, request);
  });
}

void message_bulks::receive(batch* head, int from, std::byte* where, std::size_t bytes) {
  transfer* t = new transfer;
  t->head = head;
  start(t, bytes, [&](std::size_t offset, int count, MPI_Request* request) {
    return MPI_Irecv(where + offset, count, MPI_BYTE, from, tag, comm_, request);
  });
}

template <typename Start>
void message_bulks::start(transfer* t, std::size_t bytes, Start start_part) {
  for (std::size_t offset = 0; offset < bytes; offset += part_bytes) {
    const int count = static_cast<int>(std::min(part_bytes, bytes - offset));
    MPI_Request request;
    check_mpi(start_part(offset, count, &request));
    requests_.push_back(request);
    transfers_.push_back(t);
    ++t->parts;
  }
  ++moving_;
}

void message_bulks::poll(std::vector<batch*>& landed) {
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

void message_bulks::finish(transfer* t, std::vector<batch*>& landed) {
  --moving_;
  if (t->head != nullptr) {
    landed.push_back(t->head);
  } else if (t->source.done != nullptr) {
    t->source.done(t->source.argument);
  }
  delete t;
}

}  // namespace tsubu::transport::mpi
