// What the clients of a PE make it hold, all together: requests that are not complete, and replies that are not sent.
//
// Half of the limit is dealt out: each connection has its own part, whatever others do. The other half is common, and
// who needs more than its part takes from there. Where it has run out, who wants more waits; the one that holds least
// is served first. When somebody waits and others have held what is common for longer than their patience allows, these
// are cut, the worst offender first: the one with the most bytes times the time that it has held them.
//
// Knows nothing of PEs, and of the time what it is told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kv {

class client_account {
 public:
  // What one connection holds.
  class share {
   public:
    explicit share(client_account& in);
    share(const share&) = delete;
    share& operator=(const share&) = delete;
    virtual ~share();

    std::size_t bytes() const { return bytes_; }
    bool is_cut() const { return cut_; }

    // What it waited for it holds now.
    virtual void go_on() = 0;
    // It is cut: it is to give up all it holds, soon, and does not wait any more.
    virtual void end() = 0;

   private:
    friend client_account;
    client_account& in_;
    std::size_t bytes_ = 0;
    std::size_t wanted_ = 0;  // while it waits
    std::int64_t since_ = 0;  // when it began to hold more than its own part
    std::size_t place_ = 0;   // among those that do
    bool waits_ = false;
    bool cut_ = false;
  };

  // limit_bytes is of all connections together, of which there are at most so many.
  client_account(std::size_t limit_bytes, std::size_t connections, std::int64_t patience_ns);
  ~client_account();

  // What each may hold, and what one may hold at the very most.
  std::size_t own_part() const { return own_part_; }
  std::size_t most_of_one() const { return own_part_ + common_; }

  bool has_room(const share& of, std::size_t bytes) const {
    return bytes <= own_part_ || bytes <= of.bytes_ || common_used_ - beyond(of.bytes_) + beyond(bytes) <= common_;
  }

  // It holds so much now: after it has found out that there is room, or because it cannot help it. Whoever waits and
  // finds room by that goes on.
  void hold(share& of, std::size_t bytes, std::int64_t now) {
    if (bytes <= own_part_ && of.bytes_ <= own_part_) {
      of.bytes_ = bytes;
    } else {
      change(of, bytes, now);
    }
  }

  // It waits until it may hold so much, which is no more than most_of_one(): go_on() or end() is called.
  void wait(share& of, std::size_t bytes);
  bool anybody_waits() const { return !waiting_.empty(); }

  // To be called now and then while anybody waits: cuts those whose time is up, as far as it helps who is served next.
  void look(std::int64_t now);

  // The server ends: nobody waits any more.
  void cut_all_that_wait();

  // What is used of the common half, and how many were cut.
  std::size_t common_bytes() const { return common_used_; }
  std::uint64_t cut() const { return cut_; }

 private:
  std::size_t beyond(std::size_t bytes) const { return bytes > own_part_ ? bytes - own_part_ : 0; }
  void change(share& of, std::size_t bytes, std::int64_t now);
  void set(share& of, std::size_t bytes, std::int64_t now);
  void serve(std::int64_t now);
  void no_longer_waits(share& of);
  void forget(share& of);
  share* next_to_serve() const;
  share* worst_but(const share& than, std::int64_t now) const;
  void cut_one(share& which);

  const std::size_t own_part_;
  const std::size_t common_;
  const std::int64_t patience_ns_;
  std::size_t common_used_ = 0;
  std::vector<share*> beyond_own_;  // those that hold more than their own part
  std::vector<share*> waiting_;
  std::uint64_t cut_ = 0;
};

}  // namespace kv
