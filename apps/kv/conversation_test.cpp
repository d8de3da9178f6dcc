// Promise: a client is answered what it says of itself, in the version of the protocol that it has asked for, and what
// a transaction may hold is bounded.
#include "apps/kv/conversation.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "apps/kv/server_facts.hpp"

namespace kv {
namespace {

constexpr request_limits limits{.word_bytes = 1000, .words = 100, .request_bytes = 20'000};

class conversations : public testing::Test {
 protected:
  // "": others have to be asked.
  std::string said(std::vector<std::string_view> request) {
    std::string reply;
    const bool answered = with.answers(facts_of(request[0]), request, reply);
    EXPECT_EQ(answered, !reply.empty());
    return reply;
  }
  std::string executed() {
    std::string requests, reply;
    return with.take_transaction(requests, reply) ? "executes " + requests : reply;
  }

  conversation with{7, "127.0.0.1:40312", limits, 1000};
};

TEST_F(conversations, hello_chooses_the_version) {
  const std::string rest = "$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$6\r\n7.0.15\r\n$5\r\nproto\r\n";
  EXPECT_TRUE(said({"HELLO"}).starts_with("*14\r\n" + rest + ":2\r\n$2\r\nid\r\n:7\r\n"));
  EXPECT_EQ(said({"CLIENT", "GETNAME"}), "$-1\r\n");
  EXPECT_TRUE(said({"HELLO", "3", "SETNAME", "me"}).starts_with("%7\r\n" + rest + ":3\r\n"));
  EXPECT_EQ(with.as(), protocol::resp3);
  EXPECT_EQ(said({"CLIENT", "GETNAME"}), "$2\r\nme\r\n");
  EXPECT_EQ(said({"HELLO", "4"}), "-NOPROTO unsupported protocol version\r\n");
  EXPECT_EQ(said({"HELLO", "x"}), "-ERR Protocol version is not an integer or out of range\r\n");
  EXPECT_EQ(said({"HELLO", "2", "SETNAME"}), "-ERR Syntax error in HELLO option 'SETNAME'\r\n");
  EXPECT_EQ(said({"HELLO", "2", "SETNAME", "a b"}).substr(0, 4), "-ERR");
  EXPECT_EQ(said({"HELLO", "2", "AUTH", "me", "x"}).substr(0, 11), "-WRONGPASS ");
  EXPECT_EQ(with.as(), protocol::resp3);  // what is refused changes nothing
  EXPECT_EQ(said({"CLIENT", "GETNAME"}), "$2\r\nme\r\n");
  EXPECT_EQ(said({"RESET"}), "+RESET\r\n");
  EXPECT_EQ(said({"CLIENT", "GETNAME"}), "$-1\r\n");
  EXPECT_EQ(with.as(), protocol::resp2);
}

TEST_F(conversations, clients_have_names) {
  EXPECT_EQ(said({"CLIENT", "ID"}), ":7\r\n");
  EXPECT_EQ(said({"CLIENT", "SETNAME", "me"}), "+OK\r\n");
  EXPECT_EQ(said({"CLIENT", "SETINFO", "LIB-NAME", "mine"}), "+OK\r\n");
  EXPECT_EQ(said({"CLIENT", "SETINFO", "lib-ver", "1.0"}), "+OK\r\n");
  EXPECT_EQ(said({"CLIENT", "SETINFO", "age", "1"}), "-ERR Unrecognized option 'age'\r\n");
  EXPECT_EQ(with.description(61'000),
            "id=7 addr=127.0.0.1:40312 name=me age=60 flags=N db=0 sub=0 psub=0 ssub=0 multi=-1 user=default redir=-1 "
            "resp=2 lib-name=mine lib-ver=1.0\n");
  EXPECT_EQ(said({"CLIENT", "SETNAME", "a\nb"}).substr(0, 4), "-ERR");
  EXPECT_EQ(said({"CLIENT", "SETNAME", std::string(129, 'x')}).substr(0, 4), "-ERR");
  EXPECT_EQ(said({"CLIENT", "SETNAME"}), "-ERR wrong number of arguments for 'client|setname' command\r\n");
  EXPECT_EQ(said({"CLIENT", "KILL", "x"}), "-ERR unknown subcommand 'KILL'. Try CLIENT HELP.\r\n");
  EXPECT_EQ(said({"CLIENT", "NO-EVICT", "ON"}), "+OK\r\n");
  EXPECT_EQ(said({"CLIENT", "REPLY", "OFF"}).substr(0, 4), "-ERR");
  EXPECT_EQ(said({"CLIENT", "LIST"}), "");
}

TEST_F(conversations, requests_wait_for_exec) {
  EXPECT_EQ(said({"GET", "k"}), "");
  EXPECT_EQ(said({"EXEC"}), "");
  EXPECT_EQ(executed(), "-ERR EXEC without MULTI\r\n");
  EXPECT_EQ(said({"DISCARD"}), "-ERR DISCARD without MULTI\r\n");
  EXPECT_EQ(said({"MULTI"}), "+OK\r\n");
  EXPECT_EQ(said({"MULTI"}), "-ERR MULTI calls can not be nested\r\n");
  EXPECT_EQ(said({"GET", "k"}), "+QUEUED\r\n");
  EXPECT_EQ(said({"PING"}), "+QUEUED\r\n");
  EXPECT_EQ(said({"EXEC"}), "");
  EXPECT_EQ(executed(), "executes *2\r\n$3\r\nGET\r\n$1\r\nk\r\n*1\r\n$4\r\nPING\r\n");
  EXPECT_EQ(said({"GET", "k"}), "");
  EXPECT_EQ(said({"MULTI"}), "+OK\r\n");
  EXPECT_EQ(said({"GET", "k"}), "+QUEUED\r\n");
  EXPECT_EQ(said({"DISCARD"}), "+OK\r\n");
  EXPECT_LT(with.bytes(), 64U);
}

TEST_F(conversations, a_transaction_with_a_bad_request_is_not_executed) {
  const std::string aborted = "-EXECABORT Transaction discarded because of previous errors.\r\n";
  for (const std::vector<std::string_view>& bad : {std::vector<std::string_view>{"GET"},
                                                   {"nonsense"},
                                                   {"WATCH", "k"},
                                                   {"SUBSCRIBE", "k"},
                                                   {"HELLO", "3"},
                                                   {"INFO"}}) {
    EXPECT_EQ(said(bad).substr(0, 4), bad[0] == "HELLO" ? "%7\r\n" : bad[0] == "INFO" ? "" : "-ERR");
    EXPECT_EQ(said({"MULTI"}), "+OK\r\n");
    EXPECT_EQ(said({"SET", "k", "v"}), "+QUEUED\r\n");
    EXPECT_EQ(said(bad).substr(0, 4), "-ERR") << bad[0];
    EXPECT_EQ(said({"SET", "k", "w"}), "+QUEUED\r\n");
    EXPECT_EQ(executed(), aborted);
  }
  EXPECT_EQ(said({"MULTI"}), "+OK\r\n");
  EXPECT_EQ(executed(), "executes ");
}

TEST_F(conversations, what_waits_is_bounded) {
  for (const std::size_t bytes : {1U, 500U}) {
    EXPECT_EQ(said({"MULTI"}), "+OK\r\n");
    const std::string value(bytes, 'v');
    int queued = 0;
    while (said({"SET", "k", value}) == "+QUEUED\r\n") ASSERT_LT(++queued, 101);
    EXPECT_GE(queued, 18);
    EXPECT_LE(with.bytes(), 2 * limits.request_bytes);
    EXPECT_EQ(executed().substr(0, 11), "-EXECABORT ");
    EXPECT_LT(with.bytes(), 64U);
  }
}

TEST_F(conversations, quit_is_the_last_word) {
  EXPECT_EQ(said({"MULTI"}), "+OK\r\n");
  EXPECT_FALSE(with.is_over());
  EXPECT_EQ(said({"QUIT"}), "+OK\r\n");
  EXPECT_TRUE(with.is_over());
}

TEST(server_facts, info_has_the_sections_that_are_asked_for) {
  const server_facts one{.keys = 2, .expiring = 1, .store_bytes = 300, .most_store_bytes = 1000, .clients = 4};
  server_facts all = one;
  all += one;
  const process_facts process{.pes = 2, .port = 6380, .seconds_up = 90'000};
  const std::string_view keys[] = {"INFO", "keyspace"};
  EXPECT_EQ(info(keys, all, process), "# Keyspace\r\ndb0:keys=4,expires=2,avg_ttl=0\r\n");
  const std::string_view two[] = {"INFO", "Replication", "cluster"};
  EXPECT_EQ(info(two, all, process),
            "# Replication\r\nrole:master\r\nconnected_slaves:0\r\nmaster_repl_offset:0\r\n\r\n# "
            "Cluster\r\ncluster_enabled:0\r\n");
  const std::string_view none[] = {"INFO"};
  const std::string whole = info(none, all, process);
  for (const char* const line :
       {"redis_version:7.0.15", "tcp_port:6380", "uptime_in_days:1", "connected_clients:8", "loading:0"})
    EXPECT_NE(whole.find("\n" + std::string(line) + "\r"), std::string::npos) << line;
}

}  // namespace
}  // namespace kv
