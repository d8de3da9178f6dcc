#include "apps/kv/server.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <list>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/kv/clients.hpp"
#include "apps/kv/commands.hpp"
#include "apps/kv/job_requests.hpp"
#include "apps/kv/kept_replies.hpp"
#include "apps/kv/replies.hpp"
#include "apps/kv/routing.hpp"
#include "tsubu/base/unix_time.hpp"
#include "tsubu/outside/connection.hpp"
#include "tsubu/outside/listener.hpp"
#include "tsubu/outside/signals.hpp"

namespace kv {

namespace {

using namespace tsubu;
using namespace std::chrono_literals;

// What a PE has of the server.
struct part {
  server_options options;
  std::unique_ptr<outside::listener> door;
  std::unique_ptr<outside::signals> asked_to_end;
  std::list<outside::connection> connections;
  bool ending = false;
  std::int64_t told_of_http_ns = 0;
};
pe_local<part> here;

// Whoever waits here for the outside world goes on, finds it closed, and ends.
void end_here() {
  here->ending = true;
  if (here->door != nullptr) here->door->close();
  if (here->asked_to_end != nullptr) here->asked_to_end->close();
  for (outside::connection& c : here->connections) c.close();
  end_waits_for_room();
}

// A web page can make a browser send these, and commands behind them, to a server that listens to this machine only.
bool is_of_http(std::string_view word) { return is_word(word, "POST") || is_word(word, "HOST:"); }

void tell_of_http(const std::string& peer) {
  constexpr std::int64_t pause_ns = 60'000'000'000;
  const std::int64_t now = now_ns();
  if (here->told_of_http_ns != 0 && now - here->told_of_http_ns < pause_ns) return;
  here->told_of_http_ns = now;
  std::fprintf(stderr,
               "kv: %s has sent POST or Host: its connection is closed, for it may be an attack from a web page\n",
               peer.c_str());
}

// The requests of one connection, as they come.
class session {
 public:
  explicit session(outside::connection& with)
      : with_(with),
        client_(with),
        reader_(here->options.requests),
        conversation_(with.peer(), here->options.requests),
        replies_(client_) {}

  // Until the client has ended, or its connection is to.
  task<void> talk() {
    for (;;) {
      const std::string_view came = co_await with_.read();
      if (came.empty()) co_return;
      const std::size_t more = room_for(came.size());
      if (more != 0 && !client_.take(more)) {
        const bool taken = co_await client_.wait_to_take(more);
        if (!taken) co_return;
      }
      const bool goes_on = co_await answer_all(came);
      if (!goes_on) co_return;
    }
  }

  // Until nothing of what it has asked for is on the way.
  task<void> collect() { return replies_.collect(); }

 private:
  // Answers the requests that are complete. False: the connection is to be closed.
  task<bool> answer_all(std::string_view came) {
    if (!begun_.empty()) came = append_to_begun(came);
    bool goes_on = true;
    std::size_t used = 0;
    for (; goes_on; used += reader_.size()) {
      const request_reader::found found = reader_.read(came.substr(used));
      if (found == request_reader::found::more_is_needed) break;
      if (found == request_reader::found::broken) {
        add_error(replies_.known(), "ERR " + reader_.trouble());
        goes_on = false;
        break;
      }
      const words request = reader_.words();
      if (request.empty()) continue;
      if (is_of_http(request[0])) {
        tell_of_http(with_.peer());
        goes_on = false;
        break;
      }
      const command_facts& facts = facts_of(request[0]);
      const bool large_echo = facts.which == command::echo && reader_.size() > most_copied && request.size() == 2;
      const bool queues = conversation_.in_transaction();
      if (queues) {
        const bool taken = co_await room_to_queue(2 * reader_.size());
        if (!taken) co_return false;
      } else if (large_echo) {
        co_await echo(request[1]);
        continue;
      }
      if (conversation_.answers(facts, request, replies_.known())) {
        goes_on = !conversation_.is_over();
        if (queues) note_request();
      } else if (facts.whom == asks::owner) {
        const protocol as = conversation_.as();
        if (!ask_owner(facts.which, request, as, replies_))
          co_await ask_owner_later(facts.which, request, as, replies_);
      } else if (facts.which == command::shutdown) {
        co_await replies_.write(with_);
        everywhere().past<end_here>();
      } else if (facts.whom == asks::owners) {
        co_await ask_several(facts.which, request, conversation_.as(), replies_, with_);
      } else {
        co_await ask_job(conversation_, facts.which, request, replies_, with_);
        note_request();
      }
      if (replies_.is_much()) co_await replies_.write(with_);
    }
    keep(came.substr(used));
    co_await replies_.write(with_);
    co_return goes_on;
  }

  // A word that is sent back needs no second place.
  task<void> echo(std::string_view word) {
    replies_.known() += bulk_header(word.size());
    co_await replies_.write(with_);
    co_await with_.write(word);
    replies_.known() += "\r\n";
  }

  // For a request that waits for EXEC. False: there is none.
  task<bool> room_to_queue(std::size_t bytes) {
    bool taken = client_.take(bytes);
    if (!taken) taken = co_await client_.wait_to_take(bytes);
    co_return taken;
  }

  // How much more it takes to keep so many bytes more. What is complete in one piece need not be kept.
  std::size_t room_for(std::size_t more_bytes) const {
    const std::size_t bytes = begun_.size() + more_bytes;
    if (bytes <= std::max(begun_.capacity(), outside::connection::room)) return 0;
    return grown(bytes) - begun_.capacity();
  }
  static std::size_t grown(std::size_t bytes) {
    const std::size_t most = here->options.requests.request_bytes + 2 * outside::connection::room;
    return std::max(std::min(2 * bytes, most), bytes + outside::connection::room);
  }

