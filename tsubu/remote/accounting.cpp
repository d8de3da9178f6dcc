#include "tsubu/remote/accounting.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/base/tree.hpp"
#include "tsubu/message/handler.hpp"
#include "tsubu/message/ledger.hpp"
#include "tsubu/message/prediction.hpp"
#include "tsubu/remote/collectives/collective_box.hpp"
#include "tsubu/remote/messages/send.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::remote {
namespace {

struct ask_accounts : message::uncounted {
  using layout = wire::layout<>;
  static void call(const message::delivery& d) {
    const pe_id here = current_pe->number();
    require(here != 0 && d.from == tree_parent(here), "PE {} asks PE {} for its accounts", d.from, here);
    current_pe->accounts.ask();
  }
};
struct accounts_of : message::uncounted {
  using layout = wire::layout<std::vector<std::uint64_t>, std::vector<std::string>>;
  static void call(const message::delivery& d, const std::vector<std::uint64_t>& numbers,
                   std::vector<std::string> texts) {
    current_pe->accounts.answered(d.from, numbers, std::move(texts));
  }
};

// The accounts of a PE: these, then five numbers for each handler, then three for each PE, if pairs are counted.
enum : std::size_t {
  batches,
  batch_bytes,
  full,
  idle,
  old,
  order,
  bulks,
  peak_bytes,
  slept_ns,
  behind,
  given_way,
  idle_arrivals,
  expected,
  hits,
  late,
  prepared,
  wasted,
  called,
  used,
  declined,
  overlooked,
  probes,
  tests,
  of_ways,  // of collectives
  of_handlers = of_ways + collective_algorithms
};

std::size_t handler_count() { return wire::handlers().size(); }
std::size_t of_handler(std::size_t number) { return of_handlers + 5 * number; }
std::size_t of_pe(pe_id pe) { return of_handler(handler_count()) + 3 * static_cast<std::size_t>(pe); }

// Adds the accounts of a PE, or of several, to a sum that may still be empty.
void add_up(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& more) {
  sum.resize(more.size());
  const std::uint64_t peak = std::max(sum[peak_bytes], more[peak_bytes]);
  for (std::size_t i = 0; i < more.size(); ++i) sum[i] += more[i];
  sum[peak_bytes] = peak;
}

std::string grouped(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

// "past_call<&relax(int)>" rather than "tsubu::remote::past_call<&relax(int)>".
std::string shown_name(const wire::handler_entry& handler) {
  std::string name = wire::readable_name(handler);
  constexpr std::string_view ours = "tsubu::remote::";
  if (name.starts_with(ours)) name.erase(0, ours.size());
  return name;
}

}  // namespace

accounting::accounting(pe& owner) : pe_(owner), began_ns_(now_ns()) {}

std::vector<std::uint64_t> accounting::numbers() const {
  const message::endpoint& messages = pe_.messages;
  const message::counters& c = messages.counted();
  std::vector<std::uint64_t> all(of_handlers);
  all[batches] = c.batches_sent;
  all[batch_bytes] = c.bytes_sent;
  for (std::size_t reason = 0; reason < 4; ++reason) all[full + reason] = c.flushes[reason];
  all[bulks] = c.bulks_sent;
  all[peak_bytes] = messages.peak_bytes();
  all[slept_ns] = static_cast<std::uint64_t>(pe_.slept_ns());
  all[behind] = pe_.behind.times_behind();
  all[given_way] = pe_.behind.times_given_way();
  if (const message::prediction* const ahead = messages.prediction()) {
    const message::prediction_counts& p = ahead->counts();
    all[idle_arrivals] = p.arrivals;
    all[expected] = p.expected;
    all[hits] = p.hits;
    all[late] = p.late;
    all[prepared] = p.prepared;
    all[wasted] = p.wasted;
    all[called] = p.called;
    all[used] = p.used;
    all[declined] = p.declined;
    all[overlooked] = p.overlooked;
  }
  if (pe_.number() % pe_.transport().pes_per_process() == 0) {  // the others of the process would say the same
    all[probes] = calls().probes;
    all[tests] = calls().tests;
  }
  std::ranges::copy(pe_.collectives->went, all.begin() + of_ways);
  for (const message::account& a : messages.by_handler()) {
    all.push_back(a.sent);
    all.push_back(a.executed);
    all.push_back(a.bytes_sent);
    all.push_back(a.passed_on);
    all.push_back(a.waited);
  }
  all.resize(of_pe(0));  // another simulated PE may have counted them
  for (std::size_t to = 0; to < messages.by_pe().size(); ++to) {
    all.push_back(messages.by_pe()[to].sent);
    all.push_back(messages.by_pe()[to].executed);
    all.push_back(given_.empty() ? 0 : given_[to]);
  }
  return all;
}

void accounting::work_given(pe_id to, std::size_t pieces) {
  if (given_.empty()) given_.resize(pe_.messages.by_pe().size());
  if (!given_.empty()) given_[static_cast<std::size_t>(to)] += pieces;
}

void accounting::collect(void (*then)(pe&)) {
  then_ = then;
  ask();
}

bool accounting::keeps_each() const { return !pe_.messages.by_pe().empty(); }

void accounting::ask() {
  const auto pes = static_cast<std::size_t>(tree_size(pe_.number(), pe_.count()));
  of_.assign(keeps_each() ? pes : 1, {});
  texts_.assign(settled_ ? pes : 0, {});
  answers_left_ = count_children(pe_.number(), pe_.count());
  for_each_child(pe_.number(), pe_.count(), [this](pe_id child) { pe_.messages.send<ask_accounts>(child); });
  if (answers_left_ == 0) answer();
}

void accounting::answered(pe_id from, const std::vector<std::uint64_t>& numbers, std::vector<std::string> texts) {
  const std::size_t each = of_pe(static_cast<pe_id>(pe_.messages.by_pe().size()));
  const pe_id first = from - pe_.number();
  const std::size_t pes = from > 0 ? static_cast<std::size_t>(tree_size(from, pe_.count())) : 0;
  require(answers_left_ > 0 && first > 0 && numbers.size() == (keeps_each() ? pes : 1) * each &&
              texts.size() == (settled_ ? pes : 0),
          "PE {} sends accounts that were not asked for, or of another program", from);
  if (keeps_each()) {
    for (std::size_t i = 0; i < pes; ++i) {
      const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(each * i);
      of_[static_cast<std::size_t>(first) + i].assign(begin, begin + static_cast<std::ptrdiff_t>(each));
    }
  } else {
    add_up(of_[0], numbers);
  }
  std::ranges::move(texts, texts_.begin() + (settled_ ? first : 0));
  if (--answers_left_ == 0) answer();
}

// All PEs below this one have answered.
void accounting::answer() {
  add_up(of_[0], numbers());
  if (settled_) texts_[0] = added_->give();
  if (pe_.number() == 0) return then_(pe_);
  std::vector<std::uint64_t> all;
  for (const auto& one : of_) all.insert(all.end(), one.begin(), one.end());
  of_.clear();
  pe_.messages.send<accounts_of>(tree_parent(pe_.number()), all, std::exchange(texts_, {}));
}

void accounting::settle() {
  require(must_settle(), "PE {} is to settle its accounts, and has nothing to settle", pe_.number());
  settled_ = true;
  added_->settle();
}

void accounting::conclude() const {
  if (wanted_) print();
  if (settled_) added_->take(texts_);
}

void accounting::fail_unless_equal() const {
  std::string wrong;
  const auto add = [&wrong](const std::string& what, std::uint64_t sent, std::uint64_t executed) {
    if (sent == executed) return;
    wrong += (wrong.empty() ? "" : "; ") + what + ": " + std::to_string(sent) + " sent, " + std::to_string(executed) +
             " executed";
  };
  for (std::size_t number = 1; number < handler_count(); ++number) {
    if (!wire::handlers()[number]->counted) continue;
    std::uint64_t sent = 0, executed = 0;
    for (const auto& one : of_) {
      sent += one[of_handler(number)];
      executed += one[of_handler(number) + 1];
    }
    add(shown_name(*wire::handlers()[number]), sent, executed);
  }
  if (wrong.empty()) return;
  const auto counted = static_cast<pe_id>(pe_.messages.by_pe().size());
  for (pe_id from = 0; from < counted; ++from) {
    for (pe_id to = 0; to < counted; ++to) {
      add("from PE " + std::to_string(from) + " to PE " + std::to_string(to),
          of_[static_cast<std::size_t>(from)][of_pe(to)], of_[static_cast<std::size_t>(to)][of_pe(from) + 1]);
    }
  }
  end_job(exit_code::failed, "tsubu: messages were lost or doubled: " + wrong);
}

namespace {

std::string behind_line(std::uint64_t times, std::uint64_t given_way_times) {
  if (times == 0) return {};
  return "  PEs were behind with messages for busy objects " + grouped(times) +
         " times and held their senders back, but let more in " + grouped(given_way_times) + " times\n";
}

// What idle PEs did ahead; nothing where nothing was predicted.
std::string prediction_lines(const std::vector<std::uint64_t>& sum) {
  if (sum[idle_arrivals] == 0 || (sum[expected] == 0 && sum[declined] == 0)) return {};
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    char text[32];
    std::snprintf(text, sizeof text, " (%.1f %%)",
                  whole == 0 ? 0.0 : 100 * static_cast<double>(part) / static_cast<double>(whole));
    return std::string(text);
  };
  std::string text = "  " + grouped(sum[idle_arrivals]) + " batches came to idle PEs; " + grouped(sum[expected]) +
                     " were predicted" + share(sum[expected], sum[idle_arrivals]) + ", " + grouped(sum[hits]) +
                     " rightly" + share(sum[hits], sum[expected]) + ", " + grouped(sum[late]) +
                     " of these came before all was prepared\n  " + grouped(sum[prepared]) +
                     " parts were done ahead, " + grouped(sum[wasted]) + " for messages that did not come; " +
                     grouped(sum[called]) + " pure calls, of which " + grouped(sum[used]) + " were used";
  if (sum[declined] != 0) text += "; " + grouped(sum[declined]) + " times it was not worthwhile";
  if (sum[overlooked] != 0) text += "; " + grouped(sum[overlooked]) + " messages were not noted";
  return text + '\n';
}

std::string calls_line(std::uint64_t of_probes, std::uint64_t of_tests) {
  if (of_probes == 0) return {};
  return "  MPI was asked " + grouped(of_probes) + " times whether a message has come, and " + grouped(of_tests) +
         " times whether one has left or a bulk's bytes have moved\n";
}

// How the collectives went about it, as far as that depends on sizes.
std::string collectives_line(const std::vector<std::uint64_t>& sum) {
  std::string text;
  for (std::size_t way = 0; way < collective_algorithms; ++way) {
    if (sum[of_ways + way] == 0) continue;
    text += (text.empty() ? "  collectives called: " : ", ") + grouped(sum[of_ways + way]) + ' ' +
            name_of(static_cast<collective_algorithm>(way));
  }
  return text.empty() ? text : text + '\n';
}

}  // namespace

