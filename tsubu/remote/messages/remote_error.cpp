#include "tsubu/remote/messages/remote_error.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <new>
#include <stdexcept>

#include "tsubu/base/check.hpp"
#include "tsubu/base/program_text.hpp"
#include "tsubu/remote/messages/cancelled.hpp"
#include "tsubu/remote/messages/register_exception.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/task/no_fiber_stack.hpp"

namespace tsubu {

remote_error::remote_error(remote::error_report report)
    : report_(std::move(report)),
      what_("PE " + std::to_string(report_.pe) + " threw " + report_.type +
            (report_.message.empty() ? "" : ": " + report_.message)) {}

namespace remote {

namespace {

// One of a type that is not registered.
class unregistered final : public std::runtime_error, public remote_error {
 public:
  explicit unregistered(const error_report& report) : unregistered(remote_error(report)) {}

 private:
  explicit unregistered(remote_error error) : std::runtime_error(error.what()), remote_error(std::move(error)) {}
};

struct known_type : exception_type {
  explicit known_type(const exception_type& t) : exception_type(t), name(readable(*t.type)) {}
  std::string name;
};

template <class... E>
std::vector<known_type> types_of() {
  return {known_type({&typeid(E), &save_exception<E>, &make_exception<E>})...};
}

// Complete when the job begins.
std::vector<known_type>& types() {
  static std::vector<known_type> all =
      types_of<std::logic_error, std::invalid_argument, std::domain_error, std::length_error, std::out_of_range,
               std::runtime_error, std::range_error, std::overflow_error, std::underflow_error, std::bad_alloc,
               detail::no_fiber_stack, cancelled>();
  return all;
}

}  // namespace

void add_exception_type(const exception_type& added) {
  const known_type adds(added);
  for (const known_type& known : types()) {
    if (*known.type == *added.type) return;
    require(known.name != adds.name, "two exceptions of the name {} are registered, in two source files; rename one",
            adds.name);
  }
  types().push_back(adds);
}

error_report error_being_handled() {
  error_report report;
  report.pe = current_pe->number();
  report.type = "an exception of unknown type";
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (type != nullptr) report.type = readable(*type);
  try {
    throw;
  } catch (const remote_error& e) {
    return e.report();
  } catch (...) {
    report.message = detail::text_of_exception();
  }
  if (type == nullptr) return report;
  const auto known =
      std::find_if(types().begin(), types().end(), [type](const known_type& t) { return *t.type == *type; });
  if (known == types().end()) return report;
  report.keeps_type = true;
  try {
    known->save(report.state);
  } catch (...) {
    fail("an exception of type " + report.type + " cannot be sent, since its serialize() throws " +
         detail::describe_exception(std::current_exception()));
  }
  return report;
}

std::exception_ptr answered_exception() { return exception_of(error_being_handled()); }

std::exception_ptr exception_of(const error_report& report) {
  for (const known_type& known : types()) {
    if (!report.keeps_type || known.name != report.type) continue;
    const std::string has_come =
        "an exception of type " + report.type + " has come from PE " + std::to_string(report.pe) + ", but ";
    try {
      return known.make(report);
    } catch (const wire::bad_bytes& e) {
      fail(has_come + "is not as its serialize() says: " + e.what());
    } catch (...) {
      fail(has_come + "cannot be made: " + detail::describe_exception(std::current_exception()));
    }
  }
  return std::make_exception_ptr(unregistered(report));
}

}  // namespace remote
}  // namespace tsubu
