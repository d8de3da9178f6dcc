#include "tsubu/transport/mpi/window_streams.hpp"

#include <algorithm>
#include <cstring>

#include "tsubu/transport/mpi/check_mpi.hpp"
#include "tsubu/transport/mpi/failure.hpp"
#include "tsubu/transport/mpi/made_calls.hpp"

namespace tsubu::transport::mpi {
namespace {

constexpr std::size_t smallest_ring = 4096;

// Counters, and the rings behind them, begin at words.
constexpr std::size_t word = sizeof(stream_count);

std::size_t ring_for(std::size_t longest) {
  const std::size_t bytes = std::max(2 * longest, smallest_ring);
  return (bytes + word - 1) / word * word;
}

}  // namespace

window_streams::window_streams(MPI_Comm comm, std::size_t longest) : capacity_(ring_for(longest)) {
  int ranks = 0;
  int rank = 0;
  check_mpi(MPI_Comm_size(comm, &ranks));
  check_mpi(MPI_Comm_rank(comm, &rank));
  ranks_ = static_cast<std::size_t>(ranks);
  own_rank_ = static_cast<std::size_t>(rank);
  ends_.resize(kinds * ranks_);
  looked_.resize(counters * kinds * ranks_);
  const std::size_t bytes = ring(stream_kind::messages, 0) + kinds * ranks_ * capacity_;
  check_mpi(MPI_Win_allocate(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, comm, &own_, &window_));
  check_mpi(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN));
  // The rings are written before they are read.
  check_mpi(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window_));
  std::memset(own_, 0, looked_.size() * sizeof(stream_count));
  check_mpi(MPI_Win_unlock(rank, window_));
  check_mpi(MPI_Barrier(comm));
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_));
}

void window_streams::write(stream_kind kind, std::size_t to, std::span<const std::byte> bytes) {
  sending_end& out = pair(kind, to).out;
  check(bytes.size() <= out.room(capacity_), "a stream to another rank is written beyond its room");
  const ring_pieces at(out.written, bytes.size(), capacity_);
  const std::size_t begin = ring(kind, own_rank_);
  put(to, begin + at.offset, bytes.first(at.first));
  if (at.second != 0) put(to, begin, bytes.last(at.second));
  check_mpi(MPI_Win_flush(static_cast<int>(to), window_));
  out.written += bytes.size();
  tell(to, place(written, kind, own_rank_), out.written);
}

void window_streams::put(std::size_t to, std::size_t where, std::span<const std::byte> bytes) {
  const auto count = static_cast<int>(bytes.size());
  check_mpi(MPI_Put(bytes.data(), count, MPI_BYTE, static_cast<int>(to), static_cast<MPI_Aint>(where), count, MPI_BYTE,
                    window_));
}

void window_streams::tell(std::size_t to, std::size_t where, stream_count value) {
  const int rank = static_cast<int>(to);
  check_mpi(MPI_Accumulate(&value, 1, MPI_UINT64_T, rank, static_cast<MPI_Aint>(where * sizeof value), 1, MPI_UINT64_T,
                           MPI_REPLACE, window_));
  check_mpi(MPI_Win_flush(rank, window_));
}

void window_streams::look() {
  const auto count = static_cast<int>(looked_.size());
  const int rank = static_cast<int>(own_rank_);
  check_mpi(MPI_Get_accumulate(nullptr, 0, MPI_UINT64_T, looked_.data(), count, MPI_UINT64_T, rank, 0, count,
                               MPI_UINT64_T, MPI_NO_OP, window_));
  check_mpi(MPI_Win_flush(rank, window_));
  for (const stream_kind kind : {stream_kind::messages, stream_kind::bulks}) {
    for (std::size_t other = 0; other < ranks_; ++other) {
      ends& of = pair(kind, other);
      check(of.in.hear(looked_[place(written, kind, other)], capacity_) &&
                of.out.hear(looked_[place(freed, kind, other)]),
            "a rank says of a stream that more was written or read than can be");
    }
  }
}

void window_streams::read(stream_kind kind, std::size_t from, std::span<std::byte> to) {
  receiving_end& in = pair(kind, from).in;
  check(to.size() <= in.available(), "more is read of a stream than is there");
  check_mpi(MPI_Win_sync(window_));
  const ring_pieces at(in.read, to.size(), capacity_);
  const std::byte* begin = own_ + ring(kind, from);
  std::memcpy(to.data(), begin + at.offset, at.first);
  if (at.second != 0) std::memcpy(to.data() + at.first, begin, at.second);
  in.read += to.size();
  if (!in.should_tell(capacity_)) return;
  in.told = in.read;
  tell(from, place(freed, kind, own_rank_), in.read);
}

void window_streams::close() {
  check_mpi(MPI_Win_unlock_all(window_));
  check_mpi(MPI_Win_free(&window_));
}

}  // namespace tsubu::transport::mpi
