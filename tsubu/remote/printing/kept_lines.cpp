// Lines that are kept on their PE until they are printed in the order of the PEs.
//
// PE 0 prints them all: it asks one PE after the other, for a piece at a time, so that it holds one piece of text and
// not all. At the end of the job it knows whom to ask, since a PE that begins to keep lines has told it so.
#include <string>
#include <utility>
#include <vector>

#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/printing/line_settings.hpp"
#include "tsubu/remote/termination/quiescence.hpp"

namespace tsubu {
namespace remote {
namespace {

constexpr std::size_t most_kept_bytes = std::size_t{16} << 20;  // of a PE
constexpr std::size_t piece_bytes = std::size_t{64} << 10;

class kept_lines {
 public:
  // Whether it is the first since they were taken.
  bool add(std::string line) {
    line += '\n';
    const bool first = text_.empty() && left_out_ == 0;
    if (left_out_ != 0 || text_.size() + line.size() > most_kept_bytes) {
      ++left_out_;
    } else {
      text_ += line;
    }
    return first;
  }
  bool empty() const { return text_.empty() && left_out_ == 0; }

  // The next piece; an empty one is the last.
  std::string take() {
    if (taken_ < text_.size()) {
      const std::size_t from = std::exchange(taken_, std::min(taken_ + piece_bytes, text_.size()));
      return text_.substr(from, taken_ - from);
    }
    text_ = {};
    taken_ = 0;
    if (left_out_ == 0) return "";
    return "tsubu: PE " + std::to_string(this_pe()) + ": " + std::to_string(std::exchange(left_out_, 0)) +
           " more lines were not kept: a PE keeps " + std::to_string(most_kept_bytes) + " bytes of them\n";
  }

 private:
  std::string text_;
  std::size_t taken_ = 0;  // of it
  std::uint64_t left_out_ = 0;
};
const pe_local<kept_lines> kept;
std::string take_kept() { return kept->take(); }

// On PE 0: who has told that it keeps lines.
const pe_local<std::vector<bool>> keepers;

// A piece may end inside a line, but nobody else prints to the output of PE 0 in between: what its tasks print is held
// up only here.
task<void> print_of(pe_id pe) {
  std::string rest;
  for (;;) {
    std::string piece = co_await at(pe).now<take_kept>();
    if (piece.empty()) break;
    const std::size_t whole = piece.rfind('\n') + 1;
    if (whole == 0) {  // in the midst of a long line
      rest += piece;
      continue;
    }
    write_whole(stream::output, rest + piece.substr(0, whole));
    rest = piece.substr(whole);
  }
}

task<void> print_of_keepers() {
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    if ((*keepers)[static_cast<std::size_t>(pe)]) co_await print_of(pe);
  }
  keepers->clear();
}

struct lines_are_kept {
  using layout = wire::layout<>;
  static void call(const message::delivery& d) {
    require(this_pe() == 0, "PE {} tells PE {} that it keeps lines", d.from, this_pe());
    if (keepers->empty()) {
      keepers->resize(static_cast<std::size_t>(pe_count()));
      current_pe->quiescence.before_the_end([] { spawn(print_of_keepers()); });
    }
    (*keepers)[static_cast<std::size_t>(d.from)] = true;
  }
};

}  // namespace

void keep_line(std::string line) {
  if (current_pe == nullptr) outside_a_job("say_in_order()");
  if (!kept->add(std::move(line))) return;
  const task_group_scope outside(nullptr);
  remote::send<lines_are_kept>(0);
}

}  // namespace remote

task<void> lines_printed() {
  const std::vector<char> keeps = co_await gather(static_cast<char>(remote::kept->empty() ? 0 : 1));
  for (std::size_t pe = 0; pe < keeps.size(); ++pe) {
    if (keeps[pe] != 0) co_await remote::print_of(static_cast<pe_id>(pe));
  }
  co_await barrier();
}

}  // namespace tsubu
