// A distributed key-value store: a key lives on the PE that its hash names. Clients, dealt to the PEs in turn, put,
// get, remove and increment at random; each knows what its own keys must hold, since what one PE sends to another is
// executed in that order. A client that is done adds the number of its operations to a key that all share.
#include <tsubu/tsubu.hpp>

#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "examples/gallery/problem/splitmix64.hpp"

using namespace tsubu;

std::uint64_t hash(const std::string& key) {
  std::uint64_t h = 0;
  for (const char c : key) h = splitmix64(h ^ static_cast<unsigned char>(c));
  return h;
}

namespace kv {
pe_local<std::unordered_map<std::string, long>> pairs;  // that live here

void put_here(std::string key, long value) { (*pairs)[key] = value; }
std::optional<long> get_here(std::string key) {
  const auto found = pairs->find(key);
  return found == pairs->end() ? std::nullopt : std::optional(found->second);
}
bool remove_here(std::string key) { return pairs->erase(key) == 1; }
long increment_here(std::string key, long by) { return (*pairs)[key] += by; }

auto put(const std::string& key, long value) { return at(home_of(key)).past<put_here>(key, value); }
auto get(const std::string& key) { return at(home_of(key)).now<get_here>(key); }
auto remove(const std::string& key) { return at(home_of(key)).now<remove_here>(key); }
auto increment(const std::string& key, long by) { return at(home_of(key)).now<increment_here>(key, by); }
}  // namespace kv

constexpr int clients = 64, keys_each = 50;
using pairs_of = std::map<std::string, long>;

std::uint64_t checksum(const auto& pairs) {
  std::uint64_t sum = 0;
  for (const auto& [key, value] : pairs) sum += splitmix64(hash(key) ^ static_cast<std::uint64_t>(value));
  return sum;
}

// Leaves in `own` what the client's keys hold at the end, and returns how often the store has said otherwise.
task<int> client(int name, int operations, pairs_of& own) {
  int wrong = 0;
  for (int i = 0; i < operations; ++i) {
    const std::uint64_t random = splitmix64(static_cast<std::uint64_t>(name) << 32 | static_cast<std::uint64_t>(i));
    const std::string key = std::to_string(name) + "/" + std::to_string(random % keys_each);
    const auto value = static_cast<long>(random >> 40);
    switch (random >> 32 & 3) {
      case 0:
        co_await kv::put(key, value);
        own[key] = value;
        break;
      case 1:
        wrong += co_await kv::remove(key) != (own.erase(key) == 1);
        break;
      case 2:
        wrong += co_await kv::increment(key, value) != (own[key] += value);
        break;
      default:
        const auto known = own.find(key);
        wrong += co_await kv::get(key) != (known == own.end() ? std::nullopt : std::optional(known->second));
    }
  }
  co_await kv::increment("operations", operations);  // a key of all clients
  co_return wrong;
}

task<int> program(arguments args) {
  const int operations = args.number(1, 2'000);
  pairs_of own;
  std::vector<task<int>> mine;
  for (int c = this_pe(); c < clients; c += pe_count()) mine.push_back(client(c, operations, own));
  int wrong = 0;
  for (const int of_one : co_await when_all(std::move(mine))) wrong += of_one;
  co_await quiescence();  // all puts of all PEs are in

  if (this_pe() == 0) own["operations"] = long{clients} * operations;
  const std::size_t keys = co_await all_reduce(kv::pairs->size(), reduce::plus);
  const std::uint64_t sum = co_await all_reduce(checksum(*kv::pairs), reduce::plus);
  const std::size_t keys_known = co_await all_reduce(own.size(), reduce::plus);
  const std::uint64_t sum_known = co_await all_reduce(checksum(own), reduce::plus);
  wrong = co_await all_reduce(wrong, reduce::plus);

  const bool right = wrong == 0 && keys == keys_known && sum == sum_known;
  if (this_pe() == 0) {
    std::printf("%zu keys, checksum %016jx\n", keys, std::uintmax_t{sum});
    if (!right) std::printf("wrong: %d answers were, and %zu keys should be there\n", wrong, keys_known);
  }
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
