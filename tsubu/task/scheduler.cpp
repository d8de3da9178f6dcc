#include "tsubu/task/scheduler.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "tsubu/base/pool.hpp"

namespace tsubu {
namespace {

class lifo_scheduler final : public scheduler {
 public:
  void ready(ready_item item, int priority) override { stack_.push_back({item, priority}); }
  choice next() override {
    const choice top = stack_.back();
    stack_.pop_back();
    return top;
  }
  bool empty() const override { return stack_.empty(); }

 private:
  std::vector<choice> stack_;
};

class priority_scheduler final : public scheduler {
 public:
  void ready(ready_item item, int priority) override {
    heap_.push_back({{item, priority}, arrivals_++});
    std::push_heap(heap_.begin(), heap_.end(), runs_later);
  }
  choice next() override {
    std::pop_heap(heap_.begin(), heap_.end(), runs_later);
    const choice first = heap_.back().what;
    heap_.pop_back();
    return first;
  }
  bool empty() const override { return heap_.empty(); }

 private:
  struct entry {
    choice what;
    std::uint64_t arrival;
  };
  static bool runs_later(const entry& a, const entry& b) {
    return a.what.priority != b.what.priority ? a.what.priority < b.what.priority : a.arrival > b.arrival;
  }

  std::vector<entry> heap_;
  std::uint64_t arrivals_ = 0;
};

// Shared by the PEs of the process: written before a job, read as each PE starts.
// Made under the mutex, too: that is seen by ThreadSanitizer in a program of which this file is not compiled with it.
constinit std::mutex registry;

std::map<std::string, scheduler_factory, std::less<>>& factories(const std::lock_guard<std::mutex>&) {
  static std::map<std::string, scheduler_factory, std::less<>> shared{
      {"lifo", [] { return std::unique_ptr<scheduler>(new lifo_scheduler); }},
      {"priority", [] { return std::unique_ptr<scheduler>(new priority_scheduler); }}};
  return shared;
}

constexpr std::uintptr_t in_group = 4;

struct grouped_item {
  task_group* group;
  ready_item item;
};

}  // namespace

std::uintptr_t ready_item::word_in_group(std::uintptr_t word) {
  ++this_task_group->waiting;
  auto* grouped = new_pooled<grouped_item>(this_task_group, from_word(word));
  return reinterpret_cast<std::uintptr_t>(grouped) | in_group;
}

ready_item ready_item::ungrouped() const {
  return (word_ & in_group) == 0 ? *this : reinterpret_cast<const grouped_item*>(word_ - in_group)->item;
}

ready_item ready_item::leave_group(task_group*& group) const {
  group = nullptr;
  if ((word_ & in_group) == 0) return *this;
  auto* grouped = reinterpret_cast<grouped_item*>(word_ - in_group);
  const ready_item item = grouped->item;
  group = grouped->group;
  --group->waiting;
  delete_pooled(grouped);
  return item;
}

void register_scheduler(std::string_view name, scheduler_factory factory) {
  const std::lock_guard lock(registry);
  factories(lock).insert_or_assign(std::string(name), factory);
}

std::unique_ptr<scheduler> make_scheduler(std::string_view name) {
  const std::lock_guard lock(registry);
  const auto& known = factories(lock);
  const auto found = known.find(name);
  return found == known.end() ? nullptr : found->second();
}

std::vector<std::string> scheduler_names() {
  const std::lock_guard lock(registry);
  std::vector<std::string> names{"round-robin"};
  for (const auto& [name, factory] : factories(lock)) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace tsubu
