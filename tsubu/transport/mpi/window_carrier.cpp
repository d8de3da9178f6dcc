#include "tsubu/transport/mpi/window_carrier.hpp"

#include "tsubu/transport/mpi/failure.hpp"
#include "tsubu/transport/mpi/made_calls.hpp"

namespace tsubu::transport::mpi {

window_carrier::window_carrier(MPI_Comm comm, std::size_t batch_bytes)
    : streams_(comm, message_bytes(batch_bytes)), bulks_(streams_), unsent_(streams_.ranks()) {}

// False: there is no room.
bool window_carrier::write(batch* b, std::size_t bytes, std::size_t to) {
  if (streams_.room(stream_kind::messages, to) < bytes) {
    tests.count();
    streams_.look();
    if (streams_.room(stream_kind::messages, to) < bytes) return false;
  }
  streams_.write(stream_kind::messages, to, {message(b), bytes});
  return true;
}

// Messages are written as wholes: where there is a byte, there is one. Each rank has its turn.
bool window_carrier::find_arrival() {
  for (std::size_t i = 0; i < streams_.ranks(); ++i) {
    if (streams_.available(stream_kind::messages, next_) != 0) return true;
    if (++next_ == streams_.ranks()) next_ = 0;
  }
  return false;
}

bool window_carrier::has_arrival() {
  if (find_arrival()) return true;
  probes.count();
  streams_.look();
  return find_arrival();
}

batch* window_carrier::take(int& rank) {
  if (!has_arrival()) return nullptr;
  const std::size_t from = next_;
  if (++next_ == streams_.ranks()) next_ = 0;
  batch* b = buffers_.back();
  check(streams_.available(stream_kind::messages, from) >= sizeof(label_word), "a message without a label arrived");
  streams_.read(stream_kind::messages, from, {message(b), sizeof(label_word)});
  const label what = read_label(b);
  const std::size_t rest = what.size + (what.what == kind::bulk_head ? sizeof(bulk_length) : 0);
  check(what.size <= b->capacity, "an arrived batch is larger than its buffer");
  check(streams_.available(stream_kind::messages, from) >= rest, "an arrived message is cut off");
  streams_.read(stream_kind::messages, from, {b->data(), rest});
  buffers_.pop_back();
  rank = static_cast<int>(from);
  return b;
}

}  // namespace tsubu::transport::mpi
