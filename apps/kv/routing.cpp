#include "apps/kv/routing.hpp"

#include <memory>
#include <utility>

#include "apps/kv/kept_replies.hpp"
#include "apps/kv/resp.hpp"
#include "apps/kv/store.hpp"
#include "tsubu/base/unix_time.hpp"

namespace kv {

using namespace tsubu;

namespace {

struct keys_of_pe {
  std::uint64_t seed = 0;
  std::unique_ptr<store> keys;
};
pe_local<keys_of_pe> part;

}  // namespace

pe_id owner_of(std::string_view key) {
  if (pe_count() == 1) return 0;
  const std::uint64_t hash = hash_of(key, part->seed);
  return static_cast<pe_id>(((hash >> 32) * static_cast<std::uint64_t>(pe_count())) >> 32);
}

store& keys_here() { return *part->keys; }

namespace {

// On the owner of the key.
pe_reply execute_here(std::string request, protocol as) {
  request_reader reader(request_limits::none());  // its PE has kept the limits
  require(reader.read(request) == request_reader::found::request && reader.words().size() >= 2,
          "a request of another PE is none: {}", request.substr(0, 64));
  const command what = facts_of(reader.words()[0]).which;
  if (what == command::get) {
    if (auto value = keys_here().share(reader.words()[1], unix_ms())) return keep_value(std::move(value));
  }
  std::string reply;
  execute(what, reader.words(), keys_here(), unix_ms(), as, reply);
  return keep_if_long(std::move(reply), keys_here());
}
std::int64_t remove_here(std::string key) { return keys_here().remove(key, unix_ms()) ? 1 : 0; }
std::int64_t exists_here(std::string key) { return keys_here().find(key, unix_ms()) != nullptr ? 1 : 0; }
std::int64_t count_here() { return static_cast<std::int64_t>(keys_here().size()); }
std::int64_t clear_here() {
  keys_here().clear();
  return 0;
}

}  // namespace

namespace {

// What a message that asks for it takes, with its reply.
std::size_t bytes_of(command what, words request) {
  const bool old_value = what == command::getdel || (what == command::set && request.size() > 3);
  std::size_t bytes = what == command::get || old_value ? replies::value_reply : replies::short_reply;
  for (const std::string_view word : request) bytes += word.size() + 16;
  return bytes;
}

void ask(pe_id owner, words request, protocol as, replies& to) {
  to.later(owner, at(owner).future<execute_here>(as_request(request), as));
}

}  // namespace

bool ask_owner(command what, words request, protocol as, replies& to) {
  const pe_id owner = owner_of(request[1]);
  if (owner != this_pe()) {
    if (!to.may_ask(bytes_of(what, request))) return false;
    ask(owner, request, as, to);
    return true;
  }
  if (what == command::get) {
    if (auto value = keys_here().share(request[1], unix_ms())) {
      to.value(std::move(value));
      return true;
    }
  }
  execute(what, request, keys_here(), unix_ms(), as, to.known());
  return true;
}

task<void> ask_owner_later(command what, words request, protocol as, replies& to) {
  co_await to.wait_to_ask(bytes_of(what, request));
  ask(owner_of(request[1]), request, as, to);
}

namespace {

// DEL and EXISTS and their like.
task<void> count_keys(command what, words request, replies& to) {
  to.begin_sum();
  for (const std::string_view key : request.subspan(1)) {
    const pe_id owner = owner_of(key);
    const bool remove = what == command::del || what == command::unlink;
    if (owner == this_pe()) {
      const std::string text(key);
      to.add(remove ? remove_here(text) : exists_here(text));
      continue;
    }
    if (to.much_is_asked()) co_await to.collect();
    const std::size_t bytes = key.size() + replies::short_reply;
    if (!to.may_ask(bytes)) co_await to.wait_to_ask(bytes);
    to.add(remove ? at(owner).future<remove_here>(std::string(key)) : at(owner).future<exists_here>(std::string(key)));
  }
}

task<void> ask_all(command what, replies& to) {
  const bool count = what == command::dbsize;
  const std::size_t bytes = replies::short_reply * static_cast<std::size_t>(pe_count());
  if (!to.may_ask(bytes)) co_await to.wait_to_ask(bytes);
  to.begin_sum(count ? "" : "+OK\r\n");
  // Here at once, as requests for one key are: before those that come behind.
  to.add(count ? count_here() : clear_here());
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    if (pe != this_pe()) to.add(count ? at(pe).future<count_here>() : at(pe).future<clear_here>());
  }
}

task<void> get_all(words request, protocol as, replies& to, const outside::connection& with) {
  add_array(to.known(), request.size() - 1);
  for (const std::string_view& key : request.subspan(1)) {
    const std::string_view get[] = {"GET", key};
    if (!ask_owner(command::get, get, as, to)) co_await ask_owner_later(command::get, get, as, to);
    if (to.is_much()) co_await to.write(with);
  }
}

}  // namespace

void open_keys(std::uint64_t seed, std::size_t most_bytes) {
  part->seed = seed;
  part->keys = std::make_unique<store>(seed, most_bytes);
}

task<void> ask_several(command what, words request, protocol as, replies& to, const outside::connection& with) {
  if (what == command::mget) co_await get_all(request, as, to, with);
  const bool all = what == command::dbsize || what == command::flushall;
  if (all) co_await ask_all(what, to);
  if (!all && what != command::mget) co_await count_keys(what, request, to);
}

}  // namespace kv
