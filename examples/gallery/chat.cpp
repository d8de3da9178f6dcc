// A chat room: 64 clients post 20 lines each, and the room sends each line to all clients. Room and clients are
// objects; the clients are an array dealt to the PEs in turn. In what order the lines come is open, so each client adds
// up hashes of what it has seen, and all must have the same sum.
#include <tsubu/tsubu.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

using namespace tsubu;

constexpr int lines_each = 20;

std::string line_of(std::size_t who, int i) {
  return "line " + std::to_string(i) + " of client " + std::to_string(who);
}

std::uint64_t hash(const std::string& line) {  // FNV-1a
  std::uint64_t h = 0xcbf29ce484222325;
  for (const char c : line) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return h;
}

struct seen {
  long lines = 0;
  std::uint64_t checksum = 0;
  void add(const std::string& line) { ++lines, checksum += hash(line); }
  bool operator==(const seen&) const = default;
};

struct client;
using members_of_room = object_array<client, by_cycle>;

struct room : object<room> {
  void open(members_of_room members) { members_ = members; }
  task<void> post(std::string line);

 private:
  members_of_room members_;
};

struct client : object<client> {
  client(array_index index, ref<room> in) : index_(index.value), room_(in) {}

  task<void> talk() {
    for (int i = 0; i < lines_each; ++i) co_await room_.past<&room::post>(line_of(index_, i));
  }
  void hear(std::string line) { seen_.add(line); }
  seen what() { return seen_; }

 private:
  std::size_t index_;
  ref<room> room_;
  seen seen_;
};

task<void> room::post(std::string line) { co_await members_.past<&client::hear>(line); }

task<int> program(arguments args) {
  const int clients = args.number(1, 64);
  const ref<room> lobby = create<room>(here());
  const members_of_room members = create_array<client>(clients, by_cycle(), lobby);
  co_await lobby.now<&room::open>(members);  // before any of them posts

  const auto all_talk = [members]() -> task<void> { co_await members.past<&client::talk>(); };
  co_await epoch(all_talk);  // all lines have been heard

  seen expected;
  for (std::size_t c = 0; c < members.size(); ++c) {
    for (int i = 0; i < lines_each; ++i) expected.add(line_of(c, i));
  }
  bool right = true;
  for (const seen& of_one : co_await members.now<&client::what>()) right = right && of_one == expected;

  std::printf("each of %d clients has seen %ld lines, checksum %016llx\n", clients, expected.lines,
              static_cast<unsigned long long>(expected.checksum));
  if (!right) std::printf("wrong: a client has not seen all lines\n");
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
