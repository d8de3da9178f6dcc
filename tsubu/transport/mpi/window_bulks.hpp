// Bulks by streams through windows: the sender writes what there is room for, the receiver copies it to its place.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "tsubu/transport/mpi/bulk.hpp"
#include "tsubu/transport/mpi/window_streams.hpp"

namespace tsubu::transport::mpi {

class window_bulks final : public bulk_mover {
 public:
  explicit window_bulks(window_streams& by) : streams_(by), out_(by.ranks()), in_(by.ranks()) {}

  void receive(batch* head, int from, std::byte* where, std::size_t bytes) override;
  void poll(std::vector<batch*>& landed) override;

 private:
  struct leaving {
    bulk_source source;
    std::span<const std::byte> left;
  };
  struct landing {
    batch* head;
    std::span<std::byte> left;
  };

  void send(int to, bulk_source source) override;
  void write(std::size_t to);
  void read(std::size_t from, std::vector<batch*>& landed);

  window_streams& streams_;
  std::vector<std::deque<leaving>> out_;  // by rank, in the order of the clearances
  std::vector<std::deque<landing>> in_;   // likewise
};

}  // namespace tsubu::transport::mpi
