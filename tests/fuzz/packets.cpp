// Packets for the runtime's own handlers, and for calls of functions, objects and shared data, that arrive at a PE of a
// job of two. A packet is two bytes that choose its handler, by a hash of its name, a byte for its length, and as many
// bytes; where packets of the handler have one length, what is missing of it is 0.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/fuzz/input.hpp"
#include "tests/interleaved_job.hpp"
#include "tsubu/base/sanitizer.hpp"
#include "tsubu/data/variables/shared.hpp"
#include "tsubu/object/create.hpp"
#include "tsubu/object/object.hpp"
#include "tsubu/remote/memory/shared_object.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::fuzz {

// ---- what is there to be called

unsigned long twice(unsigned long x) { return 2 * x; }
unsigned long length(const std::string& text) { return text.size(); }
task<std::string> later(std::string text) {
  co_await yield();
  co_return text;
}

struct worker : object<worker> {
  void work(std::uint32_t k) { n += k; }
  task<std::uint32_t> ask(std::uint32_t k) {
    co_await yield();
    co_return n + k;
  }
  std::uint32_t n = 0;
};

namespace {

// What PE 1 does with a variable whose home is PE 0.
task<long> use_there(shared<long> value) {
  co_await value.write(3);
  value.add(1);
  co_return co_await value.read();
}

// PE 0 asks PE 1 for each kind of thing; so that there are some of them, and all these handlers.
task<void> use_all(ref<worker>* kept) {
  *kept = create<worker>(at(1));
  kept->past<&worker::work>(1U);
  co_await kept->now<&worker::ask>(2U);
  co_await at(1).now<twice>(4UL);
  co_await at(1).now<length>(std::string("text"));
  co_await at(1).now<later>(std::string("text"));
  for (const protocol how : {protocol::global, protocol::mobile, protocol::update, protocol::invalidate}) {
    const shared<long> value = create_shared(how, 1L);
    co_await at(1).now<use_there>(value);
    co_await value.read();
  }
}

// What leaves a task ends the job where no exception can pass; so it ends after the step.
bool ends_after_step = false;
void end_after_step(std::exception_ptr error) {
  try {
    task_context::fail_uncaught(std::move(error));
  } catch (const job_ended&) {
    ends_after_step = true;
  }
}

class two_pes {
 public:
  two_pes() : job_(2) {
    ends_after_step = false;
    for (const pe_id pe : {0, 1}) {
      job_.wires()[pe].dice = nullptr;  // what is sent arrives
      job_[pe].tasks.on_uncaught = end_after_step;
      job_[pe].messages.set_escape_hook(
          [](const wire::handler_entry&, std::exception_ptr e) { std::rethrow_exception(std::move(e)); });
    }
    job_[1];
    memory_ = share(std::span<long>(longs_));
    job_[0];
    spawn(use_all(&worker_));
    settle(1000);
    expect(job_[0].idle() && job_[0].waits.text(job_[0]).empty(), "the job does not come to rest");
  }
  ~two_pes() { job_[1]; }
  two_pes(const two_pes&) = delete;
  two_pes& operator=(const two_pes&) = delete;

  void take(const wire::handler_entry& handler, bytes packet) {
    transport::batch* const sent = job_.wires()[0].acquire();
    const bool has_length = handler.packet_bytes == 0;
    const std::uint32_t size = has_length ? static_cast<std::uint32_t>(4 + packet.size()) : handler.packet_bytes;
    if (8 + size > sent->capacity) return;
    std::memset(sent->data(), 0, 8 + size);
    put(sent, 0, handler.code);
    put(sent, 4, size);
    if (has_length) put(sent, 8, static_cast<std::uint32_t>(packet.size()));
    const std::size_t begin = has_length ? 12 : 8;
    if (!packet.empty()) std::memcpy(sent->data() + begin, packet.data(), std::min(packet.size(), 8 + size - begin));
    sent->size = 8 + size;
    if (handler.place != nullptr && packet.size() % 2 == 1) {
      job_.wires()[0].post_bulk(sent, 1, {.bytes = bulk_});
    } else {
      job_.wires()[0].post(sent, 1);
    }
    settle(100);
  }

 private:
  static void put(transport::batch* to, std::size_t at, std::uint32_t value) {
    std::memcpy(to->data() + at, &value, sizeof value);
  }
  // Both PEs until they have nothing to do; not for ever, since what came may go on for ever.
  void settle(int most_steps) {
    for (int step = 0, idle = 0; step < most_steps && idle < 4; ++step) {
      const pe_id pe = step % 2;
      remote::pe& now = job_[pe];
      throw_at_the_end(pe);
      idle = now.step() ? 0 : idle + 1;
      if (ends_after_step) throw job_ended();
    }
  }

  std::vector<long> longs_ = std::vector<long>(10);
  std::vector<std::byte> bulk_ = std::vector<std::byte>(80, std::byte{1});
  global_ptr<long> memory_;
  ref<worker> worker_;
  test::interleaved_job job_;
};

// ---- which handlers there are

struct named {
  std::uint16_t hash;
  const wire::handler_entry* handler;
};

// All but those that allocate as much as they are told to.
std::vector<named> all_handlers() {
  wire::number_handlers();
  std::vector<named> all;
  for (const wire::handler_entry* handler : wire::handlers().subspan(1)) {
    const std::string name = wire::readable_name(*handler);
    if (name.find("make_segment") != name.npos) continue;
    std::uint32_t hash = 2166136261U;  // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    all.push_back({static_cast<std::uint16_t>(hash ^ hash >> 16), handler});
  }
  std::sort(all.begin(), all.end(), [](const named& a, const named& b) { return a.hash < b.hash; });
  return all;
}

}  // namespace

void read_input(bytes input) {
  static const std::vector<named> handlers = all_handlers();
  two_pes job;
  while (input.size() >= 3) {
    const auto hash = static_cast<std::uint16_t>(input[0] | input[1] << 8);
    const std::size_t size = std::min<std::size_t>(input[2], input.size() - 3);
    const auto found = std::lower_bound(handlers.begin(), handlers.end(), hash,
                                        [](const named& one, std::uint16_t h) { return one.hash < h; });
    job.take(*(found == handlers.end() ? handlers.front() : *found).handler, input.subspan(3, size));
    input = input.subspan(3 + size);
  }
}

}  // namespace tsubu::fuzz

#if TSUBU_ASAN
// A job that ends leaves tasks and messages behind, which wait for what never comes; its process ends, too.
extern "C" int __lsan_is_turned_off() { return 1; }
#endif
