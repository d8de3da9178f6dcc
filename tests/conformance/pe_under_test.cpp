#include "tests/conformance/pe_under_test.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tsubu::conformance {

namespace {

constexpr std::size_t guard_bytes = 64;
constexpr std::byte guard{0xa5};
constexpr std::byte scribble{0x5a};

// One word of the pattern; cheap, since 64 MiB are checked with it.
std::uint64_t word(pe_id from, pe_id to, std::uint32_t number, std::size_t i) {
  const auto pair = static_cast<std::uint64_t>(from) << 40 ^ static_cast<std::uint64_t>(to) << 20 ^ number;
  return (pair + 1) * 0x9e3779b97f4a7c15u ^ (i + 1) * 0xbf58476d1ce4e5b9u;
}

template <typename Visit>
void each_word(std::size_t bytes, pe_id from, pe_id to, std::uint32_t number, Visit visit) {
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
    const std::uint64_t w = word(from, to, number, at);
    visit(at, w, std::min(sizeof w, bytes - at));
  }
}

}  // namespace

void fill(std::span<std::byte> bytes, pe_id from, pe_id to, std::uint32_t number) {
  each_word(bytes.size(), from, to, number,
            [&](std::size_t at, std::uint64_t w, std::size_t n) { std::memcpy(bytes.data() + at, &w, n); });
}

bool is_filled(std::span<const std::byte> bytes, pe_id from, pe_id to, std::uint32_t number) {
  bool same = true;
  each_word(bytes.size(), from, to, number, [&](std::size_t at, std::uint64_t w, std::size_t n) {
    same = same && std::memcmp(bytes.data() + at, &w, n) == 0;
  });
  return same;
}

pe_under_test::pe_under_test(transport::transport& own_end, std::uint64_t seed)
    : end_(own_end),
      random_(seed * 1000003 + static_cast<std::uint64_t>(own_end.pe())),
      peers_(static_cast<std::size_t>(own_end.pe_count())) {
  end_.set_receiver(this);
}

void pe_under_test::fail(const std::string& what) {
  std::fprintf(stderr, "conformance: PE %d, check %u: %s\n", pe(), check_, what.c_str());
  end_.abort(1);
  std::abort();  // g++ does not believe that a virtual function does not return
}

void pe_under_test::expect(bool holds, const std::string& what) {
  if (!holds) fail(what);
}

// ---- sending

transport::batch* pe_under_test::labelled(pe_id to, std::size_t bytes, std::uint64_t bulk_bytes, bool done) {
  transport::batch* b = end_.acquire();
  expect(b != nullptr && b->size == 0 && b->capacity >= end_.batch_bytes(), "acquire() gives an empty batch with room");
  const label l{check_, peer_of(to).sent++, bulk_bytes, done};
  std::memcpy(b->data(), &l, sizeof l);
  fill({b->data() + sizeof l, bytes - sizeof l}, pe(), to, l.number);
  b->size = static_cast<std::uint32_t>(bytes);
  return b;
}

int pe_under_test::send(pe_id to, std::size_t bytes) {
  // On threads it may be released before post() has counted: 0 is right, too.
  const int on_the_way = end_.post(labelled(to, bytes, 0, false), to);
  expect(on_the_way >= 0, "post() says how many batches are on the way");
  return on_the_way;
}

int pe_under_test::send_bulk(pe_id to, std::size_t bytes) {
  source* s = new source{this, std::vector<std::byte>(bytes)};
  transport::batch* head = labelled(to, sizeof(label), bytes, false);
  fill(s->bytes, pe(), to, peer_of(to).sent - 1);
  sources_.push_back(s);
  return end_.post_bulk(head, to, {s->bytes, source_is_free, s});
}

void pe_under_test::source_is_free(void* argument) {
  source* s = static_cast<source*>(argument);
  pe_under_test& owner = *s->owner;
  auto found = std::find(owner.sources_.begin(), owner.sources_.end(), s);
  owner.expect(found != owner.sources_.end(), "done() is called once for each bulk");
  owner.sources_.erase(found);
  std::fill(s->bytes.begin(), s->bytes.end(), scribble);
  delete s;
}

// ---- receiving

label pe_under_test::label_of(std::span<const std::byte> data) {
  label l;
  expect(data.size() >= sizeof l, "a batch arrives with all its bytes");
  std::memcpy(&l, data.data(), sizeof l);
  return l;
}

