// What is between a client's MULTI and its EXEC: the requests that wait, what each PE has to do for them, and the reply
// that is made of what the PEs answer. Knows nothing of PEs but their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/kv/command_table.hpp"
#include "apps/kv/resp.hpp"
#include "apps/kv/store.hpp"

namespace kv {

// Requests that wait for EXEC, within the limits of one request.
class transaction {
 public:
  explicit transaction(const request_limits& most) : most_(most) {}

  void begin() { open_ = true; }
  bool is_open() const { return open_; }

  // False: there are too many, and the transaction is spoiled.
  bool add(words request);
  // A request that cannot be executed was among them: none will be.
  void spoil() { spoiled_ = true; }
  bool is_spoiled() const { return spoiled_; }

  std::size_t size() const { return size_; }
  // What it holds in memory.
  std::size_t bytes() const { return requests_.capacity(); }

  // The requests, one behind the other, and it is closed and empty.
  std::string take();
  void discard() { take(); }

 private:
  request_limits most_;
  bool open_ = false;
  bool spoiled_ = false;
  std::size_t size_ = 0;
  std::size_t cost_ = 0;  // what its parts will take, about
  std::string requests_;
};

// Calls do_it(words) for each of the requests in a text that this job has made.
void for_each_request(std::string_view requests, const std::function<void(words)>& do_it);

using owner_function = std::function<std::size_t(std::string_view key)>;

// What each PE has to execute, by its number; nothing for those that are not asked.
std::vector<std::string> parts_of(std::string_view requests, std::size_t pes, const owner_function& owner);

// On a PE: its part, all of it before anything else. A reply to each request of the part. A long one is an error
// instead when those before it have `most_bytes`.
std::vector<std::string> execute_part(std::string_view part, store& on, std::int64_t now, protocol as,
                                      std::size_t most_bytes);

// The reply to each request, of those of the PEs to their parts, which are used up. `as_array`: as EXEC replies.
std::string joined(std::string_view requests, std::vector<std::vector<std::string>>& answers,
                   const owner_function& owner, protocol as, std::size_t most_bytes, bool as_array);

}  // namespace kv
