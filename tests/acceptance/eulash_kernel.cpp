// Rows U3 to U5 of the EULASH paper: Jacobi's method for 250 unknowns, channel routing and MP3D with 100 molecules, by
// hand and with EULASH's processes and data. Both ways do the same arithmetic; they differ in where data lie and in how
// processes meet. Prints the time of a step; tests/papers judges. MP3D's molecules must end as the sequential
// program's, to the bit.
//
//   jacobi   The band of a process's rows is in its local memory; the vector is used by many.
//   channel  What a net fires is used by many (eulash_channel.hpp).
//   mp3d     By hand, a molecule is in the local memory of its process. EULASH gets the source that was written for
//            shared memory, where molecules are used by many. Visitors of a cell are a list, used by many.
#include <cmath>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

#include "apps/jacobi/band.hpp"
#include "apps/mp3d/motion.hpp"
#include "apps/mp3d/pairing.hpp"
#include "apps/mp3d/reference.hpp"
#include "apps/mp3d/tunnel.hpp"
#include "apps/mp3d/work_clocks.hpp"
#include "tests/acceptance/eulash_channel.hpp"
#include "tests/acceptance/eulash_kernel.hpp"

using namespace tsubu;
using namespace acceptance;

namespace {

// This process's share of so many things.
struct span_here {
  std::size_t first, last;
  explicit span_here(std::size_t n) : first(at(n, 0)), last(at(n, 1)) {}

 private:
  static std::size_t at(std::size_t n, std::size_t after) {
    return n * (static_cast<std::size_t>(this_pe()) + after) / static_cast<std::size_t>(pe_count());
  }
};

// ---- Jacobi

constexpr double clocks_of_element = 180;  // as in eulash_jacobi.cpp

template <class Way>
class jacobi_program {
 public:
  task<timed_step> run() {
    co_await begin();
    co_await step();
    const std::int64_t begin_ns = now_ns();
    int steps = 0;
    double change = 0;
    do {
      change = co_await step();
      ++steps;
    } while (change > of_.tolerance);
    timed_step found;
    found.step_ns = co_await ns_of_slowest(begin_ns, steps);
    double error = 0;
    for (std::size_t i = rows_.first; i < rows_.last; ++i)
      error = std::max(error, std::abs(co_await x_[i].read() - of_.solution(i)));
    found.right = co_await all_reduce(error, reduce::max) < 1e-9;
    co_return found;
  }

 private:
  using shared_double = typename Way::template used_by_many<double>;

  task<void> begin() {
    co_await way_.begin();
    for (std::size_t i = rows_.first; i < rows_.last; ++i) {
      for (std::size_t d = 0; d < of_.width(); ++d) a_.emplace_back(of_.element(i, d));
    }
    x_ = co_await made_by_first<shared_double>(std::vector<double>(of_.unknowns));
    next_.resize(rows_.last - rows_.first);
    co_await way_.meet();
  }

  task<double> step() {
    double change = 0;
    for (std::size_t i = rows_.first; i < rows_.last; ++i) {
      const own_datum<double>* row = &a_[(i - rows_.first) * of_.width()];
      double sum = of_.right_side(i);
      for (std::size_t d = 0; d < of_.width(); ++d) {
        if (d == of_.half || i + d < of_.half || i + d - of_.half >= of_.unknowns) continue;
        sum -= row[d].read() * co_await x_[i + d - of_.half].read();
        work(clocks_of_element);
      }
      next_[i - rows_.first] = sum / row[of_.half].read();
      const double by = next_[i - rows_.first] - co_await x_[i].read();
      change += by * by;
    }
    change = co_await way_.sum(change);  // nobody reads this step's x any more
    for (std::size_t i = rows_.first; i < rows_.last; ++i) co_await x_[i].write(next_[i - rows_.first]);
    co_await way_.meet();
    co_return std::sqrt(change);
  }

  const jacobi::band_problem of_;
  const span_here rows_{of_.unknowns};
  Way way_;
  std::vector<own_datum<double>> a_;
  std::vector<shared_double> x_;
  std::vector<double> next_;
};

// ---- MP3D

constexpr std::int32_t nobody_here = -1;

// A molecule in its cell: what others see of it, and who is behind it in the list of the cell.
struct place_in_list {
  mp3d::visitor who{};
  std::int32_t next = nobody_here;
  std::int32_t changed_in = 0;  // the last step in which somebody has changed its velocity
};

std::int32_t exchange_head(std::int32_t& head, std::int32_t with) { return std::exchange(head, with); }

template <class Way>
class mp3d_program {
 public:
  static constexpr std::int64_t molecules = 100;
  explicit mp3d_program(int steps) : steps_(steps) {}

  task<timed_step> run() {
    co_await begin();
    const std::int64_t begin_ns = now_ns();
    for (int i = 0; i < steps_; ++i) co_await step();
    timed_step found;
    found.step_ns = co_await ns_of_slowest(begin_ns, steps_);
    std::uint64_t sum = 0;
    for (std::size_t i = mine_.first; i < mine_.last; ++i) {
      const mp3d::molecule m = co_await read(i);
      sum += mp3d::digest(static_cast<std::int64_t>(i), m);
    }
    sum = co_await all_reduce(sum, reduce::plus);
    mp3d::reference expected(gas_);
    for (int i = 0; this_pe() == 0 && i < steps_; ++i) expected.step();
    found.right = co_await broadcast(this_pe() != 0 || sum == expected.digest());
    co_return found;
  }

