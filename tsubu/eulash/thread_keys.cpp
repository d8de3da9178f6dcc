#include "tsubu/eulash/thread_keys.hpp"

#include <cerrno>
#include <unordered_map>
#include <vector>

#include "tsubu/eulash/access.hpp"
#include "tsubu/eulash/threads.h"
#include "tsubu/remote/messages/at.hpp"

namespace tsubu::placed {
namespace {

using destructor = void (*)(void*);

// Process 0 has all keys; the others remember what they have asked for.
struct keys {
  std::uint32_t last = 0;
  std::unordered_map<std::uint32_t, std::uint64_t> destructors;  // 0: it has none
};
const pe_local<keys> keys_here;

std::uint32_t make_key(std::uint64_t destructor_at) {
  const std::uint32_t made = ++keys_here->last;
  keys_here->destructors[made] = destructor_at;
  return made;
}
bool remove_key(std::uint32_t key) { return keys_here->destructors.erase(key) != 0; }

constexpr std::uint64_t no_such_key = ~std::uint64_t{0};
std::uint64_t destructor_of(std::uint32_t key) {
  const auto at = keys_here->destructors.find(key);
  return at == keys_here->destructors.end() ? no_such_key : at->second;
}

// Asked at its first use by a thread of this process.
std::uint64_t known_destructor(std::uint32_t key) {
  const std::uint64_t here = destructor_of(key);
  if (here != no_such_key || views->me == 0) return here;
  const std::uint64_t told = wait_here(at(0).now<&destructor_of>(key));
  if (told != no_such_key) keys_here->destructors[key] = told;
  return told;
}

}  // namespace

void destroy_own_values(thread& self) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && !self.own_values.empty(); ++round) {
    const auto values = std::exchange(self.own_values, {});
    for (const auto& [key, value] : values) {
      const std::uint64_t at = value == nullptr ? 0 : known_destructor(key);
      if (at != 0 && at != no_such_key) reinterpret_cast<destructor>(at)(value);
    }
  }
}

}  // namespace tsubu::placed

using namespace tsubu;

extern "C" {

int eulash_pthread_key_create(pthread_key_t* key, void (*f)(void*)) {
  const pthread_key_t made = placed::wait_here(at(0).now<&placed::make_key>(reinterpret_cast<std::uintptr_t>(f)));
  eulash_store(key, &made, sizeof made);
  return 0;
}

int eulash_pthread_key_delete(pthread_key_t key) {
  if (placed::views->me != 0) placed::keys_here->destructors.erase(key);
  return placed::wait_here(at(0).now<&placed::remove_key>(std::uint32_t{key})) ? 0 : EINVAL;
}

void* eulash_pthread_getspecific(pthread_key_t key) {
  const auto at = placed::running->own_values.find(key);
  return at == placed::running->own_values.end() ? nullptr : at->second;
}

int eulash_pthread_setspecific(pthread_key_t key, const void* value) {
  if (placed::known_destructor(key) == placed::no_such_key) return EINVAL;
  placed::running->own_values[key] = const_cast<void*>(value);
  return 0;
}

}  // extern "C"
