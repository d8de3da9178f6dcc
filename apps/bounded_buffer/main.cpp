// Producers and consumers on all PEs, and one bounded buffer between them.
#include <fmt/core.h>
#include <string>
#include <vector>

#include "apps/bounded_buffer/buffer.hpp"
#include "apps/bounded_buffer/people.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/result.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;
using bounded_buffer::buffer;
using bounded_buffer::consumer;
using bounded_buffer::producer;
using bounded_buffer::taken;

struct options {
  std::int64_t capacity = 16;
  int producers = 4;
  int consumers = 4;
  std::int64_t items = 100'000;
  bool json = false;
};

// The buffer is on the last PE; producers and consumers are dealt to all, these from the end.
task<int> exchange(options asked) {
  const pe_id last = pe_count() - 1;
  const ref<buffer> between = create<buffer>(at(last), asked.capacity);
  std::vector<ref<producer>> producers;
  for (int i = 0; i < asked.producers; ++i) producers.push_back(create<producer>(at(i % pe_count()), between, i));
  std::vector<ref<consumer>> consumers;
  for (int i = 0; i < asked.consumers; ++i) {
    consumers.push_back(create<consumer>(at(last - i % pe_count()), between, asked.producers));
  }

  co_await between.now<&buffer::serve>();  // a put() that came before would be taken by a buffer that does not choose
  const std::int64_t start_ns = now_ns();
  std::vector<future<taken>> answers;
  for (const ref<consumer>& one : consumers) answers.push_back(one.future<&consumer::consume>());
  co_await now_all<&producer::produce>(producers, asked.items);
  co_await between.now<&buffer::close>();
  taken all;
  for (future<taken>& answer : answers) {
    const taken of_one = co_await std::move(answer);
    all.items += of_one.items;
    all.numbers += of_one.numbers;
    all.out_of_order += of_one.out_of_order;
  }
  const double seconds = static_cast<double>(now_ns() - start_ns) * 1e-9;

  const std::int64_t fullest = co_await between.now<&buffer::fullest>();
  const std::int64_t items = asked.items * asked.producers;
  program::result result;
  result.program = "bounded-buffer";
  result.input_key = "capacity";
  result.input = std::to_string(asked.capacity);
  result.verified = all.items == items && all.numbers == items * (asked.items - 1) / 2 && all.out_of_order == 0 &&
                    fullest <= asked.capacity;
  result.seconds = seconds;
  result.counts = {{"items", all.items}, {"fullest", fullest}};
  result.figures = {{"items_per_second", static_cast<double>(items) / seconds}};
  result.about = fmt::format("{} producers, {} items each, and {} consumers share a buffer of {} items",
                             asked.producers, asked.items, asked.consumers, asked.capacity);
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

task<int> read_and_run(arguments words) {
  options asked;
  program::command_line app(
      "Producers and consumers share a bounded buffer, a concurrent object that takes what it can", "bounded-buffer");
  app.add_option("--capacity", asked.capacity, "items that the buffer holds; default 16")
      .range(std::int64_t{1}, std::int64_t{1} << 30)
      .type_name("N");
  app.add_option("--producers", asked.producers, "default 4").range(1, 1'000'000).type_name("N");
  app.add_option("--consumers", asked.consumers, "default 4").range(1, 1'000'000).type_name("N");
  app.add_option("--items", asked.items, "of each producer; default 100000")
      .range(std::int64_t{0}, std::int64_t{1} << 30)
      .type_name("N");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  co_return co_await exchange(asked);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, read_and_run); }
