#include "tsubu/object/monitor.hpp"

#include "tsubu/base/pool.hpp"
#include "tsubu/object/watches.hpp"
#include "tsubu/remote/messages/remote_error.hpp"

namespace tsubu::objects {

namespace {

class end_sink final : public remote::value_sink<void> {
 public:
  explicit end_sink(promise<object_end> end) : end_(std::move(end)) {}

 private:
  void value(remote::done) override { tell({end_reason::ended, nullptr}); }
  void error(std::exception_ptr e) override {
    const end_reason why = was_gone(e) ? end_reason::gone : end_reason::failed;
    tell({why, std::move(e)});
  }
  // What the object itself has failed by is a remote_error, whatever else it is.
  static bool was_gone(const std::exception_ptr& e) {
    try {
      std::rethrow_exception(e);
    } catch (const remote_error&) {
      return false;
    } catch (const object_gone&) {
      return true;
    }
  }
  void tell(object_end end) {
    end_.set_value(std::move(end));
    delete_pooled(this);
  }

  promise<object_end> end_;
};

}  // namespace

std::uint64_t next_monitor() { return this_space().watchers().next_number(); }

remote::reply_sink& told_of_end(promise<object_end> end) { return *new_pooled<end_sink>(std::move(end)); }

}  // namespace tsubu::objects