std::byte* pe_under_test::place(pe_id from, std::span<const std::byte> head, std::size_t bytes) {
  const label l = label_of(head);
  expect(l.bulk_bytes == bytes, "place() is told the size of the bulk");
  landings_.push_back({l.check, from, l.number, std::vector<std::byte>(bytes + guard_bytes, guard)});
  return landings_.back().bytes.data();
}

transport::batch* pe_under_test::next() {
  for (auto b = early_.begin(); b != early_.end(); ++b) {
    transport::batch* found = *b;
    if (label_of({found->data(), found->size}).check != check_) continue;
    early_.erase(b);
    return found;
  }
  transport::batch* b = end_.poll();
  if (b == nullptr) return nullptr;
  expect(b->from >= 0 && b->from < pe_count() && b->from != pe() && b->to == pe(), "a batch says from and to");
  const label l = label_of({b->data(), b->size});
  if (l.check == check_) return b;
  expect(l.check == check_ + 1, "no batch outlives its check");
  early_.push_back(b);
  return nullptr;
}

bool pe_under_test::receive(std::size_t keep) {
  transport::batch* b = next();
  if (b == nullptr) {
    // Kept batches are released in the end, or the sender would wait for their credits for ever.
    if (!kept_.empty()) {
      end_.release(kept_.front());
      kept_.pop_front();
    }
    return false;
  }
  const label l = label_of({b->data(), b->size});
  check_batch(b, l);
  if (b->is_bulk()) check_bulk(b, l);
  kept_.push_back(b);
  while (kept_.size() > keep) {
    // Not always in the order of arrival.
    const auto chosen = kept_.begin() + static_cast<std::ptrdiff_t>(keep == 0 ? 0 : below(kept_.size()));
    end_.release(*chosen);
    kept_.erase(chosen);
  }
  return true;
}

void pe_under_test::check_batch(transport::batch* b, const label& l) {
  peer& p = peer_of(b->from);
  expect(l.number == p.received, "batch " + std::to_string(l.number) + " from PE " + std::to_string(b->from) +
                                     " arrived, expected was " + std::to_string(p.received));
  ++p.received;
  expect(is_filled({b->data() + sizeof l, b->size - sizeof l}, b->from, pe(), l.number), "a batch arrives unchanged");
  expect(!p.done, "nothing arrives behind the last batch of a PE");
  expect(b->bulk_bytes == l.bulk_bytes, "an arrived batch says whether it is a bulk, and of which size");
  if (l.done) {
    p.done = true;
  } else {
    ++received_;
  }
}

void pe_under_test::check_bulk(transport::batch* b, const label& l) {
  auto found = std::find_if(landings_.begin(), landings_.end(), [&](const landing& at) {
    return at.check == check_ && at.from == b->from && at.number == l.number;
  });
  expect(found != landings_.end() && b->bulk_data == found->bytes.data(), "a bulk lands where place() said");
  const std::span<const std::byte> all = found->bytes;
  expect(is_filled(all.first(b->bulk_bytes), b->from, pe(), l.number),
         "a bulk of " + std::to_string(b->bulk_bytes) + " bytes arrives unchanged");
  const auto behind = all.subspan(b->bulk_bytes);
  expect(std::all_of(behind.begin(), behind.end(), [](std::byte x) { return x == guard; }),
         "a bulk does not reach beyond its place");
  landings_.erase(found);
}

// ---- the end of a check

void pe_under_test::finish_check(const char* name) {
  for (pe_id to = 0; to < pe_count(); ++to) {
    if (to != pe()) end_.post(labelled(to, sizeof(label), 0, true), to);
  }
  peer_of(pe()).done = true;
  receive_until([&] { return std::all_of(peers_.begin(), peers_.end(), [](const peer& p) { return p.done; }); },
                "the other PEs do not finish");
  receive_until([&] { return kept_.empty() && sources_.empty(); }, "done() of a bulk is not called");
  expect(std::none_of(landings_.begin(), landings_.end(), [&](const landing& at) { return at.check == check_; }),
         "each place is used");
  receive_until(
      [&] {
        for (pe_id to = 0; to < pe_count(); ++to) {
          if (to != pe() && end_.on_the_way(to) != 0) return false;
        }
        return true;
      },
      "on_the_way() does not return to 0");
  if (pe() == 0) std::printf("  %s\n", name);
  std::fill(peers_.begin(), peers_.end(), peer{});
  received_ = 0;
  ++check_;
}

}  // namespace tsubu::conformance
