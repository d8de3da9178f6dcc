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

part_replies execute_part_here(std::string requests, protocol as) {
  return execute_part(requests, keys_here(), unix_ms(), as, here->most_reply_bytes);
}

// On the sequencer. All parts are sent before anything is awaited, and so before those of the next transaction.
task<std::vector<part_replies>> execute_in_order(std::vector<std::string> parts, protocol as) {
  std::vector<future<part_replies>> asked(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].empty()) asked[i] = at(i).future<execute_part_here>(std::move(parts[i]), as);
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
  std::vector<part_replies> replies(parts.size());
  if (asked > 1) {
    future<std::vector<part_replies>> all = at(sequencer).future<execute_in_order>(std::move(parts), as);
    replies = co_await std::move(all);
  } else if (asked == 1) {
    future<part_replies> one = at(last).future<execute_part_here>(std::move(parts[last]), as);
    replies[last] = co_await std::move(one);
  }
  co_return replies;
}

std::size_t index_of_owner(std::string_view key) { return pe_index(owner_of(key)); }

// What it may have on the way: its parts, and the longest replies that there may be to them.
std::size_t bytes_on_the_way(const std::string& requests, const std::vector<std::string>& parts) {
  std::size_t asked = 0, may_be_long = 0;
  for (const std::string& part : parts) asked += part.empty() ? 0 : 1;
  for_each_request(requests, [&](words request) {
    const command_facts& facts = facts_of(request[0]);
    may_be_long += facts.whom == asks::itself || facts.which == command::mset ? 0 : request.size() - 1;
  });
  const std::size_t longest = std::min(may_be_long * here->most_value_bytes, asked * here->most_reply_bytes);
  return 4 * requests.size() + longest + replies::short_reply;
}

task<void> execute_transaction(std::string requests, bool as_array, conversation& by, replies& to) {
  const protocol as = by.as();
  ++here->transactions;
  std::vector<std::string> parts = parts_of(requests, all_pes().size(), index_of_owner);
  co_await to.wait_to_ask(bytes_on_the_way(requests, parts));
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

void open_job_requests(int port, const request_limits& most) {
  here->port = port;
  here->begun = now_ns();
  here->most_value_bytes = most.word_bytes;
  here->most_reply_bytes = most.request_bytes;
}

task<void> ask_job(conversation& by, command what, words request, replies& to, const outside::connection& with) {
  // Whatever was asked for before is done then, and this is done before what comes behind it.
  co_await to.write(with);
  if (what == command::info) co_await tell_info(request, by, to);
  if (what == command::client) co_await list_clients(by, to);
  if (what == command::mset) co_await execute_transaction(as_request(request), false, by, to);
  if (what == command::exec) {
    std::string requests;
    if (by.take_transaction(requests, to.known())) co_await execute_transaction(std::move(requests), true, by, to);
  }
}

}  // namespace kv
