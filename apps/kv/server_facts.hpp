// What INFO tells of the server. Knows nothing of PEs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "apps/kv/command_table.hpp"

namespace kv {

// The version of the protocol's own server whose behaviour kv is compared with; clients ask for it.
inline constexpr std::string_view spoken_version = "7.0.15";

// What one PE counts, or all of them together.
struct server_facts {
  std::int64_t keys = 0;
  std::int64_t expiring = 0;
  std::int64_t store_bytes = 0;
  std::int64_t most_store_bytes = 0;
  std::int64_t clients = 0;
  std::int64_t transactions = 0;

  server_facts& operator+=(const server_facts& other);
};

struct process_facts {
  int pes = 1;
  int port = 0;
  std::int64_t seconds_up = 0;
};

// INFO [section ...]
std::string info(words request, const server_facts& of_all, const process_facts& process);

}  // namespace kv
