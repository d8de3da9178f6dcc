#include "apps/kv/routing.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "apps/kv/resp.hpp"
#include "apps/kv/store.hpp"

namespace kv {

using namespace tsubu;

namespace {

struct keys_of_pe {
  std::uint64_t seed = 0;
  std::unique_ptr<store> keys;
};
pe_local<keys_of_pe> keys_here;

pe_id owner_of(std::string_view key) {
  if (pe_count() == 1) return 0;
  const std::uint64_t hash = hash_of(key, keys_here->seed);
  return static_cast<pe_id>(((hash >> 32) * static_cast<std::uint64_t>(pe_count())) >> 32);
}

// On the owner of the key.
std::string execute_here(std::string request) {
  request_reader reader(request_limits::none());  // its PE has kept the limits
  require(reader.read(request) == request_reader::found::request && reader.words().size() >= 2,
          "a request of another PE is none: {}", request.substr(0, 64));
  std::string reply;
  execute(facts_of(reader.words()[0]).which, reader.words(), *keys_here->keys, now_ns(), reply);
  return reply;
}
std::int64_t remove_here(std::string key) { return keys_here->keys->remove(key, now_ns()) ? 1 : 0; }
std::int64_t exists_here(std::string key) { return keys_here->keys->find(key, now_ns()) != nullptr ? 1 : 0; }
std::int64_t count_here() { return static_cast<std::int64_t>(keys_here->keys->size()); }
std::int64_t clear_here() {
  keys_here->keys->clear();
  return 0;
}

}  // namespace

void ask_owner(command what, words request, replies& to) {
  const pe_id owner = owner_of(request[1]);
  if (owner == this_pe()) {
    execute(what, request, *keys_here->keys, now_ns(), to.known());
  } else {
    to.later(at(owner).future<execute_here>(as_request(request)));
  }
}

namespace {

// DEL and EXISTS.
void count_keys(command what, words request, replies& to) {
  std::int64_t count = 0;
  std::vector<future<std::int64_t>> others;
  for (const std::string_view key : request.subspan(1)) {
    const pe_id owner = owner_of(key);
    const bool remove = what == command::del;
    if (owner == this_pe()) {
      const std::string text(key);
      count += remove ? remove_here(text) : exists_here(text);
    } else if (remove) {
      others.push_back(at(owner).future<remove_here>(std::string(key)));
    } else {
      others.push_back(at(owner).future<exists_here>(std::string(key)));
    }
  }
  to.sum(std::move(others), count);
}

void ask_all(command what, replies& to) {
  const bool count = what == command::dbsize;
  // Here at once, as requests for one key are: before those that come behind.
  const std::int64_t known = count ? count_here() : clear_here();
  std::vector<future<std::int64_t>> others;
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    if (pe != this_pe()) others.push_back(count ? at(pe).future<count_here>() : at(pe).future<clear_here>());
  }
  to.sum(std::move(others), known, count ? "" : "+OK\r\n");
}

task<void> get_all(words request, replies& to, const outside::connection& with) {
  add_array(to.known(), request.size() - 1);
  for (const std::string_view& key : request.subspan(1)) {
    const std::string_view get[] = {"GET", key};
    ask_owner(command::get, get, to);
    if (to.is_much()) co_await to.write(with);
  }
}

}  // namespace

void open_keys(std::uint64_t seed, std::size_t most_bytes) {
  keys_here->seed = seed;
  keys_here->keys = std::make_unique<store>(seed, most_bytes);
}

task<void> ask_several(command what, words request, replies& to, const outside::connection& with) {
  if (what == command::mget) co_await get_all(request, to, with);
  if (what == command::del || what == command::exists) count_keys(what, request, to);
  if (what == command::dbsize || what == command::flushall) ask_all(what, to);
}

}  // namespace kv
