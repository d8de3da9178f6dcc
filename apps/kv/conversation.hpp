// What one client has said of itself and what is open between it and the server: its version of the protocol, its name,
// its transaction. Answers what concerns nobody else. Knows nothing of PEs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "apps/kv/command_table.hpp"
#include "apps/kv/resp.hpp"
#include "apps/kv/transaction.hpp"

namespace kv {

class conversation {
 public:
  // id: of no other connection of the job. begun: milliseconds since 1970.
  conversation(std::int64_t id, std::string peer, const request_limits& most, std::int64_t begun)
      : id_(id), peer_(std::move(peer)), begun_(begun), transaction_(most) {}

  // Replies to the request if nobody else has to be asked. False: whoever `facts` says has to be.
  bool answers(const command_facts& facts, words request, std::string& reply) {
    const bool fits = request.size() >= facts.least_words && request.size() <= facts.most_words;
    if (facts.whom == asks::owner && fits && !transaction_.is_open()) return false;
    return answers_rarely(facts, request, reply);
  }

  // QUIT was said.
  bool is_over() const { return over_; }

  protocol as() const { return as_; }

  // EXEC: its requests. False: there are none to execute, and the reply says why.
  bool take_transaction(std::string& requests, std::string& reply);
  // MULTI was said, and neither EXEC nor DISCARD.
  bool in_transaction() const { return transaction_.is_open(); }

  // What it holds in memory beside itself.
  std::size_t bytes() const { return transaction_.bytes(); }

  // The line of CLIENT INFO and CLIENT LIST.
  std::string description(std::int64_t now) const;

 private:
  bool answers_rarely(const command_facts& facts, words request, std::string& reply);
  void queue(const command_facts& facts, words request, std::string& reply);
  void answer_hello(words request, std::string& reply);
  // False: all PEs have to be asked.
  bool answer_client(words request, std::string& reply);
  void set_info(words request, std::string& reply);
  bool set_name(std::string_view name, std::string_view what, std::string& of, std::string& reply) const;
  void reset();

  const std::int64_t id_;
  const std::string peer_;
  const std::int64_t begun_;
  protocol as_ = protocol::resp2;
  bool over_ = false;
  std::string name_;
  std::string library_;
  std::string library_version_;
  transaction transaction_;
};

}  // namespace kv
