#include "apps/kv/server_facts.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <functional>

namespace kv {

namespace {

void line(std::string& to, std::string_view name, std::string_view value) {
  to += name;
  to += ':';
  to += value;
  to += "\r\n";
}
void line(std::string& to, std::string_view name, std::int64_t value) { line(to, name, std::to_string(value)); }

void tell_server(std::string& to, const process_facts& process) {
  utsname system{};
  const bool known = ::uname(&system) == 0;
  line(to, "redis_version", spoken_version);
  line(to, "redis_mode", "standalone");
  line(to, "os", known ? std::string(system.sysname) + ' ' + system.release + ' ' + system.machine : "unknown");
  line(to, "arch_bits", static_cast<std::int64_t>(sizeof(void*) * 8));
  line(to, "process_id", ::getpid());
  line(to, "tcp_port", process.port);
  line(to, "uptime_in_seconds", process.seconds_up);
  line(to, "uptime_in_days", process.seconds_up / 86400);
  line(to, "tsubu_pes", process.pes);
}

void tell_memory(std::string& to, const server_facts& all) {
  line(to, "used_memory", all.store_bytes);
  line(to, "maxmemory", all.most_store_bytes);
  line(to, "maxmemory_policy", "noeviction");
}

void tell_persistence(std::string& to) {
  line(to, "loading", 0);
  line(to, "rdb_bgsave_in_progress", 0);
  line(to, "aof_enabled", 0);
}

void tell_replication(std::string& to) {
  line(to, "role", "master");
  line(to, "connected_slaves", 0);
  line(to, "master_repl_offset", 0);
}

void tell_keys(std::string& to, const server_facts& all) {
  if (all.keys == 0) return;
  line(to, "db0", "keys=" + std::to_string(all.keys) + ",expires=" + std::to_string(all.expiring) + ",avg_ttl=0");
}

}  // namespace

server_facts& server_facts::operator+=(const server_facts& other) {
  keys += other.keys;
  expiring += other.expiring;
  store_bytes += other.store_bytes;
  most_store_bytes += other.most_store_bytes;
  clients += other.clients;
  transactions += other.transactions;
  return *this;
}

std::string info(words request, const server_facts& of_all, const process_facts& process) {
  struct section {
    std::string_view name, title;
    std::function<void(std::string&)> tell;
  };
  const section sections[] = {
      {"SERVER", "Server", [&](std::string& to) { tell_server(to, process); }},
      {"CLIENTS", "Clients", [&](std::string& to) { line(to, "connected_clients", of_all.clients); }},
      {"MEMORY", "Memory", [&](std::string& to) { tell_memory(to, of_all); }},
      {"PERSISTENCE", "Persistence", tell_persistence},
      {"STATS", "Stats", [&](std::string& to) { line(to, "executed_transactions", of_all.transactions); }},
      {"REPLICATION", "Replication", tell_replication},
      {"CLUSTER", "Cluster", [](std::string& to) { line(to, "cluster_enabled", 0); }},
      {"KEYSPACE", "Keyspace", [&](std::string& to) { tell_keys(to, of_all); }},
  };
  const words asked = request.subspan(1);
  const auto wants = [&](std::string_view name) {
    return asked.empty() || std::any_of(asked.begin(), asked.end(), [&](std::string_view word) {
             return is_word(word, name) || is_word(word, "ALL") || is_word(word, "DEFAULT") ||
                    is_word(word, "EVERYTHING");
           });
  };
  std::string text;
  for (const section& one : sections) {
    if (!wants(one.name)) continue;
    if (!text.empty()) text += "\r\n";
    text += "# " + std::string(one.title) + "\r\n";
    one.tell(text);
  }
  return text;
}

}  // namespace kv
