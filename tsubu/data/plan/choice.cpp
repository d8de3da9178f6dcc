#include "tsubu/data/plan/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "tsubu/data/settings.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu::data {
namespace {

// A method is tried if it is expected to take at most so many times as long as the best one.
constexpr double near = 4;
constexpr std::size_t least_trials = 2;

std::string in_units(double s) {
  return s < 1e-6   ? fmt::format("{:.0f} ns", s * 1e9)
         : s < 1e-3 ? fmt::format("{:.2f} us", s * 1e6)
                    : fmt::format("{:.2f} ms", s * 1e3);
}

}  // namespace

task<plan_choice> plan_choice::expect(exchange_load here) {
  known_figures known;
  const space_settings& job = configured();
  if (this_pe() == 0 && job.figures != nullptr) known = job.figures(job.machine, job.machines);
  const machine_figures figures = co_await broadcast(known.figures);
  const bool words_alone = remote::current_pe->transport().each_packet_alone();
  std::vector<double> expected;
  for (const plan_method method : plan_methods)
    expected.push_back(expected_seconds(method, here, figures, words_alone));
  expected = co_await all_reduce(std::move(expected), reduce::max);

  plan_choice made(std::move(known.machine));
  for (std::size_t i = 0; i < plan_methods.size(); ++i)
    made.candidates_.push_back({plan_methods[i], expected[i], std::nullopt});
  std::ranges::stable_sort(made.candidates_, {}, &plan_candidate::expected_s);
  co_return made;
}

std::vector<plan_method> plan_choice::worth_a_trial() const {
  if (candidates_.back().expected_s == 0) return {plan_method::packed};  // nobody needs anything of another PE
  std::vector<plan_method> tried;
  for (const plan_candidate& one : candidates_) {
    if (tried.size() < least_trials || one.expected_s <= near * candidates_.front().expected_s)
      tried.push_back(one.method);
  }
  return tried;
}

void plan_choice::set_measured(plan_method method, double seconds) {
  std::ranges::find(candidates_, method, &plan_candidate::method)->measured_s = seconds;
}

plan_method plan_choice::best() const {
  const plan_candidate* best = nullptr;
  for (const plan_candidate& one : candidates_) {
    if (one.measured_s && (best == nullptr || *one.measured_s < *best->measured_s)) best = &one;
  }
  require(best != nullptr, "a plan's method is chosen, but none was tried");
  return best->method;
}

std::string plan_choice::table() const {
  std::string text = fmt::format("  {:<8} {:>10} {:>10}\n", "", "expected", "measured");
  for (const plan_candidate& one : candidates_) {
    text += fmt::format("  {:<8} {:>10} {:>10}{}\n", name_of(one.method), in_units(one.expected_s),
                        one.measured_s ? in_units(*one.measured_s) : "-", one.method == best() ? "  chosen" : "");
  }
  return text;
}

task<void> plan_choice::explain(const exchange_pattern& of, std::size_t bytes_of_element,
                                std::source_location where) const {
  if (!configured().explain) co_return;
  std::vector<std::uint64_t> sums{of.view_size() - of.own(), of.remote_occurrences()};
  sums = co_await all_reduce(std::move(sums), reduce::plus);
  if (this_pe() != 0) co_return;
  const auto pes = static_cast<double>(pe_count());
  const std::string text = fmt::format(
      "tsubu: exchange plan at {}:{}: {}, by the figures of {} and a trial\n"
      "  {} elements of {} bytes on {} PEs; on the average a PE needs {:.0f} of others, in {:.0f} occurrences\n{}",
      where.file_name(), where.line(), name_of(best()), machine_, of.size(), bytes_of_element, pe_count(),
      static_cast<double>(sums[0]) / pes, static_cast<double>(sums[1]) / pes, table());
  std::fputs(text.c_str(), stderr);
}

}  // namespace tsubu::data
