#include "abcl/machine/processor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "abcl/machine/parts.hpp"
#include "abcl/machine/recorder.hpp"
#include "abcl/runtime/integers.hpp"
#include "abcl/runtime/most_nested_calls.hpp"

namespace abcl::machine {

using code::entry;
using code::opcode;
using code::reactive;
namespace words = code::words;

namespace {

// Registers beyond the ten: what addresses memory, and one for operands that are not there.
constexpr int segment_register = 10, node_register = 11, frame_register = 12, no_register = 15;
constexpr std::size_t stack_margin = 4096;  // for the arguments of a call

std::int8_t register_of(code::value v) {
  switch (v) {
    case code::none:
      return no_register;
    case code::segment:
      return segment_register;
    case code::node:
      return node_register;
    case code::frame:
      return frame_register;
    default:
      return static_cast<std::int8_t>(v);
  }
}

}  // namespace

int layout_of_texts(const image& of) {
  const auto found = std::find(of.layouts.begin(), of.layouts.end(), code::layout{1});
  return static_cast<int>(found - of.layouts.begin());
}

processor::processor(int node, std::shared_ptr<const image> of, surroundings& outside, const costs& c)
    : node_(node), outside_(outside), costs_(c), memory_(node, outside), services_(node, memory_, heap_, outside) {
  stack_.resize(stack_margin);
  use(std::move(of));
}

void processor::use(std::shared_ptr<const image> more) {
  const std::size_t known = image_ == nullptr ? 0 : image_->classes.size();
  image_ = std::move(more);
  decode();
  if (image_->classes.size() > words::most_classes)
    outside_.fail(-1, fmt::format("a program may have {} classes", words::most_classes));
  // The creator expects that there is one in stock.
  for (std::size_t c = known; c < image_->classes.size(); ++c)
    memory_[static_cast<std::size_t>(words::stock) + c] = new_segment(static_cast<int>(c));
}

void processor::decode() {
  for (std::size_t i = code_.size(); i < image_->code.size(); ++i) {
    const code::instruction& from = image_->code[i];
    instruction to;
    to.what = from.what;
    to.note = from.note;
    to.d = register_of(from.d);
    to.a = register_of(from.a);
    to.b = register_of(from.b);
    to.c = register_of(from.c);
    to.is_immediate = from.b == code::none;
    to.t = from.t;
    to.u = from.u;
    to.k = from.k;
    to.site = from.site;
    code_.push_back(to);
  }
}

// ---- memory

std::uint32_t processor::new_segment(int class_number) {
  return memory_.new_segment(image_->classes[static_cast<std::size_t>(class_number)], class_number);
}

// What is written to, or told to be complete, must not have been used by another reply.
void processor::check_box(const packet& p) {
  const word box = p.what == packet::kind::write ? p.address : p.datum;
  if (!memory_.is_open(box)) [[unlikely]]
    outside_.fail(static_cast<int>(p.site), "a second reply to a question that has been answered");
}

word processor::new_object(int class_number) {
  const auto stock = static_cast<std::size_t>(words::stock + class_number);
  const auto at = static_cast<std::uint32_t>(memory_[stock]);
  const word rest = memory_[at + words::tail];
  memory_[stock] = rest != 0 ? rest : new_segment(class_number);
  return name_of(node_, at);
}

// Whether (non-resume) leaves its clause when the wait ends. (Only classes with express clauses have that word.)
bool processor::is_left(std::uint32_t object) const {
  return memory_[object + words::interruptible] != 0 && memory_[object + words::dropped] != 0;
}

std::vector<processor::waiting> processor::waiting_objects() const {
  std::vector<waiting> all;
  for (const node_memory::segment& s : memory_.segments()) {
    const auto now = static_cast<reactive>(memory_[s.at + words::reactive]);
    const bool accepts = now == reactive::accepting || now == reactive::accepting_open;
    if (now == reactive::waiting_one || now == reactive::waiting || now == reactive::waiting_open ||
        (accepts && s.in_clause))
      all.push_back({name_of(node_, s.at), s.class_number, s.site, accepts, is_left(s.at), s.asked});
  }
  return all;
}

// Segments in stock are ready for objects that nobody has created yet.
std::size_t processor::objects() const {
  std::size_t ready = 0;
  for (std::size_t c = 0; c < image_->classes.size(); ++c) {
    for (word at = memory_[static_cast<std::size_t>(words::stock) + c]; at != 0; at = memory_[at + words::tail])
      ++ready;
  }
  return memory_.segments().size() - ready;
}

// ---- packets

void processor::flush() {
  if (clocks_ == 0) return;
  outside_.spend(clocks_);
  clocks_ = 0;
}

void processor::execute(const packet& p) {
  if (stopped_) return;
  ++counts_.packets;
  if (recorder_ != nullptr) [[unlikely]]
    recorder_->begins();
  sent_at_ = -1;
  given_up_ = 0;
  switch (p.what) {
    case packet::kind::write:
      check_box(p);
      ++counts_.writes;
      memory_[address_of(p.address) + p.number] = p.datum;
      clocks_ += costs_.write;
      break;
    case packet::kind::to_object: {
      const std::uint32_t object = address_of(p.address);
      registers_[0] = p.datum;
      if (recorder_ != nullptr) [[unlikely]]
        record(p);
      if (p.number == static_cast<std::uint32_t>(entry::answer)) {
        clocks_ += costs_.match;
        run(static_cast<std::uint32_t>(memory_[object + words::place]), object);
        break;
      }
      if (p.number == static_cast<std::uint32_t>(entry::reply)) {
        check_box(p);
        memory_.has_reply(address_of(p.datum));
      }
      sent_at_ = static_cast<int>(p.site);
      if (p.number <= static_cast<std::uint32_t>(entry::express)) memory_.was_sent_at(address_of(p.datum), sent_at_);
      const int at = image_->reactive[memory_[object + words::reactive]][p.number];
      run(static_cast<std::uint32_t>(at), object);
      break;
    }
    case packet::kind::to_node:
      registers_[0] = p.datum;
      registers_[1] = p.number >> 8;
      run(static_cast<std::uint32_t>(image_->handlers[p.number & 0xff]), 0);
      break;
  }
  flush();
  if (recorder_ != nullptr) [[unlikely]]
    recorder_->ends();
}

void processor::execute_value(const packet& p, int kind, std::string_view bytes) {
  if (stopped_) return;
  ++counts_.packets;
  if (recorder_ != nullptr) [[unlikely]]
    recorder_->begins();
  check_box(p);
  const word value = heap_.load(bytes, kind, image_->layouts);
  memory_[address_of(p.address) + p.number] = value;
  clocks_ += costs_.write;
  flush();
  if (recorder_ != nullptr) [[unlikely]]
    recorder_->ends();
}

// ---- what is recorded

void processor::record(const packet& p) {
  const std::uint32_t object = address_of(p.address);
  recorder_->clocks(clocks_);
  if (p.number == static_cast<std::uint32_t>(entry::answer)) {
    recorder_->answered(object);
  } else if (p.mark != 0) {
    recorder_->arrives(address_of(p.datum), p.mark);
  }
}

// The instruction is about to be executed.
void processor::record(const instruction& i, std::uint32_t object, std::uint64_t executed) {
  if (object == 0) return;  // the node does it
  namespace notes = code::notes;
  const word* const r = registers_;
  recorder_->clocks(clocks_ + executed);
  switch (i.what) {
    case opcode::put:
      recorder_->puts(r[i.a], static_cast<int>(i.k), r[i.b], i.note);
      break;
    case opcode::put_heap:
      recorder_->puts(r[i.a], static_cast<int>(i.k),
                      i.u == 1 ? fmt::format("\"{}\"", heap_.text_of(r[i.b])) : std::string("(array)"));
      break;
    case opcode::send:
      switch (static_cast<entry>(i.k)) {
        case entry::message:
        case entry::express:
          mark_ = recorder_->sends(object, r[i.a], r[i.b], image_->selectors[selector_of(r[i.b])],
                                   static_cast<entry>(i.k) == entry::express);
          break;
        case entry::reply:
        case entry::future:
          mark_ = recorder_->replies(object, r[i.a], r[i.b]);
          break;
        case entry::start:
          recorder_->creates(object, r[i.a], image_->classes[static_cast<std::size_t>(i.u)].name);
          break;
        default:
          break;
      }
      break;
    case opcode::give_box:
      if (i.note != 0) recorder_->takes(object, address_of(r[i.a]), i.note);
      break;
    case opcode::load:
      if (i.note == notes::touches)
        recorder_->takes(object, address_of(memory_[address_of(r[i.a]) + static_cast<std::uint32_t>(i.k)]),
                         notes::reply);
      break;
    case opcode::link:
      recorder_->links(object, static_cast<reactive>(i.k), i.note);
      break;
    case opcode::go:
      if (i.note == notes::resumes) recorder_->resumes(object);
      break;
    case opcode::service:
      if (static_cast<code::service>(i.k) == code::service::ask_outside) recorder_->asks_outside(object);
      break;
    default:
      break;
  }
}

// ---- instructions

void processor::fail(const instruction& i, const std::string& what) {
  outside_.fail(i.site >= 0 ? i.site : sent_at_, what);
  std::abort();  // not reached
}

void processor::call(const instruction& i, std::uint32_t from) {
  const image::function_code& f = image_->functions[static_cast<std::size_t>(i.k)];
  calls_.push_back(from);
  calls_.push_back(static_cast<std::uint32_t>(registers_[frame_register]));
  if (calls_.size() > 2 * std::size_t{most_nested_calls}) [[unlikely]]
    outside_.fail(f.site, std::string(nested_too_deep));
  const std::size_t frame = registers_[frame_register] + static_cast<word>(i.u);
  if (frame + static_cast<std::size_t>(f.words) + stack_margin > stack_.size()) {
    stack_.resize(std::max(stack_.size() * 2, frame + static_cast<std::size_t>(f.words) + stack_margin));
  }
  registers_[frame_register] = frame;
}

void processor::collect_within_sequence() {
  const std::size_t frames = std::min(stack_.size(), registers_[frame_register] + 2 * stack_margin);
  heap_.collect({memory_.in_use(), {registers_, std::size(registers_)}, {stack_.data(), frames}});
}

void processor::run(std::uint32_t at, std::uint32_t object) {
  try {
    if (recorder_ != nullptr) {
      steps<true, false>(at, object);
    } else if (asked_to_stop_ == nullptr) {
      steps<false, false>(at, object);
    } else {
      steps<false, true>(at, object);
    }
  } catch (...) {
    if (object != 0) {
      given_up_ = name_of(node_, object);
      end_object(object);
    }
    throw;
  }
}

void processor::end_object(word object) {
  const auto end = std::find_if(code_.begin(), code_.end(), [](const instruction& i) { return i.what == opcode::end; });
  set(object, words::reactive, static_cast<word>(reactive::ended));
  set(object, words::place, static_cast<word>(end - code_.begin()));
}

template <bool recorded, bool watched>
void processor::steps(std::uint32_t at, std::uint32_t object) {
  word* const r = registers_;
  r[segment_register] = object;
  r[node_register] = 0;
  r[frame_register] = 0;
  r[no_register] = 0;
  calls_.clear();
  const instruction* const code = code_.data();
  const instruction* pc = code + at;
  std::uint64_t executed = 0;
  // A packet leaves after what has been executed before.
  const auto leaves = [&] {
    counts_.instructions += executed;
    clocks_ += std::exchange(executed, 0);
    flush();
    ++counts_.sends;
  };
  const auto operand = [&](const instruction& i) { return i.is_immediate ? bits(i.k) : r[i.b]; };
  const auto stop_if_asked = [&](const instruction& i) {
    if constexpr (watched) {
      if (asked_to_stop_->load(std::memory_order_relaxed)) fail(i, "interrupted");
    }
  };
  const auto go_to = [&](const instruction& i) {
    stop_if_asked(i);
    pc = code + i.t;
  };
  for (;;) {
    const instruction& i = *pc++;
    ++executed;
    if constexpr (recorded) record(i, object, executed);
    switch (i.what) {
      // ---- packets
      case opcode::send:
      case opcode::ask_node: {
        if (r[i.a] == 0) [[unlikely]]
          fail(i, "a message to nil");
        leaves();
        if (i.what == opcode::send && i.k <= static_cast<std::int64_t>(entry::express))
          memory_.segment_at(object).asked = r[i.a];
        outside_.send(node_of(r[i.a]),
                      {r[i.a], r[i.b], static_cast<std::uint32_t>(i.k), static_cast<std::uint32_t>(i.site),
                       i.what == opcode::send ? packet::kind::to_object : packet::kind::to_node,
                       recorded ? std::exchange(mark_, 0) : 0});
        break;
      }
      case opcode::put:
        if (r[i.a] == 0) [[unlikely]]
          fail(i, "a reply to nil");
        leaves();
        outside_.send(node_of(r[i.a]), {r[i.a], r[i.b], static_cast<std::uint32_t>(i.k),
                                        static_cast<std::uint32_t>(i.site), packet::kind::write});
        break;
      case opcode::put_heap: {
        if (r[i.a] == 0) [[unlikely]]
          fail(i, "a reply to nil");
        leaves();
        std::string copy;
        heap_.save(r[i.b], i.u, image_->layouts, copy);
        outside_.send_value(
            node_of(r[i.a]),
            {r[i.a], 0, static_cast<std::uint32_t>(i.k), static_cast<std::uint32_t>(i.site), packet::kind::write}, i.u,
            std::move(copy));
        break;
      }
      case opcode::link: {
        memory_[object + words::reactive] = static_cast<word>(i.k);
        if (i.k != static_cast<std::int64_t>(reactive::busy)) {
          node_memory::segment& s = memory_.segment_at(object);
          s.site = i.site;
          s.in_clause = i.note == code::notes::in_clause;
        }
        break;
      }
      case opcode::end:
        clocks_ += executed;
        counts_.instructions += executed;
        if (heap_.is_full(memory())) [[unlikely]]
          heap_.collect({{memory_.in_use()}});
        return;
      case opcode::go:
        pc = code + r[i.a];
        break;
      case opcode::keep_place:
        ++counts_.stores;
        memory_[object + static_cast<std::uint32_t>(i.k)] = static_cast<word>(i.t);
        break;
      case opcode::give_box:
        ++counts_.stores;
        memory_.give_first(address_of(r[i.a]));
        break;

      // ---- names
      case opcode::pack:
        r[i.d] = message_of(address_of(r[i.a]), static_cast<word>(i.k), static_cast<word>(i.u));
        break;
      case opcode::pack_early:
        r[i.d] = message_of(address_of(r[i.a]), static_cast<word>(i.k), static_cast<word>(i.u)) | early_bit;
        break;
      case opcode::selector:
        r[i.d] = kind_of(r[i.a]);
        break;
      case opcode::box_of:
        r[i.d] = address_of(r[i.a]);
        break;
      case opcode::name_box:
        r[i.d] = memory_.name(address_of(r[i.a]));
        break;
      case opcode::name_future:
        r[i.d] = name_of(node_, address_of(r[i.a])) | future_bit;
        break;
      case opcode::pair:
        r[i.d] = pair_of(address_of(r[i.a]), address_of(r[i.b]));
        break;
      case opcode::future_of:
        r[i.d] = future_of(r[i.a]);
        break;
      case opcode::is_future:
        r[i.d] = (r[i.a] & future_bit) != 0 ? 1 : 0;
        break;
      case opcode::is_early:
        r[i.d] = (r[i.a] & early_bit) != 0 ? 1 : 0;
        break;
      case opcode::me:
        r[i.d] = name_of(node_, object);
        break;
      case opcode::neighbour:
        r[i.d] = name_of(outside_.neighbour(static_cast<int>(i.k)), 1);
        break;
      case opcode::neighbours:
        r[i.d] = name_of(outside_.neighbour(turn_), 1);
        turn_ ^= 1;
        break;
      case opcode::node_at:
        if (r[i.a] >= static_cast<word>(outside_.nodes())) [[unlikely]]
          fail(i, fmt::format("there is no node {}", number(r[i.a])));
        r[i.d] = name_of(static_cast<int>(r[i.a]), 1);
        break;

      // ---- values
      case opcode::set:
        r[i.d] = bits(i.k);
        break;
      case opcode::text:
        r[i.d] = heap_.constant(static_cast<std::size_t>(i.k), image_->strings[static_cast<std::size_t>(i.k)]);
        break;
      case opcode::move:
        r[i.d] = r[i.a];
        break;
      case opcode::add:
        r[i.d] = r[i.a] + operand(i);
        break;
      case opcode::subtract:
        r[i.d] = r[i.a] - operand(i);
        break;
      case opcode::multiply:
        r[i.d] = r[i.a] * operand(i);
        break;
      case opcode::divide: {
        const std::int64_t by = number(operand(i));
        if (by == 0) [[unlikely]]
          fail(i, "division by zero");
        r[i.d] = bits(quotient(number(r[i.a]), by));
        break;
      }
      case opcode::modulo: {
        const std::int64_t by = number(operand(i));
        if (by == 0) [[unlikely]]
          fail(i, "division by zero");
        r[i.d] = bits(floored_remainder(number(r[i.a]), by));
        break;
      }
      case opcode::add_real:
        r[i.d] = bits(real(r[i.a]) + real(r[i.b]));
        break;
      case opcode::subtract_real:
        r[i.d] = bits(real(r[i.a]) - real(r[i.b]));
        break;
      case opcode::multiply_real:
        r[i.d] = bits(real(r[i.a]) * real(r[i.b]));
        break;
      case opcode::divide_real:
        r[i.d] = bits(real(r[i.a]) / real(r[i.b]));
        break;
      case opcode::negate_real:
        r[i.d] = bits(-real(r[i.a]));
        break;
      case opcode::root:
        r[i.d] = bits(std::sqrt(real(r[i.a])));
        break;
      case opcode::to_integer: {
        const double x = real(r[i.a]);
        if (!is_an_integer(x)) [[unlikely]]
          fail(i, "the number is no Int");
        r[i.d] = bits(static_cast<std::int64_t>(x));
        break;
      }
      case opcode::to_real:
        r[i.d] = bits(static_cast<double>(number(r[i.a])));
        break;
      case opcode::equal:
        r[i.d] = r[i.a] == operand(i) ? 1 : 0;
        break;
      case opcode::unequal:
        r[i.d] = r[i.a] != operand(i) ? 1 : 0;
        break;
      case opcode::less:
        r[i.d] = number(r[i.a]) < number(operand(i)) ? 1 : 0;
        break;
      case opcode::at_most:
        r[i.d] = number(r[i.a]) <= number(operand(i)) ? 1 : 0;
        break;
      case opcode::less_real:
        r[i.d] = real(r[i.a]) < real(r[i.b]) ? 1 : 0;
        break;
      case opcode::at_most_real:
        r[i.d] = real(r[i.a]) <= real(r[i.b]) ? 1 : 0;
        break;
      case opcode::equal_real:
        r[i.d] = real(r[i.a]) == real(r[i.b]) ? 1 : 0;
        break;
      case opcode::unequal_real:
        r[i.d] = real(r[i.a]) != real(r[i.b]) ? 1 : 0;
        break;
      case opcode::flip:
        r[i.d] = r[i.a] == 0 ? 1 : 0;
        break;

      // ---- memory
      case opcode::load:
        ++counts_.loads;
        r[i.d] = i.a == frame_register ? stack_[r[frame_register] + static_cast<word>(i.k)]
                                       : memory_[address_of(r[i.a]) + static_cast<std::uint32_t>(i.k)];
        break;
      case opcode::store:
        ++counts_.stores;
        if (i.a == frame_register) {
          stack_[r[frame_register] + static_cast<word>(i.k)] = r[i.b];
        } else {
          memory_[address_of(r[i.a]) + static_cast<std::uint32_t>(i.k)] = r[i.b];
        }
        break;

      // ---- control
      case opcode::jump:
        go_to(i);
        break;
      case opcode::if_equal:
        if (r[i.a] == operand(i)) go_to(i);
        break;
      case opcode::if_unequal:
        if (r[i.a] != operand(i)) go_to(i);
        break;
      case opcode::if_less:
        if (number(r[i.a]) < number(operand(i))) go_to(i);
        break;
      case opcode::if_at_most:
        if (number(r[i.a]) <= number(operand(i))) go_to(i);
        break;
      case opcode::if_greater:
        if (number(r[i.a]) > number(operand(i))) go_to(i);
        break;
      case opcode::if_at_least:
        if (number(r[i.a]) >= number(operand(i))) go_to(i);
        break;
      case opcode::argument:
        stack_[r[frame_register] + static_cast<word>(i.u) + static_cast<word>(i.k)] = r[i.a];
        break;
      case opcode::call:
        stop_if_asked(i);
        call(i, static_cast<std::uint32_t>(pc - code));
        pc = code + image_->functions[static_cast<std::size_t>(i.k)].begin;
        break;
      case opcode::result:
        r[i.d] = stack_[r[frame_register] + static_cast<word>(i.u) + static_cast<word>(i.k)];
        break;
      case opcode::give_result:
        stack_[r[frame_register] + static_cast<word>(i.k)] = r[i.a];
        break;
      case opcode::leave:
        r[frame_register] = calls_.back();
        calls_.pop_back();
        pc = code + calls_.back();
        calls_.pop_back();
        break;
      case opcode::service: {
        const auto what = static_cast<code::service>(i.k);
        stopped_ |= what == code::service::exit;
        const word d = services_.call(
            {what, i.u, r[i.a], r[i.b], r[i.c], i.b != no_register, object, i.site >= 0 ? i.site : sent_at_}, *image_);
        r[i.d] = d;
        r[no_register] = 0;
        // A long sequence: registers and frames of functions have handles, too.
        if (heap_.is_full(memory())) [[unlikely]]
          collect_within_sequence();
        break;
      }
      case opcode::fail:
        fail(i, image_->strings[static_cast<std::size_t>(i.k)]);

      default:
        outside_.fail(i.site, "an instruction that the machine does not have");
    }
  }
}

}  // namespace abcl::machine
