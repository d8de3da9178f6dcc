// The few calls of MPI that the C++ + MPI versions of CG and IS make, on Tsubu, each counted.
//
// It stands for an MPI in these tests only: plain functions that block in a fiber, one program on every
// rank. Calls of two ranks match in their order, and there are no tags.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "tests/acceptance/tables.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/fiber.hpp"
#include "tsubu/tsubu.hpp"

namespace mpi_like {

inline thread_local constinit int rank = 0;
inline thread_local constinit int size = 1;

struct mailboxes {
  std::unique_ptr<tsubu::sync<std::vector<char>>[]> from =
      std::make_unique<tsubu::sync<std::vector<char>>[]>(static_cast<std::size_t>(tsubu::pe_count()));
  acceptance::mpi_counts counts;
};
inline tsubu::pe_local<mailboxes> here;

inline void deliver(int from, std::vector<char> bytes) {
  here->from[static_cast<std::size_t>(from)].write(std::move(bytes));
}

inline void send_bytes(const void* data, std::size_t bytes, int to) {
  const char* first = static_cast<const char*>(data);
  if (bytes > 0 && to != rank) here->counts.bytes += bytes;
  tsubu::at(to).past<deliver>(rank, std::vector<char>(first, first + bytes));
  tsubu::flush();  // an MPI sends each message by itself
}
inline void receive_bytes(void* data, std::size_t bytes, int from) {
  const std::vector<char> message = tsubu::wait(here->from[static_cast<std::size_t>(from)].read());
  tsubu::require(message.size() == bytes, "a message of {} bytes where {} are expected", message.size(), bytes);
  if (bytes > 0) std::memcpy(data, message.data(), bytes);
}

struct request {
  void* to;
  std::size_t bytes;
  int from;
};

template <class T>
void Send(const T* data, std::int64_t n, int to) {
  ++here->counts.send;
  send_bytes(data, static_cast<std::size_t>(n) * sizeof(T), to);
}
template <class T>
request Irecv(T* data, std::int64_t n, int from) {
  ++here->counts.irecv;
  return {data, static_cast<std::size_t>(n) * sizeof(T), from};
}
inline void Wait(const request& r) {
  ++here->counts.wait;
  receive_bytes(r.to, r.bytes, r.from);
}

// Sums, element by element: everyone tells everyone.
template <class T>
void Allreduce(const T* mine, T* sums, std::int64_t n) {
  ++here->counts.allreduce;
  for (int i = 1; i < size; ++i) send_bytes(mine, static_cast<std::size_t>(n) * sizeof(T), (rank + i) % size);
  std::copy(mine, mine + n, sums);
  std::vector<T> theirs(static_cast<std::size_t>(n));
  for (int i = 1; i < size; ++i) {
    receive_bytes(theirs.data(), theirs.size() * sizeof(T), (rank + i) % size);
    for (std::int64_t k = 0; k < n; ++k) sums[k] += theirs[static_cast<std::size_t>(k)];
  }
}
template <class T>
void Alltoall(const T* to, T* from) {
  ++here->counts.alltoall;
  for (int i = 0; i < size; ++i) send_bytes(to + (rank + i) % size, sizeof(T), (rank + i) % size);
  for (int i = 0; i < size; ++i) receive_bytes(from + i, sizeof(T), i);
}
// Sends in the order of the ranks, as LAM's does: all send to rank 0 first.
template <class T, class Count>
void Alltoallv(const T* to, const Count* to_counts, const Count* to_places, T* from, const Count* from_counts,
               const Count* from_places) {
  ++here->counts.alltoallv;
  for (int i = 0; i < size; ++i) send_bytes(to + to_places[i], static_cast<std::size_t>(to_counts[i]) * sizeof(T), i);
  for (int i = 0; i < size; ++i)
    receive_bytes(from + from_places[i], static_cast<std::size_t>(from_counts[i]) * sizeof(T), i);
}

// Not counted: what a measurement needs around what it measures. See mttl_counts.hpp.
inline acceptance::mpi_counts begin_counting() {
  tsubu::wait(tsubu::barrier());
  const acceptance::mpi_counts now = here->counts;
  tsubu::wait(tsubu::barrier());
  return now;
}
inline acceptance::mpi_counts end_counting(const acceptance::mpi_counts& begin) {
  acceptance::mpi_counts n = here->counts;
  tsubu::wait(tsubu::barrier());
  return {n.send - begin.send,           n.irecv - begin.irecv,       n.wait - begin.wait,
          n.allreduce - begin.allreduce, n.alltoall - begin.alltoall, n.alltoallv - begin.alltoallv,
          n.bytes - begin.bytes};
}
template <class T>
std::vector<T> Gather(const T& mine) {
  return tsubu::wait(tsubu::gather(mine));
}

// Runs rank_main on every rank.
inline int (*rank_main)(int, char**) = nullptr;

inline int in_fiber(tsubu::arguments words) {
  const auto set_numbers = [] {
    rank = tsubu::this_pe();
    size = tsubu::pe_count();
  };
  set_numbers();
  tsubu::remote::current_pe->when_entered(set_numbers);
  std::vector<std::string> text(words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : text) argv.push_back(word.data());
  argv.push_back(nullptr);
  return rank_main(static_cast<int>(text.size()), argv.data());
}
inline tsubu::task<int> program(tsubu::arguments words) {
  co_return co_await tsubu::run_fiber(in_fiber, std::move(words));
}

inline int start(int argc, char** argv, int (*main_of_rank)(int, char**)) {
  rank_main = main_of_rank;
  return tsubu::run_spmd(argc, argv, program);
}

}  // namespace mpi_like
