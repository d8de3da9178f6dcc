#include "tsubu/message/prediction.hpp"

#include <algorithm>

#include "tsubu/base/clock.hpp"
#include "tsubu/message/prediction_trace.hpp"

namespace tsubu::message {
namespace {

constexpr float newest_share = 1.0F / 8;

void take_into(float& mean, std::uint64_t value) {
  const auto v = static_cast<float>(value);
  mean = mean == 0 ? v : mean + (v - mean) * newest_share;
}

// The first instructions of a handler: they reach the second-level cache, which code and data share.
void fetch_code(const wire::handler_entry& handler) {
  constexpr int lines = 4, line_bytes = 64;
  const char* const code = reinterpret_cast<const char*>(handler.execute);
  for (int i = 0; i < lines; ++i) __builtin_prefetch(code + i * line_bytes, 0, 2);
}

std::unique_ptr<predictor> predictor_for(const prediction_settings& how, pe_id me) {
  switch (how.how) {
    case scheme::off:
      return nullptr;
    case scheme::trace:
      return make_trace_predictor(read_trace(how.follow, me));
    default:
      return make_predictor(how.how);
  }
}

}  // namespace

prediction::prediction(const prediction_settings& how, const run_reader& reader, pe_id me)
    : how_(how), reader_(reader), me_(me), predictor_(predictor_for(how, me)) {
  if (how_.only_worthwhile) idle_ticks_.resize(wire::handlers().size());
}

prediction::~prediction() = default;

// ---- what comes

void prediction::arrived(std::span<const std::byte> batch, pe_id from) {
  bool ended_idleness = std::exchange(idle_, false);
  if (ended_idleness) {
    ++counts_.arrivals;
    expects_ = count_ != 0;
    ready_ = expects_ && nth(0).ahead == nullptr;
    if (how_.only_worthwhile) take_into(idle_ticks_[idle_behind_], ticks() - idle_since_);
  }
  // Most batches that come to an idle PE are of one run, and as of any correct PE.
  if (batch.size() >= sizeof(format::run_header)) [[likely]] {
    const format::run_header header = format::read(batch.data());
    const std::uint32_t number = wire::number_in(header.handler);
    const std::span<wire::handler_entry* const> handlers = reader_.handlers();
    const wire::handler_entry* const handler = number < handlers.size() ? handlers[number] : nullptr;
    const std::span<const std::byte> packets = batch.subspan(sizeof header);
    if (handler != nullptr && handler->code == header.handler && handler->counted && header.length == packets.size() &&
        (handler->packet_bytes == 0 || handler->packet_bytes == packets.size())) [[likely]] {
      if (kept_of_ != handler) forget();  // it was for another message
      return note_one(*handler, from, packets.data(), packets.size(), ended_idleness);
    }
  }
  note_all(batch, from, ended_idleness);
}

void prediction::note_all(std::span<const std::byte> batch, pe_id from, bool ended_idleness) {
  for (std::span<const std::byte> left = batch; !left.empty();) {
    const arrived_run run = reader_.first_of(left, from, batch.data());
    if (left.data() == batch.data() && kept_of_ != run.handler) forget();
    if (run.to == no_pe && !run.in_bulk && run.handler->counted) {
      note(run.packets, *run.handler, ended_idleness);
      ended_idleness = false;
    }
    left = left.subspan(static_cast<std::size_t>(run.packets.end - left.data()));
  }
}

// A run of many packets is noted by its first and its last one.
void prediction::note(const wire::run& packets, const wire::handler_entry& handler, bool ended_idleness) {
  const std::byte* const first = packets.begin + packets.tag_bytes;
  const std::size_t bytes = handler.packet_bytes;
  const auto left = static_cast<std::size_t>(packets.end - first);
  note_one(handler, packets.from, first, bytes == 0 ? left : bytes, ended_idleness);
  if (bytes != 0 && left > bytes) note_one(handler, packets.from, packets.end - bytes, bytes, false);
}

void prediction::note_one(const wire::handler_entry& handler, pe_id from, const std::byte* at, std::size_t bytes,
                          bool ended_idleness) {
  idle_behind_ = static_cast<std::uint16_t>(handler.number);
  if (!how_.record.empty() && recorded_.size() < most_traced)
    recorded_.push_back(noted_message(handler, from, {at, bytes}));
  if (predictor_ == nullptr) return;
  if (noted_ - learned_ == most_arrivals) {
    ++counts_.overlooked;
    return;
  }
  arrival& a = arrivals_[noted_++ % most_arrivals];
  a.message.set(handler, from, {at, bytes});
  a.ended_idleness = ended_idleness;
}

// ---- when there is nothing to do

bool prediction::idle() {
  if (!idle_) begin_idleness();
  if (done_) [[likely]]
    return false;
  const std::uint64_t began = how_.only_worthwhile ? ticks() : 0;
  if (learns_) {
    if (learned_ != noted_) learn_one();
    learns_ = learned_ != noted_;
    if (!learns_) done_ = !worthwhile();
  }
  if (!learns_ && !done_) done_ = !do_parts();
  if (how_.only_worthwhile) {
    spent_ += ticks() - began;
    if (done_) take_into(preparing_ticks_, spent_);
  }
  return !done_;
}

void prediction::begin_idleness() {
  idle_ = true;
  done_ = predictor_ == nullptr;
  learns_ = true;
  computed_ = false;
  spent_ = 0;
  if (how_.only_worthwhile) idle_since_ = ticks();
}

// What comes while it is busy is foreseen, too, but not judged.
void prediction::learn_one() {
  const arrival& a = arrivals_[learned_++ % most_arrivals];
  const std::uint64_t id = a.message.id();
  const bool rightly = was_foreseen(a, id);
  predictor_->learn(a.message, id);
  if (rightly) {
    first_ = (first_ + 1) % most_foreseen;
    --count_;
  } else {
    start_again();
  }
}

bool prediction::was_foreseen(const arrival& a, std::uint64_t id) {
  const bool rightly = count_ != 0 && nth(0).id == id;
  if (a.ended_idleness && expects_) {
    ++counts_.expected;
    counts_.hits += rightly ? 1 : 0;
    counts_.late += rightly && !ready_ ? 1 : 0;
  }
  return rightly;
}

void prediction::start_again() {
  for (std::size_t i = 0; i < count_; ++i) counts_.wasted += static_cast<std::uint64_t>(nth(i).parts);
  count_ = 0;
  end_ = predictor_->here();
  asked_ = false;
}

bool prediction::worthwhile() {
  if (!how_.only_worthwhile) return true;
  const float idle_ticks = idle_ticks_[idle_behind_];
  if (idle_ticks == 0 || idle_ticks > preparing_ticks_) return true;
  ++counts_.declined;
  return false;
}

// One for each message that is foreseen. True: more is to be done for the first before it comes.
bool prediction::do_parts() {
  for (std::size_t i = 0; i < count_; ++i) prepare(nth(i));
  look_further();
  if (count_ == 0) return asked_;
  if (nth(0).ahead != nullptr) return true;
  compute_next();
  return false;
}

void prediction::prepare(foreseen& f) {
  if (f.ahead == nullptr) return;
  if (!f.ahead->prepare(f.parts, f.message.from, f.message.head.data())) {
    f.ahead = nullptr;
    return;
  }
  ++f.parts;
  ++counts_.prepared;
}

// One more message, if the predictor knows one.
void prediction::look_further() {
  if (count_ == most_foreseen) return;
  if (asked_) {
    asked_ = false;
    const noted_message* const next = predictor_->expect(end_);
    if (next == nullptr) return;
    foreseen& f = nth(count_++);
    f = {*next, next->id(), next->ahead(), 0};
    predictor_->go_on(end_, f.id);
    fetch_code(*f.message.handler);
    prepare(f);
  }
  predictor_->fetch(end_);
  asked_ = true;
}

// The next message, if that is of a pure function.
void prediction::compute_next() {
  const noted_message& next = nth(0).message;
  const wire::ahead_functions* const ahead = next.ahead();
  if (computed_ || ahead == nullptr || ahead->compute == nullptr) return;
  computed_ = true;
  ahead->compute(next.from, next.head.data());
}

// ---- what was computed

void prediction::keep(const wire::handler_entry& of, std::unique_ptr<kept_result> result) {
  ++counts_.called;
  kept_ = std::move(result);
  kept_of_ = &of;
}

void prediction::finish() {
  if (!how_.record.empty()) write_trace(how_.record, me_, recorded_, how_.force);
}

}  // namespace tsubu::message
