#include "apps/kv/transaction.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "apps/kv/commands.hpp"
#include "apps/kv/numbers.hpp"
#include "tsubu/base/check.hpp"

namespace kv {

namespace {

// What a word may become: a request of its own in a part, a reply, and a place for each.
constexpr std::size_t word_cost = 160;
// A reply up to this length is kept, however many there are: it may be all that tells what was done.
constexpr std::size_t short_reply = 64;
constexpr std::string_view too_long = "ERR the replies of this transaction are too long";

void keep_or_refuse(std::string& reply, std::size_t before, std::size_t most_bytes) {
  if (reply.size() <= short_reply || before + reply.size() <= most_bytes) return;
  reply.clear();
  add_error(reply, too_long);
}

// What a command of several keys asks for one of them.
std::string request_of_key(const command_facts& facts, words request, std::size_t at) {
  if (facts.which == command::mget) {
    const std::array<std::string_view, 2> get{"GET", request[at]};
    return as_request(get);
  }
  if (facts.which == command::mset) {
    const std::array<std::string_view, 3> set{"SET", request[at], request[at + 1]};
    return as_request(set);
  }
  const std::array<std::string_view, 2> one{facts.name, request[at]};
  return as_request(one);
}

std::size_t step_of(const command_facts& facts) { return static_cast<std::size_t>(facts.key_step); }

// The replies of one PE, in turn.
struct answers_of_pe {
  std::vector<std::string>& texts;
  std::size_t next = 0;

  std::string take() {
    tsubu::require(next < texts.size(), "a PE has not answered its part of a transaction: {} replies", texts.size());
    return std::move(texts[next++]);
  }
};

class joiner {
 public:
  joiner(std::vector<std::vector<std::string>>& answers, const owner_function& owner, protocol as)
      : owner_(owner), as_(as) {
    for (std::vector<std::string>& one : answers) of_pe_.push_back({one});
  }

  std::string reply(words request) {
    const command_facts& facts = facts_of(request[0]);
    if (facts.whom == asks::owner) return of(request[1]);
    if (facts.whom == asks::itself) {
      std::string text;
      answer(facts.which, request, as_, text);
      return text;
    }
    if (facts.which == command::mget) {
      std::string text;
      add_array(text, request.size() - 1);
      for (const std::string_view key : request.subspan(1)) text += of(key);
      return text;
    }
    return facts.first_key == 0 ? of_all() : of_keys(facts, request);
  }

 private:
  std::string of(std::string_view key) { return of_pe_[owner_(key)].take(); }

  // Numbers are added up; of others the first that is an error counts, or the last.
  static void join(std::string& whole, const std::string& part) {
    if (whole.empty() || (part[0] != ':' && whole[0] != '-')) {
      whole = part;
    } else if (part[0] == ':') {
      const auto number = [](std::string_view text) { return integer_in(text.substr(1, text.size() - 3)).value_or(0); };
      const std::int64_t sum = number(whole) + number(part);
      whole.clear();
      add_number(whole, sum);
    }
  }

  std::string of_all() {
    std::string whole;
    for (answers_of_pe& one : of_pe_) join(whole, one.take());
    return whole;
  }

  std::string of_keys(const command_facts& facts, words request) {
    std::string whole;
    for (std::size_t i = 1; i < request.size(); i += step_of(facts)) join(whole, of(request[i]));
    return whole;
  }

  std::vector<answers_of_pe> of_pe_;
  const owner_function& owner_;
  const protocol as_;
};

}  // namespace

bool transaction::add(words request) {
  std::size_t cost = 0;
  for (const std::string_view word : request) cost += word.size() + word_cost;
  if (size_ == most_.words || cost > most_.request_bytes - cost_) {
    spoil();
    return false;
  }
  cost_ += cost;
  ++size_;
  requests_ += as_request(request);
  return true;
}

std::string transaction::take() {
  std::string requests = std::exchange(requests_, std::string());
  *this = transaction(most_);
  return requests;
}

void for_each_request(std::string_view requests, const std::function<void(words)>& do_it) {
  request_reader reader(request_limits::none());  // its PE has kept the limits
  while (!requests.empty()) {
    tsubu::require(reader.read(requests) == request_reader::found::request && !reader.words().empty(),
                   "a request of another PE is none: {}", requests.substr(0, 64));
    do_it(reader.words());
    requests.remove_prefix(reader.size());
  }
}

std::vector<std::string> parts_of(std::string_view requests, std::size_t pes, const owner_function& owner) {
  std::vector<std::string> parts(pes);
  for_each_request(requests, [&](words request) {
    const command_facts& facts = facts_of(request[0]);
    if (facts.whom == asks::itself) return;
    if (facts.whom == asks::owner) {
      parts[owner(request[1])] += as_request(request);
    } else if (facts.first_key == 0) {
      for (std::string& part : parts) part += as_request(request);
    } else {
      for (std::size_t i = 1; i < request.size(); i += step_of(facts))
        parts[owner(request[i])] += request_of_key(facts, request, i);
    }
  });
  return parts;
}

std::vector<std::string> execute_part(std::string_view part, store& on, std::int64_t now, protocol as,
                                      std::size_t most_bytes) {
  std::vector<std::string> replies;
  std::size_t bytes = 0;
  for_each_request(part, [&](words request) {
    std::string& reply = replies.emplace_back();
    const command what = facts_of(request[0]).which;
    const std::string* const value = what == command::get ? on.find(request[1], now) : nullptr;
    // Not worth a copy.
    if (value != nullptr && value->size() > short_reply && bytes + value->size() > most_bytes)
      return add_error(reply, too_long);
    execute(what, request, on, now, as, reply);
    keep_or_refuse(reply, bytes, most_bytes);
    bytes += reply.size();
  });
  return replies;
}

std::string joined(std::string_view requests, std::vector<std::vector<std::string>>& answers,
                   const owner_function& owner, protocol as, std::size_t most_bytes, bool as_array) {
  joiner join(answers, owner, as);
  std::string replies;
  std::size_t count = 0;
  for_each_request(requests, [&](words request) {
    std::string reply = join.reply(request);
    // The PEs have kept to the limit; what is answered here has to as well.
    if (facts_of(request[0]).whom == asks::itself) keep_or_refuse(reply, replies.size(), most_bytes);
    replies += reply;
    ++count;
  });
  if (!as_array) return replies;
  std::string whole;
  add_array(whole, count);
  return whole += replies;
}

}  // namespace kv
