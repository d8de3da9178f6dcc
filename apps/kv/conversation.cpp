#include "apps/kv/conversation.hpp"

#include <algorithm>
#include <optional>

#include "apps/kv/commands.hpp"
#include "apps/kv/numbers.hpp"
#include "apps/kv/server_facts.hpp"
#include "tsubu/base/unix_time.hpp"

namespace kv {

namespace {

constexpr std::size_t most_name = 128;

constexpr std::string_view help[] = {
    "CLIENT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
    "GETNAME | ID | INFO | LIST | SETNAME <name>",
    "SETINFO (LIB-NAME | LIB-VER) <value>",
    "NO-EVICT (ON | OFF) | NO-TOUCH (ON | OFF) | REPLY ON | TRACKING OFF: nothing changes by these.",
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> all) {
  return std::any_of(all.begin(), all.end(), [&](std::string_view one) { return is_word(word, one); });
}

// What changes the conversation, or asks all PEs for more than keys, has no place among requests that wait.
bool can_wait(const command_facts& facts) {
  if (facts.whom == asks::owner || facts.whom == asks::owners || facts.which == command::mset) return true;
  return facts.which == command::ping || facts.which == command::echo || facts.which == command::select ||
         facts.which == command::command_list || facts.which == command::config || facts.which == command::unwatch;
}

}  // namespace

bool conversation::answers_rarely(const command_facts& facts, words request, std::string& reply) {
  if (const std::string trouble = trouble_with(facts, request); !trouble.empty()) {
    transaction_.spoil();
    return add_error(reply, trouble), true;
  }
  switch (facts.which) {
    case command::quit:
      over_ = true;
      return add_status(reply, "OK"), true;
    case command::reset:
      reset();
      return add_status(reply, "RESET"), true;
    case command::multi:
      if (transaction_.is_open()) return add_error(reply, "ERR MULTI calls can not be nested"), true;
      transaction_.discard();  // what was wrong before it does not count
      transaction_.begin();
      return add_status(reply, "OK"), true;
    case command::exec:
      return false;
    case command::discard:
      if (!transaction_.is_open()) return add_error(reply, "ERR DISCARD without MULTI"), true;
      transaction_.discard();
      return add_status(reply, "OK"), true;
    default:
      break;
  }
  if (transaction_.is_open()) return queue(facts, request, reply), true;
  if (facts.whom != asks::itself) return false;
  if (facts.which == command::client) return answer_client(request, reply);
  facts.which == command::hello ? answer_hello(request, reply) : answer(facts.which, request, as_, reply);
  return true;
}

void conversation::queue(const command_facts& facts, words request, std::string& reply) {
  if (!can_wait(facts)) {
    transaction_.spoil();
    add_error(reply, "ERR Command not allowed inside a transaction");
  } else if (!transaction_.add(request)) {
    add_error(reply, "ERR this transaction is larger than a request may be");
  } else {
    add_status(reply, "QUEUED");
  }
}

bool conversation::take_transaction(std::string& requests, std::string& reply) {
  if (!transaction_.is_open()) return add_error(reply, "ERR EXEC without MULTI"), false;
  const bool spoiled = transaction_.is_spoiled();
  requests = transaction_.take();
  if (spoiled) add_error(reply, "EXECABORT Transaction discarded because of previous errors.");
  return !spoiled;
}

void conversation::reset() {
  transaction_.discard();
  name_.clear();
  as_ = protocol::resp2;
}

bool conversation::set_name(std::string_view name, std::string_view what, std::string& of, std::string& reply) const {
  if (!std::all_of(name.begin(), name.end(), [](char c) { return '!' <= c && c <= '~'; })) {
    add_error(reply, "ERR " + std::string(what) + " cannot contain spaces, newlines or special characters.");
    return false;
  }
  if (name.size() > most_name) {
    add_error(reply, "ERR " + std::string(what) + " cannot have more than 128 characters.");
    return false;
  }
  of = name;
  return true;
}

// HELLO [version [AUTH user password] [SETNAME name]]
void conversation::answer_hello(words request, std::string& reply) {
  protocol asked = as_;
  if (request.size() > 1) {
    const std::optional<std::int64_t> version = integer_in(request[1]);
    if (!version) return add_error(reply, "ERR Protocol version is not an integer or out of range");
    if (*version != 2 && *version != 3) return add_error(reply, "NOPROTO unsupported protocol version");
    asked = *version == 3 ? protocol::resp3 : protocol::resp2;
  }
  std::optional<std::string> name;
  for (std::size_t i = 2; i < request.size();) {
    if (is_word(request[i], "AUTH") && i + 2 < request.size()) {
      std::string said;
      answer(command::auth, request.subspan(i, 3), asked, said);
      if (said[0] == '-') return void(reply += said);
      i += 3;
    } else if (is_word(request[i], "SETNAME") && i + 1 < request.size()) {
      if (!set_name(request[i + 1], "Client names", name.emplace(), reply)) return;
      i += 2;
    } else {
      return add_error(reply, "ERR Syntax error in HELLO option '" + std::string(request[i].substr(0, 128)) + "'");
    }
  }
  if (name) name_ = *name;
  as_ = asked;
  add_map(reply, 7, as_);
  add_bulk(reply, "server");
  add_bulk(reply, "redis");
  add_bulk(reply, "version");
  add_bulk(reply, spoken_version);
  add_bulk(reply, "proto");
  add_number(reply, static_cast<std::int64_t>(as_));
  add_bulk(reply, "id");
  add_number(reply, id_);
  add_bulk(reply, "mode");
  add_bulk(reply, "standalone");
  add_bulk(reply, "role");
  add_bulk(reply, "master");
  add_bulk(reply, "modules");
  add_array(reply, 0);
}

bool conversation::answer_client(words request, std::string& reply) {
  struct subcommand {
    std::string_view name;
    std::size_t words;
  };
  constexpr subcommand all[] = {{"SETNAME", 3},  {"GETNAME", 2}, {"ID", 2},       {"INFO", 2},     {"SETINFO", 4},
                                {"NO-EVICT", 3}, {"REPLY", 3},   {"NO-TOUCH", 3}, {"GETREDIR", 2}, {"HELP", 2}};
  const std::string_view word = request[1];
  for (const subcommand& one : all) {
    if (!is_word(word, one.name)) continue;
    const std::string trouble = trouble_with_subcommand("CLIENT", request, one.words, one.words);
    if (!trouble.empty()) return add_error(reply, trouble), true;
  }
  if (is_word(word, "LIST")) {
    if (request.size() == 2) return false;
    add_error(reply, "ERR only CLIENT LIST without options is known here");
  } else if (is_word(word, "SETNAME")) {
    if (set_name(request[2], "Client names", name_, reply)) add_status(reply, "OK");
  } else if (is_word(word, "GETNAME")) {
    name_.empty() ? add_null(reply, as_) : add_bulk(reply, name_);
  } else if (is_word(word, "ID")) {
    add_number(reply, id_);
  } else if (is_word(word, "INFO")) {
    add_text(reply, description(tsubu::unix_ms()), as_);
  } else if (is_word(word, "SETINFO")) {
    set_info(request, reply);
  } else if (is_one_of(word, {"NO-EVICT", "NO-TOUCH"})) {
    is_one_of(request[2], {"ON", "OFF"}) ? add_status(reply, "OK") : add_error(reply, "ERR syntax error");
  } else if (is_word(word, "REPLY") && is_word(request[2], "ON")) {
    add_status(reply, "OK");
  } else if (is_word(word, "TRACKING") && request.size() == 3 && is_word(request[2], "OFF")) {
    add_status(reply, "OK");
  } else if (is_word(word, "GETREDIR")) {
    add_number(reply, -1);
  } else if (is_word(word, "HELP")) {
    add_array(reply, std::size(help));
    for (const std::string_view line : help) add_status(reply, line);
  } else if (is_one_of(word, {"REPLY", "TRACKING"})) {
    add_error(reply, "ERR this CLIENT " + std::string(is_word(word, "REPLY") ? "REPLY" : "TRACKING") +
                         " is not supported: kv replies to all requests, and watches no keys");
  } else {
    add_error(reply, unknown_subcommand("CLIENT", word));
  }
  return true;
}

void conversation::set_info(words request, std::string& reply) {
  bool set = false;
  if (is_word(request[2], "LIB-NAME")) {
    set = set_name(request[3], "lib-name", library_, reply);
  } else if (is_word(request[2], "LIB-VER")) {
    set = set_name(request[3], "lib-ver", library_version_, reply);
  } else {
    add_error(reply, "ERR Unrecognized option '" + std::string(request[2].substr(0, 128)) + "'");
  }
  if (set) add_status(reply, "OK");
}

std::string conversation::description(std::int64_t now) const {
  std::string line = "id=" + std::to_string(id_) + " addr=" + peer_ + " name=" + name_;
  line += " age=" + std::to_string(std::max<std::int64_t>(now - begun_, 0) / 1000);
  line += transaction_.is_open() ? " flags=x" : " flags=N";
  line += " db=0 sub=0 psub=0 ssub=0 multi=" +
          (transaction_.is_open() ? std::to_string(transaction_.size()) : std::string("-1"));
  line += " user=default redir=-1 resp=" + std::to_string(static_cast<int>(as_));
  return line + " lib-name=" + library_ + " lib-ver=" + library_version_ + '\n';
}

}  // namespace kv