  std::string_view append_to_begun(std::string_view came) {
    const std::size_t bytes = begun_.size() + came.size();
    if (bytes > begun_.capacity()) begun_.reserve(grown(bytes));
    begun_ += came;
    note_request();
    return begun_;
  }

  void note_request() {
    client_.request_bytes = begun_.capacity() + reader_.memory_bytes() + conversation_.bytes();
    client_.hold();
  }

  // The beginning of a request, which lies in begun_ or in what has just come.
  void keep(std::string_view rest) {
    if (begun_.empty()) {
      if (rest.empty()) return;
      begun_ = rest;
    } else {
      begun_.erase(0, begun_.size() - rest.size());
      if (begun_.capacity() > 4 * begun_.size() + most_copied) begun_.shrink_to_fit();
    }
    note_request();
  }

  // A request of more is not copied to be answered.
  static constexpr std::size_t most_copied = outside::connection::room;

  outside::connection& with_;
  client client_;
  request_reader reader_;
  listed_conversation conversation_;
  replies replies_;
  std::string begun_;
};

// What is on the way for a connection that ends comes, or is an error that nobody needs any more.
task<void> collect_all(session& of) {
  for (bool all = false; !all;) {
    try {
      co_await of.collect();
      all = true;
    } catch (const remote_error&) {
      // It is out of the way.
    }
  }
}

task<void> talk(std::list<outside::connection>::iterator with) {
  {
    session one(*with);
    try {
      co_await one.talk();
    } catch (const outside::error&) {
      // A client that is gone is no trouble of the server's.
    } catch (const std::bad_alloc&) {
      std::fprintf(stderr, "kv: the connection with %s is closed: no memory is left\n", with->peer().c_str());
    } catch (const remote_error& e) {
      std::fprintf(stderr, "kv: the connection with %s is closed: %s\n", with->peer().c_str(), e.what());
    }
    co_await collect_all(one);
  }
  here->connections.erase(with);
}

task<void> refuse(outside::connection c) {
  try {
    co_await c.write("-ERR max number of clients reached\r\n");
  } catch (const outside::error&) {
    // Gone already.
  }
}

// True for a while: no descriptor or no memory is left until somebody leaves.
bool may_pass(const outside::error& e) {
  return e.code() != std::errc::bad_file_descriptor && e.code() != std::errc::invalid_argument;
}

task<void> accept_all() {
  std::string told;
  while (!here->ending) {
    std::string trouble;
    try {
      outside::connection c = co_await here->door->accept();
      if (!c) co_return;
      if (here->connections.size() >= here->options.connections) {
        spawn(refuse(std::move(c)));
      } else {
        here->connections.push_front(std::move(c));
        spawn(talk(here->connections.begin()));
      }
    } catch (const outside::error& e) {
      if (!may_pass(e)) throw;
      trouble = e.what();
    }
    if (trouble.empty()) continue;
    if (trouble != told) std::fprintf(stderr, "kv: %s\n", trouble.c_str());
    told = trouble;
    co_await sleep_for(100ms);
  }
}

task<void> end_when_asked() {
  const int signal = co_await here->asked_to_end->next();
  if (signal != 0) everywhere().past<end_here>();
}

// Keys whose time is over, and that nobody looks for, give back their memory; never so many at once that clients wait.
task<void> remove_expired_keys() {
  constexpr std::size_t at_once = 1000;
  while (!here->ending) {
    const bool there_may_be_more = keys_here().remove_expired(unix_ms(), at_once);
    co_await sleep_for(there_may_be_more ? 1ms : 100ms);
  }
}

// A connection is a descriptor, of which a shell's programs have 1,024 unless they ask for more.
void allow_descriptors() {
  rlimit most{};
  if (::getrlimit(RLIMIT_NOFILE, &most) != 0) return;
  most.rlim_cur = most.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &most);
}

}  // namespace

task<void> serve(server_options options) {
  allow_descriptors();
  here->options = options;
  open_keys(co_await broadcast(this_pe() == 0 ? fresh_seed() : std::uint64_t{0}, 0), options.store_bytes);
  open_clients(options.client_bytes / static_cast<std::size_t>(pe_count()), options.connections);
  here->asked_to_end = std::make_unique<outside::signals>(std::initializer_list<int>{SIGTERM, SIGINT, SIGHUP});
  outside::port_to_open how{
      .address = options.address, .port = options.port, .share_port = pe_count() > 1, .backlog = 4096};
  // The system chooses for one PE what all of a machine open.
  if (this_pe() == 0) {
    // The port is shared by the PEs, and would be with another server.
    if (how.port != 0) const outside::listener alone({.address = how.address, .port = how.port});
    here->door = std::make_unique<outside::listener>(how);
  }
  how.port = co_await broadcast(this_pe() == 0 ? here->door->port() : std::uint16_t{0}, 0);
  if (this_pe() != 0) here->door = std::make_unique<outside::listener>(how);
  open_job_requests(how.port, options.requests, options.client_bytes);
  co_await barrier();
  if (this_pe() == 0) {
    std::printf("kv: %d PEs listen on %s\n", pe_count(), here->door->place().c_str());
    std::fflush(stdout);
  }
  spawn(end_when_asked());
  spawn(remove_expired_keys());
  co_await accept_all();
}

}  // namespace kv
