#include "tsubu/remote/printing/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "tsubu/message/handler.hpp"
#include "tsubu/remote/messages/send.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/printing/line_settings.hpp"

namespace tsubu {
namespace remote {
namespace {

// "12.3 M".
std::string scaled(double n) {
  constexpr const char* units[] = {"", " k", " M", " G", " T", " P"};
  std::size_t unit = 0;
  for (; n >= 999.5 && unit + 1 < std::size(units); ++unit) n /= 1000;
  return unit == 0 ? fmt::format("{:.0f}", n)
                   : fmt::format("{:.{}f}{}", n,
                                 n < 9.995   ? 2
                                 : n < 99.95 ? 1
                                             : 0,
                                 units[unit]);
}

// "46 s", "12:34" or "1:02:03".
std::string duration(double seconds) {
  const auto s = static_cast<std::int64_t>(seconds + 0.5);
  if (s < 100) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

// A bar as PE 0 sees it: what it knows of each PE.
class shown_bar {
 public:
  explicit shown_bar(const progress& of, std::string name)
      : of_(of), name_(std::move(name)), of_pes_(static_cast<std::size_t>(current_pe->count())) {
    began_ns_ = current_pe->tasks.now();
    due_ns_ = began_ns_ + lines_configured().progress_every_ns;
  }

  const progress& of() const { return of_; }
  const std::string& name() const { return name_; }
  void take(pe_id from, std::int64_t done, std::int64_t total) {
    count& of = of_pes_[static_cast<std::size_t>(from)];
    const count now{static_cast<double>(done), static_cast<double>(total)};
    done_ += now.done - of.done;
    total_ += now.total - of.total;
    of = now;
  }
  bool due() const { return current_pe->tasks.now() >= due_ns_; }
  void draw() {
    const line_settings& how = lines_configured();
    const std::int64_t now_ns = current_pe->tasks.now();
    due_ns_ = now_ns + how.progress_every_ns;
    if (how.on_terminal) {
      draw_on_terminal(text(now_ns));
    } else {
      write_whole(stream::error, text(now_ns) + '\n');
    }
  }

 private:
  std::string text(std::int64_t now_ns) const {
    if (done_ == 0 && total_ == 0) return name_;
    const double rate = done_ / std::max(static_cast<double>(now_ns - began_ns_) * 1e-9, 1e-9);
    if (total_ <= 0) return fmt::format("{}: {}, {}/s", name_, scaled(done_), scaled(rate));
    std::string line =
        fmt::format("{}: {} of {} ({:.0f} %)", name_, scaled(done_), scaled(total_), 100 * done_ / total_);
    if (done_ > 0 && done_ < total_)
      line += fmt::format(", {}/s, {} left", scaled(rate), duration((total_ - done_) / rate));
    return line;
  }

  struct count {
    double done = 0;
    double total = 0;
  };
  const progress& of_;
  std::string name_;
  std::vector<count> of_pes_;
  double done_ = 0;
  double total_ = 0;
  std::int64_t began_ns_;
  std::int64_t due_ns_;
};

// On PE 0; the last one is drawn.
const pe_local<std::vector<std::unique_ptr<shown_bar>>> shown;

// On PE 0.
void take_report(pe_id from, std::string_view name, std::int64_t done, std::int64_t total) {
  for (const auto& bar : *shown) {
    if (bar->name() != name) continue;
    bar->take(from, done, total);
    if (bar == shown->back() && bar->due()) bar->draw();
  }
}

struct progress_report {
  using layout = wire::layout<std::int64_t, std::int64_t, std::string>;
  static void call(const message::delivery& d, std::int64_t done, std::int64_t total, const std::string& name) {
    take_report(d.from, name, done, total);
  }
};

}  // namespace
}  // namespace remote

progress::progress(std::string_view name, std::int64_t total) : total_(total) {
  if (remote::current_pe == nullptr) remote::outside_a_job("progress()");
  const remote::line_settings& how = remote::lines_configured();
  if (!how.progress) return;
  name_ = name;
  looked_ns_ = remote::current_pe->tasks.now();
  due_ns_ = looked_ns_ + how.progress_every_ns;
  look_at_ = 1;
  if (this_pe() != 0) return;
  remote::shown->push_back(std::make_unique<remote::shown_bar>(*this, name_));
  remote::take_report(0, name_, 0, total_);
  if (how.on_terminal) remote::shown->back()->draw();
}

progress::~progress() {
  if (look_at_ == never) return;
  if (!remote::job_goes_on()) {
    remote::draw_on_terminal("");
    return;
  }
  if (this_pe() != 0) {
    tell();  // its last word
    return;
  }
  std::erase_if(*remote::shown, [&](const auto& bar) { return &bar->of() == this; });
  if (remote::lines_configured().on_terminal) remote::draw_on_terminal("");
}

void progress::look() {
  constexpr std::int64_t between_looks_ns = 20'000'000;
  const std::int64_t now_ns = remote::current_pe->tasks.now();
  const std::int64_t step = std::max<std::int64_t>(done_ - looked_done_, 1);
  // As many as take so long at this pace; never more than twice as many as the last time, for the pace may change.
  const auto pace = static_cast<double>(step) / static_cast<double>(std::max<std::int64_t>(now_ns - looked_ns_, 1));
  const auto wanted = static_cast<std::int64_t>(std::min(pace * between_looks_ns, 1e15));
  look_at_ = done_ + std::clamp<std::int64_t>(wanted, 1, 2 * step);
  looked_ns_ = now_ns;
  looked_done_ = done_;
  if (now_ns >= due_ns_) tell();
}

void progress::tell() {
  due_ns_ = remote::current_pe->tasks.now() + remote::lines_configured().progress_every_ns;
  if (this_pe() == 0) return remote::take_report(0, name_, done_, total_);
  const task_group_scope outside(nullptr);
  remote::send<remote::progress_report>(0, done_, total_, name_);
}

}  // namespace tsubu
