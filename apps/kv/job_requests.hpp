// What a client asks of the whole job: transactions, INFO, CLIENT LIST.
//
// Transactions are isolated from each other and from all requests of one key, on however many PEs their keys are. What
// a PE has to do for one it does at once. One of several PEs goes through PE 0, which sends every PE its part: messages
// between two PEs keep their order, so all PEs execute such transactions in the order of PE 0. A request of one key,
// and a transaction of one PE, happens on that PE between two of them, and so has a place in that order, too. MSET is a
// transaction of its own.
#pragma once

#include <string>

#include "apps/kv/conversation.hpp"
#include "apps/kv/replies.hpp"
#include "apps/kv/routing.hpp"
#include "apps/kv/server_facts.hpp"
#include "tsubu/outside/connection.hpp"
#include "tsubu/tsubu.hpp"

namespace kv {

// A conversation that CLIENT LIST finds on its PE.
class listed_conversation : public conversation {
 public:
  listed_conversation(std::string peer, const request_limits& most);
  listed_conversation(const listed_conversation&) = delete;
  listed_conversation& operator=(const listed_conversation&) = delete;
  ~listed_conversation();
};

// Once on each PE, before any request. client_bytes is what all clients may hold together: the replies to one
// transaction have a part of it, and no more than a request.
void open_job_requests(int port, const request_limits& most, std::size_t client_bytes);

// EXEC, MSET, INFO and CLIENT LIST. Writes the replies to what was asked before, and waits for its own.
tsubu::task<void> ask_job(conversation& by, command what, words request, replies& to,
                          const tsubu::outside::connection& with);

}  // namespace kv
