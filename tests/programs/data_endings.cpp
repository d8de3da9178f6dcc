// How a job ends that uses shared data wrongly: data_endings HOW. Each is a test of its own, with its exit code and
// what it prints.
#include "tests/programs/expect.hpp"

using namespace tsubu;

namespace {

shared<long> make_variable(long initial) { return create_shared(protocol::update, initial); }
long increase(long& value) { return ++value; }

task<int> use_variable(const std::string& how) {
  const shared<long> x = co_await at(pe_count() - 1).now<make_variable>(3L);
  if (how == "no_name") (void)co_await shared<long>().read();
  if (how == "no_name_past") shared<long>().put(1);
  if (how == "other_type") {
    const shared<double> y(x.name());
    (void)co_await y.read();
  }
  if (how == "ended_put" || how == "ended_add") {
    co_await x.end();
    if (how == "ended_put") x.put(1);
    if (how == "ended_add") x.add(1);
    co_await quiescence();
  }
  if (how == "ended_read") {
    co_await x.end();
    (void)co_await x.read();
  }
  co_return 0;
}

// The last PE uses it.
task<void> use_array(const std::string& how, shared_array<long> a) {
  const std::size_t here = a.size() - 1;
  if (how == "index") (void)co_await a[a.size()].read();
  if (how == "span") {
    std::vector<long> row(7);
    co_await a.read(a.size() - 6, std::span(row));
  }
  if (how == "array_read") (void)co_await a[0].read();
  if (how == "array_read_here") (void)co_await a[here].read();
  if (how == "array_change") (void)co_await a[0].change<increase>();
  if (how == "array_put") a[0].put(1);
  if (how == "array_add_here") a[here].add(1);
}

task<int> use_arrays(const std::string& how) {
  const auto a =
      co_await create_shared_array(10 * static_cast<std::size_t>(pe_count()), by_block(), protocol::update, 0L);
  if (how.starts_with("array_")) co_await a.end();
  if (this_pe() == pe_count() - 1) co_await use_array(how, a);
  co_await quiescence();
  co_return 0;
}

task<int> program(arguments args) {
  const std::string& how = args[1];
  if (how == "index" || how == "span" || how.starts_with("array_")) co_return co_await use_arrays(how);
  if (this_pe() == 0) co_return co_await use_variable(how);
  co_return 0;
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, program); }
