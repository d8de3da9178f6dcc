// Bytes as batches that arrive at a PE: taken apart, executed and passed on by its endpoint. The first byte says how
// many links messages go over; then, for each batch, a byte for how long its bulk is (0: there is none), one for how
// long the batch is, and its bytes.
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/fuzz/input.hpp"
#include "tests/loopback.hpp"
#include "tsubu/message/batch_format.hpp"
#include "tsubu/message/endpoint.hpp"
#include "tsubu/message/handler.hpp"

namespace tsubu::fuzz {

using message::delivery;

// What handlers are called with ends here, so that it is read.
inline std::uint64_t sum = 0;

struct number_handler {
  using layout = wire::layout<std::uint32_t, long>;
  static void call(const delivery& d, std::uint32_t a, long b) {
    sum += a + static_cast<std::uint64_t>(b) + static_cast<std::uint64_t>(d.from);
  }
};
struct text_handler {
  using layout = wire::layout<std::string>;
  static void call(const delivery&, const std::string& s) { sum += s.size(); }
};
struct list_handler {
  using layout = wire::layout<std::vector<std::vector<std::uint16_t>>, char>;
  static void call(const delivery&, const std::vector<std::vector<std::uint16_t>>& v, char c) {
    sum += v.size() + static_cast<unsigned char>(c);
  }
};
struct empty_handler {
  using layout = wire::layout<>;
  static void call(const delivery&) { ++sum; }
};
struct large_handler {
  using layout = wire::layout<std::array<char, 3000>>;
  static void call(const delivery&, const std::array<char, 3000>& a) { sum += static_cast<unsigned char>(a[2999]); }
};
struct bulk_handler {
  using layout = wire::layout<std::uint32_t>;
  static std::byte* place(const delivery& d, std::uint32_t offset) {
    require(offset <= memory.size() && d.bulk_bytes <= memory.size() - offset, "a bulk beyond its memory");
    return memory.data() + offset;
  }
  static void call(const delivery& d, std::uint32_t offset) { sum += d.bulk_bytes + offset; }
  static inline std::vector<std::byte> memory = std::vector<std::byte>(10'000);
};

namespace {

// What is named is known to the program, and has a number.
template <class... H>
constexpr std::array<const wire::handler_entry*, sizeof...(H)> entries_of() {
  return {&message::registered<H>::entry...};
}
const auto known = entries_of<number_handler, text_handler, list_handler, empty_handler, large_handler, bulk_handler>();

// Where a run's header has the number of a handler, and not its code, the code: no fuzzer finds one by chance. Such
// headers tell, too, whether another follows.
void encode_numbers(std::span<std::byte> batch) {
  while (batch.size() >= sizeof(message::format::run_header)) {
    message::format::run_header header = message::format::read(batch.data());
    const std::uint32_t code = header.handler & message::format::code_bits;
    if (code == wire::number_in(code) && code != 0) {
      header.handler = (header.handler & ~message::format::code_bits) | wire::code_of(code);
      if (sizeof header + header.bytes() < batch.size()) header.length |= message::format::another_follows;
      message::format::write(batch.data(), header);
    }
    batch = batch.subspan(std::min(batch.size(), sizeof header + header.bytes()));
  }
}

// PE 1 of a job of four, to which PE 0 sends; the others never take what is passed on to them.
class receiving_pe {
 public:
  explicit receiving_pe(int hops) : wires_(4, 1024, {hops}), receiver_(wires_[1]) {
    message::set_this_endpoint(&receiver_);
    throw_at_the_end(1);
  }
  ~receiving_pe() { message::set_this_endpoint(nullptr); }
  receiving_pe(const receiving_pe&) = delete;
  receiving_pe& operator=(const receiving_pe&) = delete;

  void take(bytes batch, std::size_t bulk_bytes) {
    transport::batch* const sent = wires_[0].acquire();
    if (!batch.empty()) std::memcpy(sent->data(), batch.data(), batch.size());
    sent->size = static_cast<std::uint32_t>(batch.size());
    encode_numbers({sent->data(), batch.size()});
    const std::vector<std::byte> bulk(bulk_bytes, std::byte{1});
    if (bulk_bytes == 0) {
      wires_[0].post(sent, 1);
    } else {
      wires_[0].post_bulk(sent, 1, {.bytes = bulk});
    }
    while (receiver_.run_arrived()) continue;
    receiver_.flush(message::flush_reason::idle);
  }

 private:
  test::loopback wires_;
  message::endpoint receiver_;
};

}  // namespace

void read_input(bytes input) {
  if (input.empty()) return;
  receiving_pe receiver(1 + input[0] % 2);
  expect(wire::handlers().size() > known.size(), "a handler without a number");
  input = input.subspan(1);
  while (input.size() >= 2) {
    const std::size_t bulk_bytes = std::size_t{input[0]} * 8;
    const std::size_t size = std::min<std::size_t>(input[1], input.size() - 2);
    receiver.take(input.subspan(2, size), bulk_bytes);
    input = input.subspan(2 + size);
  }
}

}  // namespace tsubu::fuzz
