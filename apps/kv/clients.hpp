// What the clients of a PE share: the account of what they make it hold, and the budget of what it asks other PEs for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "apps/kv/client_account.hpp"
#include "apps/kv/message_budget.hpp"
#include "tsubu/outside/connection.hpp"
#include "tsubu/tsubu.hpp"

namespace kv {

// What a connection takes that holds nothing: its buffer of what has come, and what belongs to it here.
inline constexpr std::size_t idle_client_bytes = std::size_t{20} << 10;
// The least that is dealt out to each.
inline constexpr std::size_t least_client_bytes = std::size_t{64} << 10;

// Once on each PE, before any client: what they hold together there, and how many they are.
void open_clients(std::size_t client_bytes, std::size_t connections);

// No client waits for room any more: the server ends.
void end_waits_for_room();

// What this PE may have on the way, of short messages and of long ones: the short ones do not wait for the room of the
// long ones, which clients that behave badly may fill.
inline constexpr std::size_t longest_short_message = std::size_t{8} << 10;
message_budget& short_messages();
message_budget& long_messages();
inline message_budget& messages_of(std::size_t bytes) {
  return bytes <= longest_short_message ? short_messages() : long_messages();
}

// One connection's claim.
class client final : public client_account::share {
 public:
  explicit client(tsubu::outside::connection& with);

  // What it holds beside what an idle one does. Whoever changes them says so by hold().
  std::size_t request_bytes = 0;  // of requests that are not complete, or not executed
  std::size_t reply_bytes = 0;    // of replies that are not written

  // False: that is more than there is room for, and it should give up some before it takes more.
  bool hold();

  // Holds so many more from now on, if there is room.
  bool take(std::size_t more);
  // The same, as soon as there is room. False: there never will be, or its connection was cut.
  tsubu::task<bool> wait_to_take(std::size_t more);

  void go_on() override;
  void end() override;

 private:
  std::size_t all() const { return idle_client_bytes + request_bytes + reply_bytes; }

  tsubu::outside::connection& with_;
  std::optional<tsubu::promise<bool>> waits_;
};

}  // namespace kv
