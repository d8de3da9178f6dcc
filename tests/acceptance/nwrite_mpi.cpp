// What nwrite.cpp measures, on the plain MPI below: writes by MPI_Send and by MPI_Put, reads by a question and its
// answer and by MPI_Get. Each write leaves alone; the puts of a window are flushed once.
#include <mpi.h>

#include <cstdint>

#include "tests/acceptance/nwrite.hpp"

namespace {

using nwrite::content;

// What a read asks for: where, and how much. As MTTL's, 24 bytes.
struct question {
  std::int64_t segment, offset, bytes;
};

int rank = 0;

void send(const void* data, int bytes, int to) { MPI_Send(data, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD); }
void receive(void* data, int bytes, int from) {
  MPI_Recv(data, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

class job {
 public:
  job() : data_(nwrite::max_size) {
    MPI_Win_allocate(nwrite::max_size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &target_, &win_);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win_);
  }
  ~job() {
    MPI_Win_unlock_all(win_);
    MPI_Win_free(&win_);
  }
  job(const job&) = delete;
  job& operator=(const job&) = delete;

  bool measure(const std::vector<int>& sizes) {
    nwrite::results found;
    for (const int bytes : sizes) {
      std::vector<double> by_send, by_put, by_question, by_get;
      for (int w = 0; w < nwrite::windows; ++w) {
        fill(bytes, content(2 * w));
        by_send.push_back(window(bytes, [&] { send_one(bytes); }));
        check(target_, 1, bytes, content(2 * w));
        fill(bytes, content(2 * w + 1));
        by_put.push_back(window(bytes, [&] { put_one(bytes); }));
        check(target_, 1, bytes, content(2 * w + 1));
        fill(bytes, 0);
        by_question.push_back(window(bytes, [&] { ask_one(bytes); }));
        check(data_.data(), 0, bytes, content(2 * w + 1));
        fill(bytes, 0);
        by_get.push_back(window(bytes, [&] { get_one(bytes); }));
        check(data_.data(), 0, bytes, content(2 * w + 1));
      }
      found.add("send", bytes, by_send);
      found.add("put", bytes, by_put);
      found.add("question", bytes, by_question);
      found.add("get", bytes, by_get);
    }
    int all = right_ ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0) found.print("nwrite_mpi", all == 1);
    return all == 1;
  }

 private:
  template <class Access>
  double window(int bytes, Access access) {
    MPI_Win_sync(win_);
    MPI_Barrier(MPI_COMM_WORLD);
    const int n = nwrite::accesses(bytes);
    const double start = MPI_Wtime();
    for (int i = 0; i < n && rank < 2; ++i) access();
    if (rank == 0) MPI_Win_flush(1, win_);
    MPI_Barrier(MPI_COMM_WORLD);
    const double us = (MPI_Wtime() - start) / n * 1e6;
    MPI_Win_sync(win_);
    return us;
  }

  void send_one(int bytes) {
    if (rank == 0) send(data_.data(), bytes, 1);
    if (rank == 1) receive(target_, bytes, 0);
  }
  void put_one(int bytes) {
    if (rank == 0) MPI_Put(data_.data(), bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win_);
  }
  void ask_one(int bytes) {
    question q{0, 0, bytes};
    if (rank == 0) {
      send(&q, sizeof q, 1);
      receive(data_.data(), bytes, 1);
    } else {
      receive(&q, sizeof q, 0);
      send(target_ + q.offset, static_cast<int>(q.bytes), 0);
    }
  }
  void get_one(int bytes) {
    if (rank != 0) return;
    MPI_Get(data_.data(), bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, win_);
    MPI_Win_flush(1, win_);
  }

  void fill(int bytes, char with) {
    if (rank == 0) std::fill_n(data_.begin(), bytes, with);
  }
  void check(const char* memory, int on, int bytes, char of) {
    if (rank == on) right_ = right_ && std::all_of(memory, memory + bytes, [of](char c) { return c == of; });
  }

  std::vector<char> data_;
  char* target_ = nullptr;
  MPI_Win win_ = MPI_WIN_NULL;
  bool right_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bool right = false;
  if (ranks < 2)
    std::fprintf(stderr, "nwrite_mpi needs 2 ranks\n");
  else
    right = job().measure(nwrite::sizes_of(argc, argv));
  MPI_Finalize();
  return right ? 0 : 1;
}
