// Promise: an exception of a registered type is caught at the caller as that type, as remote_error and as
// std::exception, whatever its way; others are remote_error and std::runtime_error; damaged ones end the job.
#include "tsubu/remote/messages/register_exception.hpp"

#include <gtest/gtest.h>

#include "tests/interleaved_job.hpp"
#include "tsubu/base/program_text.hpp"
#include "tsubu/task/no_fiber_stack.hpp"

namespace tsubu::remote {
namespace {

using namespace test;

struct paper_jam : std::runtime_error {
  using std::runtime_error::runtime_error;
  paper_jam(const std::string& what, int t, std::vector<std::string> p)
      : std::runtime_error(what), tray(t), pages(std::move(p)) {}
  int tray = 0;
  std::vector<std::string> pages;
  template <class A>
  void serialize(A& a) {
    a(tray, pages);
  }
};
struct out_of_ink {
  int colour;
};
struct torn_page : std::out_of_range {
  using std::out_of_range::out_of_range;
};
struct choosy : std::runtime_error {
  explicit choosy(const std::string& text) : std::runtime_error(text), number(std::stoi(text)) {}
  int number;
};
struct secretive {
  std::string text;
  template <class A>
  void serialize(A&) {
    throw std::logic_error("told to nobody");
  }
};
const bool strict_ones = register_exception<choosy>() && register_exception<secretive>();
const bool registered = register_exception<paper_jam>() && register_exception<out_of_ink>();

// What a caller gets for what was thrown, after `hops` PEs have passed it on.
template <class E>
std::exception_ptr arrived(const E& thrown, int hops = 1) {
  std::exception_ptr e = std::make_exception_ptr(thrown);
  for (int i = 0; i < hops; ++i) {
    try {
      std::rethrow_exception(e);
    } catch (...) {
      const error_report report = error_being_handled();
      std::vector<std::byte> bytes;
      wire::writer out(bytes);
      wire::put(out, report);
      wire::reader in(bytes.data(), bytes.data() + bytes.size());
      e = exception_of(wire::take<error_report>(in));
    }
  }
  return e;
}

template <class As, class F>
void expect_caught(const std::exception_ptr& e, F check) {
  bool caught = false;
  try {
    std::rethrow_exception(e);
  } catch (const As& error) {
    caught = true;
    check(error);
  } catch (...) {
  }
  EXPECT_TRUE(caught);
}

class remote_errors : public ::testing::Test {
 protected:
  remote_errors() : job_(2) { job_[1]; }
  interleaved_job job_;
};

TEST_F(remote_errors, of_a_registered_type_keep_it) {
  for (const int hops : {1, 3}) {
    const std::exception_ptr e = arrived(paper_jam("jam", 3, {"a", "b"}), hops);
    expect_caught<paper_jam>(e, [](const paper_jam& jam) {
      EXPECT_STREQ(jam.what(), "jam");
      EXPECT_EQ(jam.tray, 3);
      EXPECT_EQ(jam.pages, std::vector<std::string>({"a", "b"}));
    });
    expect_caught<std::runtime_error>(e, [](const std::exception& error) { EXPECT_STREQ(error.what(), "jam"); });
    expect_caught<std::exception>(e, [](const std::exception& error) { EXPECT_STREQ(error.what(), "jam"); });
    expect_caught<remote_error>(e, [](const remote_error& error) {
      EXPECT_EQ(error.pe(), 1);
      EXPECT_EQ(error.message(), "jam");
      EXPECT_EQ(error.type(), readable(typeid(paper_jam)));
      EXPECT_EQ(error.what(), "PE 1 threw " + error.type() + ": jam");
    });
  }
  expect_caught<out_of_ink>(arrived(out_of_ink{5}, 2), [](const out_of_ink& ink) { EXPECT_EQ(ink.colour, 5); });
  expect_caught<remote_error>(arrived(out_of_ink{5}), [](const remote_error& e) { EXPECT_EQ(e.message(), ""); });
}

TEST_F(remote_errors, of_the_standard_library_keep_their_type) {
  expect_caught<std::out_of_range>(arrived(std::out_of_range("far")),
                                   [](const std::out_of_range& e) { EXPECT_STREQ(e.what(), "far"); });
  expect_caught<std::logic_error>(arrived(std::invalid_argument("no")),
                                  [](const std::logic_error& e) { EXPECT_STREQ(e.what(), "no"); });
  expect_caught<std::bad_alloc>(arrived(std::bad_alloc()), [](const std::bad_alloc&) {});
  expect_caught<std::bad_alloc>(arrived(detail::no_fiber_stack("no stack: a limit")),
                                [](const std::bad_alloc& e) { EXPECT_STREQ(e.what(), "no stack: a limit"); });
  expect_caught<std::runtime_error>(arrived(std::runtime_error("text")),
                                    [](const std::runtime_error& e) { EXPECT_STREQ(e.what(), "text"); });
}

TEST_F(remote_errors, of_another_type_are_told) {
  for (const int hops : {1, 2}) {
    const std::exception_ptr e = arrived(torn_page("page 4"), hops);
    const std::string text = "PE 1 threw " + readable(typeid(torn_page)) + ": page 4";
    expect_caught<std::runtime_error>(e, [&](const std::exception& error) { EXPECT_EQ(error.what(), text); });
    expect_caught<remote_error>(e, [&](const remote_error& error) {
      EXPECT_EQ(error.what(), text);
      EXPECT_EQ(error.message(), "page 4");
    });
  }
  expect_caught<remote_error>(arrived(7), [](const remote_error& e) { EXPECT_EQ(e.type(), "int"); });
}

struct silent : std::exception {
  const char* what() const noexcept override { return nullptr; }
};

TEST_F(remote_errors, of_any_type_keep_what_they_say) {
  const auto expect_said = [](const std::exception_ptr& e, const std::string& said) {
    expect_caught<remote_error>(e, [&](const remote_error& error) { EXPECT_EQ(error.message(), said); });
    expect_caught<std::runtime_error>(e, [&](const std::exception& error) {
      const std::string type = dynamic_cast<const remote_error&>(error).type();
      EXPECT_EQ(error.what(), "PE 1 threw " + type + (said.empty() ? "" : ": " + said));
    });
  };
  for (const int hops : {1, 2}) {
    expect_said(arrived(42, hops), "42");
    expect_said(arrived(-7L, hops), "-7");
    expect_said(arrived(18446744073709551615ULL, hops), "18446744073709551615");
    expect_said(arrived(0.1, hops), "0.1");
    expect_said(arrived('x', hops), "x");
    expect_said(arrived(true, hops), "true");
    expect_said(arrived(static_cast<const char*>("no paper"), hops), "no paper");
    expect_said(arrived(std::string("no ink"), hops), "no ink");
    expect_said(arrived(static_cast<const char*>(nullptr), hops), "a null pointer");
    const std::string gone = "what the stack or the heap has";
    expect_said(arrived(gone.c_str(), hops), "a pointer to text that is no literal");
    expect_said(arrived(silent(), hops), "");
  }
  EXPECT_EQ(detail::describe_exception(std::make_exception_ptr(42)), "int: 42");
  EXPECT_EQ(detail::describe_exception(std::make_exception_ptr(silent())), readable(typeid(silent)));
}

TEST_F(remote_errors, may_be_registered_again) {
  EXPECT_TRUE(register_exception<paper_jam>());
  EXPECT_TRUE(register_exception<std::out_of_range>());
}

using remote_errors_death = remote_errors;
TEST_F(remote_errors_death, whose_bytes_are_damaged) {
  EXPECT_EXIT((void)exception_of({0, readable(typeid(paper_jam)), "jam", true, std::vector<std::byte>(5)}),
              testing::ExitedWithCode(1), "paper_jam has come from PE 0, but is not as its serialize.. says");
}
TEST_F(remote_errors_death, that_cannot_be_sent_or_made) {
  EXPECT_EXIT((void)arrived(secretive()), testing::ExitedWithCode(1),
              "secretive cannot be sent, since its serialize.. throws std::logic_error: told to nobody");
  EXPECT_EXIT((void)exception_of({0, readable(typeid(choosy)), "no number", true, {}}), testing::ExitedWithCode(1),
              "choosy has come from PE 0, but cannot be made: std::invalid_argument");
}
TEST_F(remote_errors, of_a_type_of_a_registered_name_alone_do_not_get_it) {
  expect_caught<remote_error>(exception_of({0, readable(typeid(paper_jam)), "jam", false, {}}),
                              [](const remote_error& e) { EXPECT_EQ(e.message(), "jam"); });
}
TEST_F(remote_errors_death, that_nobody_catches) {
  EXPECT_EXIT(task_context::fail_uncaught(arrived(std::out_of_range("far"))), testing::ExitedWithCode(1),
              "tsubu::remote_error: PE 1 threw std::out_of_range: far");
}

}  // namespace
}  // namespace tsubu::remote