// The number at `which` of each pair of PEs: a table of a few, the sum of many, nothing if all are 0.
std::string accounting::by_pairs(const char* what, std::size_t which) const {
  std::uint64_t sum = 0;
  for (const auto& one : of_) {
    for (pe_id to = 0; to < pe_.count(); ++to) sum += one[of_pe(to) + which];
  }
  constexpr pe_id most_shown = 8;
  if (sum == 0 || pe_.count() == 1) return {};
  if (pe_.count() > most_shown) return "  " + grouped(sum) + ' ' + what + '\n';
  std::string table = std::string("  ") + what + " from a PE (row) to a PE (column)\n";
  for (const auto& one : of_) {
    table += "  ";
    for (pe_id to = 0; to < pe_.count(); ++to) {
      const std::string number = grouped(one[of_pe(to) + which]);
      table.append(14 - std::min<std::size_t>(number.size(), 14), ' ').append(number);
    }
    table += '\n';
  }
  return table;
}

void accounting::print() const {
  std::vector<std::uint64_t> sum;
  for (const auto& one : of_) add_up(sum, one);
  const double seconds = static_cast<double>(now_ns() - began_ns_) * 1e-9;
  const auto share = [](double part, double whole) { return whole > 0 ? 100 * part / whole : 0.0; };
  const double room = static_cast<double>(pe_.transport().batch_bytes());
  const pe_id together = pe_.transport().pes_per_process();
  std::string text = "tsubu: the accounts of " + std::to_string(pe_.count()) + " PEs";
  if (together > 1 && together < pe_.count()) text += ", " + std::to_string(together) + " a rank";
  text += ":\n";
  char line[400];
  std::snprintf(
      line, sizeof line,
      "  %s batches of %zu bytes at most, %.1f %% full; they left full %s, idle %s, old %s, before a bulk %s\n"
      "  %s bytes sent, %s bulks; a PE held %.1f MiB of messages at most\n"
      "  %.3f s; PEs slept %.1f %% of it\n",
      grouped(sum[batches]).c_str(), pe_.transport().batch_bytes(),
      share(static_cast<double>(sum[batch_bytes]), static_cast<double>(sum[batches]) * room),
      grouped(sum[full]).c_str(), grouped(sum[idle]).c_str(), grouped(sum[old]).c_str(), grouped(sum[order]).c_str(),
      grouped(sum[batch_bytes]).c_str(), grouped(sum[bulks]).c_str(), static_cast<double>(sum[peak_bytes]) / 1048576,
      seconds, share(static_cast<double>(sum[slept_ns]) * 1e-9, seconds * pe_.count()));
  text += line;
  text += behind_line(sum[behind], sum[given_way]);
  text += prediction_lines(sum);
  text += calls_line(sum[probes], sum[tests]);
  text += collectives_line(sum);
  for (std::string (*const lines)() : lines_above_) text += lines();

  std::vector<std::size_t> order_by_sent(handler_count() - 1);
  std::iota(order_by_sent.begin(), order_by_sent.end(), 1);
  std::erase_if(order_by_sent, [&](std::size_t n) { return sum[of_handler(n)] == 0 && sum[of_handler(n) + 1] == 0; });
  std::sort(order_by_sent.begin(), order_by_sent.end(), [&](std::size_t a, std::size_t b) {
    const std::uint64_t sent_a = sum[of_handler(a)], sent_b = sum[of_handler(b)];
    return sent_a != sent_b ? sent_a > sent_b : a < b;
  });
  const bool on_a_grid = pe_.transport().hops() > 1;
  std::snprintf(line, sizeof line, "  %16s %16s %18s %12s %s handler\n", "sent", "executed", "bytes", "us unsent",
                on_a_grid ? "       passed on " : "");
  text += line;
  for (const std::size_t n : order_by_sent) {
    const wire::handler_entry& handler = *wire::handlers()[n];
    const auto taken = static_cast<double>(sum[of_handler(n)] + sum[of_handler(n) + 3]);
    const double unsent_us =
        taken > 0 ? static_cast<double>(sum[of_handler(n) + 4]) / taken / ticks_per_ns() / 1e3 : 0.0;
    std::snprintf(line, sizeof line, "  %16s %16s %18s %12.1f  ", grouped(sum[of_handler(n)]).c_str(),
                  handler.counted ? grouped(sum[of_handler(n) + 1]).c_str() : "-",
                  grouped(sum[of_handler(n) + 2]).c_str(), unsent_us);
    text += line;
    if (on_a_grid) {
      std::snprintf(line, sizeof line, "%16s  ", grouped(sum[of_handler(n) + 3]).c_str());
      text += line;
    }
    text += shown_name(handler) + (handler.counted ? "" : " (the runtime's own)") + '\n';
  }

  if (!pe_.messages.by_pe().empty()) {
    text += by_pairs("messages", 0);
    text += by_pairs("pieces of work given", 2);
  }
  std::fputs(text.c_str(), stderr);
}

}  // namespace tsubu::remote
