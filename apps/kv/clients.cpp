#include "apps/kv/clients.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <memory>
#include <utility>

namespace kv {

using namespace tsubu;
using namespace std::chrono_literals;

namespace {

// Who has more than its part for longer than this may be cut, where others wait.
constexpr std::int64_t patience_ns = 1'000'000'000;
// Enough to keep the PEs busy; more would only make short messages wait behind long ones.
constexpr std::size_t most_on_the_way = std::size_t{8} << 20;

struct clients_of_pe {
  std::unique_ptr<client_account> account;
  std::unique_ptr<message_budget> short_on_the_way;
  std::unique_ptr<message_budget> long_on_the_way;
  std::uint64_t told = 0;  // of how many that were cut
  bool looks = false;
};
pe_local<clients_of_pe> here;

// The first, and then whenever there are twice as many: strangers must not fill the log.
void tell_of_cut() {
  const std::uint64_t cut = here->account->cut();
  if (cut < std::max<std::uint64_t>(2 * here->told, 1)) return;
  here->told = cut;
  std::fprintf(stderr, "kv: PE %d has cut %llu connections so far, which held more than --client-bytes has room for\n",
               this_pe(), static_cast<unsigned long long>(cut));
}

task<void> look_while_anybody_waits() {
  here->looks = true;
  while (here->account->anybody_waits()) {
    here->account->look(now_ns());
    tell_of_cut();
    co_await sleep_for(20ms);
  }
  here->looks = false;
}

}  // namespace

void open_clients(std::size_t client_bytes, std::size_t connections) {
  const std::size_t on_the_way = std::min(most_on_the_way, client_bytes / 16);
  here->short_on_the_way = std::make_unique<message_budget>(on_the_way);
  here->long_on_the_way = std::make_unique<message_budget>(on_the_way);
  here->account = std::make_unique<client_account>(client_bytes - 2 * on_the_way, connections, patience_ns);
}

void end_waits_for_room() {
  if (here->account != nullptr) here->account->cut_all_that_wait();
}

message_budget& short_messages() { return *here->short_on_the_way; }
message_budget& long_messages() { return *here->long_on_the_way; }

client::client(outside::connection& with) : share(*here->account), with_(with) { hold(); }

bool client::hold() {
  const std::size_t bytes = all();
  if (bytes <= here->account->own_part() && this->bytes() <= here->account->own_part()) {
    here->account->hold(*this, bytes, 0);  // which is of no time
    return true;
  }
  const bool fits = here->account->has_room(*this, bytes);
  here->account->hold(*this, bytes, now_ns());
  return fits;
}

bool client::take(std::size_t more) {
  if (!here->account->has_room(*this, all() + more)) return false;
  here->account->hold(*this, all() + more, now_ns());
  return true;
}

task<bool> client::wait_to_take(std::size_t more) {
  if (is_cut() || all() + more > here->account->most_of_one()) co_return false;
  waits_.emplace();
  future<bool> later = waits_->get_future();
  here->account->wait(*this, all() + more);
  if (!here->looks) spawn(look_while_anybody_waits());
  const bool taken = co_await later;
  co_return taken;
}

void client::go_on() {
  waits_->set_value(true);
  waits_.reset();
}

void client::end() {
  with_.close();
  if (!waits_) return;
  waits_->set_value(false);
  waits_.reset();
}

}  // namespace kv
