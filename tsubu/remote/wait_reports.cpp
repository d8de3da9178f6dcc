#include "tsubu/remote/wait_reports.hpp"

#include <algorithm>
#include <map>
#include <source_location>
#include <utility>

#include "tsubu/base/program_lines.hpp"
#include "tsubu/remote/collectives/collective_box.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/task/back_trace.hpp"

namespace tsubu::remote {
namespace {

constexpr int most_lines = 50;

std::string line_of(const std::source_location& at) {
  return std::string(at.file_name()) + ':' + std::to_string(at.line());
}

// The program's lines that await the task of that wait, nearest first, without folders, so that many can be read:
// "tsubu:     awaited at work.cpp:20, tree.cpp:31 (9 times), main.cpp:7".
std::string awaited_at(const wait_record& w) {
  constexpr std::size_t most = 8;
  struct awaiting_line {
    std::string text;
    int times;
  };
  std::vector<awaiting_line> lines;
  // The task of an awaited call of ours, such as epoch(), waits at the line that awaits it.
  bool is_the_same_line = true;
  detail::for_each_that_waits(w, [&](const detail::promise_base& task) {
    if (!task.parent()) return false;
    const std::source_location at = task.awaited_at();
    if (is_of_the_runtime(at.file_name())) return true;
    std::string text = line_of(at);
    if (std::exchange(is_the_same_line, false) && text == line_of(w.where)) return true;
    text.erase(0, text.rfind('/') + 1);
    if (!lines.empty() && lines.back().text == text)
      ++lines.back().times;
    else
      lines.push_back({std::move(text), 1});
    return true;
  });
  std::string all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == most) {
      all += ", and " + std::to_string(lines.size() - most) + " more";
      break;
    }
    all += (i == 0 ? "tsubu:     awaited at " : ", ") + lines[i].text;
    if (lines[i].times > 1) all += " (" + std::to_string(lines[i].times) + " times)";
  }
  return all.empty() ? all : all + '\n';
}

// A few are shown of those that wait at one place of the program, so that a thousand of them do not hide the others.
class lines_by_place {
 public:
  explicit lines_by_place(const std::string& begin) : begin_(begin) {}

  void add(const wait_reports::wait_text& w, const std::string& behind) {
    const std::string place = w.what + ", at " + w.at;
    count& here = by_place_[place];
    if (++here.waiting > most_of_a_place || lines_ == most_lines) return;
    ++here.shown;
    ++lines_;
    text_ += begin_ + w.line() + '\n' + behind;
  }

  std::string text() const {
    std::string all = text_;
    for (const auto& [place, here] : by_place_) {
      const int left = here.waiting - here.shown;
      if (left > 0) all += begin_ + "and " + std::to_string(left) + " more wait for " + place + '\n';
    }
    return all;
  }

 private:
  static constexpr int most_of_a_place = 10;
  struct count {
    int waiting = 0, shown = 0;
  };
  const std::string begin_;
  std::string text_;
  int lines_ = 0;
  std::map<std::string, count> by_place_;
};

}  // namespace

void wait_reports::describe_by(describer d) { describers_.push_back(d); }

void wait_reports::list_by(lister l) { listers_.push_back(l); }

void wait_reports::report_by(reporter r) { reporters_.push_back(r); }

std::string wait_reports::wait_text::line() const {
  return who + " waits for " + what + (whom.empty() ? "" : " (" + whom + ")") + ", at " + at;
}

wait_reports::wait_text wait_reports::describe(const pe& of, const wait_record& w) const {
  wait_text known;
  for (auto d = describers_.rbegin(); d != describers_.rend(); ++d) {
    wait_text text = (*d)(w);
    if (!text.listed) return text;
    for (std::string wait_text::* part : {&wait_text::who, &wait_text::what, &wait_text::whom, &wait_text::at}) {
      if ((known.*part).empty()) known.*part = std::move(text.*part);
    }
  }
  if (known.who.empty()) known.who = "a task";
  if (known.what.empty()) {
    known.what = w.what;
    if (known.whom.empty()) known.whom = of.replies.describe(w.object);
    if (known.whom.empty()) known.whom = of.collectives->describe(w.object);
  }
  return known;
}

std::string wait_reports::lines_of_waits(const pe& of, const std::string& begin) const {
  lines_by_place lines(begin);
  of.tasks.for_each_waiting([&](const wait_record& w) {
    wait_text known = describe(of, w);
    if (!known.listed) return;
    // Who says a place of his own means the wait, not the tasks that it is part of.
    const std::string behind = known.at.empty() ? awaited_at(w) : std::string();
    if (known.at.empty()) known.at = line_of(w.where);
    lines.add(known, behind);
  });
  for (const lister l : listers_) {
    for (const wait_text& w : l()) lines.add(w, {});
  }
  return lines.text();
}

std::string wait_reports::text(const pe& of) const {
  const std::string begin = "tsubu:   PE " + std::to_string(of.number()) + ": ";
  std::string text = lines_of_waits(of, begin);
  for (const std::string& line : of.collectives->unasked(most_lines)) text += begin + line + '\n';
  for (const reporter r : reporters_) {
    std::vector<std::string> reported = r();
    const std::size_t shown = std::min<std::size_t>(reported.size(), most_lines);
    for (std::size_t i = 0; i < shown; ++i) text += begin + reported[i] + '\n';
    if (shown < reported.size()) text += begin + "and " + std::to_string(reported.size() - shown) + " like these\n";
  }
  return text;
}

}  // namespace tsubu::remote
