#include "apps/kv/job_requests.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "apps/kv/transaction.hpp"
#include "tsubu/base/unix_time.hpp"

namespace kv {

using namespace tsubu;

namespace {

struct part {
  std::set<const conversation*> open;
  std::int64_t opened = 0;
  std::int64_t transactions = 0;
  std::int64_t begun = 0;
  int port = 0;
  std::size_t most_value_bytes = 0;
  std::size_t most_reply_bytes = 0;
};
pe_local<part> here;

constexpr pe_id sequencer = 0;

using part_replies = std::vector<std::string>;

part_replies execute_part_here(std::string requests, protocol as, std::size_t most_bytes) {
  return execute_part(requests, keys_here(), unix_ms(), as, most_bytes);
}

// On the sequencer. All parts are sent before anything is awaited, and so before those of the next transaction.
task<std::vector<part_replies>> execute_in_order(std::vector<std::string> parts, protocol as, std::size_t most_bytes) {
  std::vector<future<part_replies>> asked(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].empty()) asked[i] = at(i).future<execute_part_here>(std::move(parts[i]), as, most_bytes);
  }
  std::vector<part_replies> replies(asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i].valid()) replies[i] = co_await std::move(asked[i]);
  }
  co_return replies;
}

task<std::vector<part_replies>> execute_parts(std::vector<std::string> parts, protocol as) {
  std::size_t asked = 0, last = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    ++asked;
    last = i;
  }
  const std::size_t most_bytes = here->most_reply_bytes / std::max<std::size_t>(asked, 1);
  std::vector<part_replies> replies(parts.size());
  if (asked > 1) {
    future<std::vector<part_replies>> all = at(sequencer).future<execute_in_order>(std::move(parts), as, most_bytes);
    replies = co_await std::move(all);
  } else if (asked == 1) {
    future<part_replies> one = at(last).future<execute_part_here>(std::move(parts[last]), as, most_bytes);
    replies[last] = co_await std::move(one);
  }
  co_return replies;
}

std::size_t index_of_owner(std::string_view key) { return pe_index(owner_of(key)); }

// How many values there may be in the replies to it.
std::size_t values_in_replies(words request) {
  const command what = facts_of(request[0]).which;
  if (what == command::mget) return request.size() - 1;
  const bool old_value = what == command::set && request.size() > 3;
  const bool one = what == command::get || what == command::getdel || what == command::echo || what == command::ping ||
                   what == command::command_list;
  return one || old_value ? 1 : 0;
}

// The most that the replies to them may take: short ones take no more than a few times their requests.
std::size_t longest_reply(const std::string& requests) {
  std::size_t values = 0;
  for_each_request(requests, [&](words request) { values += values_in_replies(request); });
  return std::min(values * here->most_value_bytes, here->most_reply_bytes) + 4 * requests.size() + replies::short_reply;
}

task<void> execute_transaction(std::string requests, bool as_array, conversation& by, replies& to,
                               const outside::connection& with) {
  const protocol as = by.as();
  ++here->transactions;
  std::vector<std::string> parts = parts_of(requests, all_pes().size(), index_of_owner);
  // First what may take long: it depends on clients, and what is on the way does not.
  const std::size_t longest = longest_reply(requests);
  co_await to.wait_to_keep(longest, with);
  co_await to.wait_to_ask(requests.size() + longest);
  task<std::vector<part_replies>> executed = execute_parts(std::move(parts), as);
  std::vector<part_replies> answers = co_await std::move(executed);
  to.known() += joined(requests, answers, index_of_owner, as, here->most_reply_bytes, as_array);
}

server_facts facts_here() {
  const store& keys = keys_here();
  return {.keys = static_cast<std::int64_t>(keys.size()),
          .expiring = static_cast<std::int64_t>(keys.expiring()),
          .store_bytes = static_cast<std::int64_t>(keys.bytes()),
          .most_store_bytes = static_cast<std::int64_t>(keys.most_bytes()),
          .clients = static_cast<std::int64_t>(here->open.size()),
          .transactions = here->transactions};
}

task<void> tell_info(words request, conversation& by, replies& to) {
  std::vector<future<server_facts>> asked;
  for (pe_id pe = 0; pe < pe_count(); ++pe) asked.push_back(at(pe).future<facts_here>());
  server_facts all;
  for (future<server_facts>& one : asked) {
    const server_facts of_one = co_await std::move(one);
    all += of_one;
  }
  const process_facts process{
      .pes = pe_count(), .port = here->port, .seconds_up = (now_ns() - here->begun) / 1'000'000'000};
  add_text(to.known(), info(request, all, process), by.as());
}

std::string list_here() {
  std::string lines;
  for (const conversation* one : here->open) lines += one->description(unix_ms());
  return lines;
}

task<void> list_clients(conversation& by, replies& to) {
  std::vector<future<std::string>> asked;
  for (pe_id pe = 0; pe < pe_count(); ++pe) asked.push_back(at(pe).future<list_here>());
  std::string all;
  for (future<std::string>& one : asked) {
    const std::string of_one = co_await std::move(one);
    all += of_one;
  }
  add_text(to.known(), all, by.as());
}

}  // namespace

listed_conversation::listed_conversation(std::string peer, const request_limits& most)
    : conversation(here->opened++ * pe_count() + this_pe() + 1, std::move(peer), most, unix_ms()) {
  here->open.insert(this);
}

listed_conversation::~listed_conversation() { here->open.erase(this); }

void open_job_requests(int port, const request_limits& most, std::size_t client_bytes) {
  here->port = port;
  here->begun = now_ns();
  here->most_value_bytes = most.word_bytes;
  here->most_reply_bytes = std::min(most.request_bytes, client_bytes / 8 / all_pes().size());
}

task<void> ask_job(conversation& by, command what, words request, replies& to, const outside::connection& with) {
  // Whatever was asked for before is done then, and this is done before what comes behind it.
  co_await to.write(with);
  if (what == command::info) co_await tell_info(request, by, to);
  if (what == command::client) co_await list_clients(by, to);
  if (what == command::mset) co_await execute_transaction(as_request(request), false, by, to, with);
  if (what == command::exec) {
    std::string requests;
    if (by.take_transaction(requests, to.known()))
      co_await execute_transaction(std::move(requests), true, by, to, with);
  }
}

}  // namespace kv