 private:
  static constexpr bool molecules_are_own = std::is_same_v<Way, by_hand>;
  template <class T>
  using many = typename Way::template used_by_many<T>;

  task<void> begin() {
    co_await way_.begin();
    std::vector<mp3d::molecule> at_first;
    for (std::int64_t i = 0; i < molecules; ++i) at_first.push_back(gas_.at_beginning(i));
    if constexpr (molecules_are_own) {
      for (const mp3d::molecule& m : at_first) own_.emplace_back(m);
    } else {
      all_ = co_await made_by_first<many<mp3d::molecule>>(at_first);
    }
    places_ = co_await made_by_first<many<place_in_list>>(std::vector<place_in_list>(molecules));
    heads_ = co_await made_by_first<many<std::int32_t>>(std::vector<std::int32_t>(mp3d::cells, nobody_here));
    co_await way_.meet();
  }

  task<mp3d::molecule> read(std::size_t i) {
    if constexpr (molecules_are_own) {
      co_return own_[i].read();
    } else {
      co_return co_await all_[i].read();
    }
  }
  task<void> write(std::size_t i, mp3d::molecule m) {
    if constexpr (molecules_are_own) {
      own_[i].write(m);
      co_return;
    } else {
      co_await all_[i].write(m);
    }
  }

  task<void> step() {
    ++step_;
    for (std::size_t i = mine_.first; i < mine_.last; ++i) co_await move_one(i);
    co_await way_.meet();
    for (std::size_t cell = cells_.first; cell < cells_.last; ++cell) co_await collide_in(cell);
    co_await way_.meet();
    for (std::size_t i = mine_.first; i < mine_.last; ++i) co_await take_velocity(i);
  }

  task<void> move_one(std::size_t i) {
    mp3d::molecule m = co_await read(i);
    const auto number = static_cast<std::int64_t>(i);
    mp3d::move(gas_, number, step_, m, counted_);
    work(mp3d::clocks_of_move);
    co_await write(i, m);
    if (!mp3d::in_stream(m.position)) co_return;
    const std::int32_t next =
        co_await heads_[mp3d::cell_of(m.position)].template change<exchange_head>(static_cast<std::int32_t>(i));
    const place_in_list place{{number, m.velocity}, next, 0};
    co_await places_[i].write(place);
  }

  task<void> collide_in(std::size_t cell) {
    std::int32_t i = co_await heads_[cell].read();
    if (i == nobody_here) co_return;
    co_await heads_[cell].write(nobody_here);
    std::vector<mp3d::visitor> in_cell;
    while (i != nobody_here) {
      const place_in_list place = co_await places_[static_cast<std::size_t>(i)].read();
      in_cell.push_back(place.who);
      i = place.next;
    }
    const auto changed = mp3d::meet(gas_, step_, in_cell, counted_);
    mp3d::work_of_meeting(in_cell.size(), changed.size());
    for (const mp3d::visitor& v : changed) {
      const place_in_list place{v, nobody_here, static_cast<std::int32_t>(step_)};
      co_await places_[static_cast<std::size_t>(v.number)].write(place);
    }
  }

  task<void> take_velocity(std::size_t i) {
    const place_in_list place = co_await places_[i].read();
    if (place.changed_in != step_) co_return;
    mp3d::molecule m = co_await read(i);
    m.velocity = place.who.velocity;
    co_await write(i, m);
  }

  const int steps_;
  const mp3d::gas gas_{molecules, 1};
  const span_here mine_{static_cast<std::size_t>(molecules)}, cells_{mp3d::cells};
  Way way_;
  std::vector<own_datum<mp3d::molecule>> own_;  // by hand
  std::vector<many<mp3d::molecule>> all_;       // on EULASH
  std::vector<many<place_in_list>> places_;
  std::vector<many<std::int32_t>> heads_;  // of the cells' lists
  mp3d::counters counted_;
  std::int64_t step_ = 0;
};

template <class Program, class... A>
task<timed_step> run_one(A... arguments) {
  Program program(arguments...);
  co_return co_await program.run();
}

task<int> run_program(arguments args) {
  const std::string what = args.size() > 1 ? args[1] : "jacobi", way = args.size() > 2 ? args[2] : "eulash";
  const int steps = args.size() > 3 ? std::stoi(args[3]) : 100;  // of MP3D
  timed_step found;
  if (what == "jacobi" && way == "hand") found = co_await run_one<jacobi_program<by_hand>>();
  if (what == "jacobi" && way == "eulash") found = co_await run_one<jacobi_program<on_eulash>>();
  if (what == "channel" && way == "hand") found = co_await run_one<channel_program<by_hand>>();
  if (what == "channel" && way == "eulash") found = co_await run_one<channel_program<on_eulash>>();
  if (what == "mp3d" && way == "hand") found = co_await run_one<mp3d_program<by_hand>>(steps);
  if (what == "mp3d" && way == "eulash") found = co_await run_one<mp3d_program<on_eulash>>(steps);
  if (this_pe() == 0)
    std::printf("STEP %s %s %.0f ns\n%s\n", what.c_str(), way.c_str(), found.step_ns, found.right ? "right" : "wrong");
  co_return found.right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, run_program); }
