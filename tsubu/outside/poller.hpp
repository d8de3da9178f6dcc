// How one PE looks at the world outside: what it has asked the system for, and how it is woken when that comes.
//
// While the PE runs it polls its descriptors itself, between its messages, so that no request is handed from thread to
// thread. When it goes to sleep, a thread of its own, the watcher, waits in its place, and interrupts its sleep. The
// watcher is made by the first sleep with something under way; a program that asks for nothing has no poller.
//
// The poller is one of its PE's outside sources while operations are under way, and only then: so the job does not end,
// and is not held for dead, while it waits for the outside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <system_error>
#include <utility>

#include "tsubu/remote/outside_sources.hpp"
#include "tsubu/remote/pe.hpp"

namespace asio {
class io_context;
}

namespace tsubu::outside::detail {

class poller;

// Something that the system was asked for.
class operation {
 public:
  explicit operation(std::shared_ptr<poller> of) : of_(std::move(of)) {}
  operation(const operation&) = delete;
  operation& operator=(const operation&) = delete;
  virtual ~operation() = default;

  // Called on the PE, once for each begin(), when `failed` and what else the operation has are set.
  virtual void finish() = 0;

  poller& of() const { return *of_; }
  const std::shared_ptr<poller>& shared_poller() const { return of_; }

  std::error_code failed;
  std::size_t bytes = 0;

 private:
  std::shared_ptr<poller> of_;
};

// By any thread: it has come. Whoever holds it must not keep it: it belongs to its PE.
void tell(std::shared_ptr<operation> which, const std::error_code& failed);

class poller final : public remote::outside_source, public std::enable_shared_from_this<poller> {
 public:
  // This PE's; made when it is first asked for. Where PEs are simulated the job ends.
  static std::shared_ptr<poller> here(const char* what);

  explicit poller(remote::pe& of);
  ~poller() override;

  asio::io_context& io();

  // On the PE: an operation is under way, until came().
  void begin();
  // By any thread: it has come. finish() is called on the PE, on the spot or at its next step.
  void came(std::shared_ptr<operation> which);

  // By the PE, on its threads for what may block.
  void offload(std::shared_ptr<operation> which, void (*run)(operation&));

  // Its PE ends, and so do its threads. Nothing is under way, or the job would not have come to its end.
  void end();

  bool take_in() override;
  bool ended() override;
  void before_sleep() override;
  void after_sleep() override;

 private:
  struct parts;

  void finish(operation& which);
  bool finish_what_came();
  void watch();

  remote::pe& pe_;
  const std::unique_ptr<parts> parts_;

  // The PE's.
  std::uint64_t between_polls_ticks_;
  std::uint64_t polled_at_ticks_ = 0;
  std::size_t under_way_ = 0;
  bool is_a_source_ = false;
};

}  // namespace tsubu::outside::detail
