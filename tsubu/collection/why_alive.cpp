#include "tsubu/collection/why_alive.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "tsubu/collection/collector.hpp"
#include "tsubu/remote/messages/at.hpp"

namespace tsubu::collection {
namespace {

found_object find(objects::identity id) { return collectors->find(id); }

// Not inline: g++ 12 would warn of a copy that only it sees.
[[gnu::noinline]] std::string has_ended() { return "an object that has ended since"; }

[[gnu::noinline]] std::string what(const cause& root) {
  if (root.of == cause::kind::itself) return "it runs, waits, or messages wait for it";
  return "a task, a message, a container or a variable";
}

}  // namespace

task<std::vector<holder>> path_to(objects::identity id) {
  std::vector<holder> path;
  // An object that has moved since may have another cause, which is behind it.
  std::unordered_set<objects::identity, objects::identity_hash> seen;
  pe_id pe = id.home;
  for (;;) {
    const found_object found = co_await at(pe).now<find>(id);
    if (!found.is_here) {
      if (found.next == no_pe) {
        if (!path.empty()) path.push_back({has_ended(), pe});
        break;
      }
      pe = found.next;
      continue;
    }
    path.push_back({found.name, pe});
    const bool again = !seen.insert(id).second;
    if (found.why.of != cause::kind::object || again) {
      path.push_back({what(found.why), found.why.pe});
      break;
    }
    id = found.why.who;
    pe = found.why.pe;
  }
  std::reverse(path.begin(), path.end());
  co_return path;
}

}  // namespace tsubu::collection
