// Promise: what a function takes and gives does not depend on its qualifiers, and a coroutine gives what it returns.
#include "tsubu/remote/messages/signature.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace tsubu::remote {
namespace {

struct functions {
  static int plain(const std::string&, long);
  static int silent(const std::string&, long) noexcept;
  static task<double> coroutine(int&&);
};
struct counter {
  int method(const std::string&, long);
  int silent(const std::string&, long) noexcept;
  int looks(const std::string&, long) const;
  int looks_silently(const std::string&, long) const noexcept;
  task<void> waits(counter) const;
};

template <class F>
constexpr bool takes_string_and_long_gives_int =
    std::is_same_v<typename signature_of<F>::template apply<std::tuple>, std::tuple<std::string, long>> &&
    std::is_same_v<typename signature_of<F>::result, int> && signature_of<F>::arity == 2 && !signature_of<F>::is_task;

TEST(signature, qualifiers_say_nothing) {
  EXPECT_TRUE(takes_string_and_long_gives_int<decltype(&functions::plain)>);
  EXPECT_TRUE(takes_string_and_long_gives_int<decltype(&functions::silent)>);
  EXPECT_TRUE(takes_string_and_long_gives_int<decltype(&counter::method)>);
  EXPECT_TRUE(takes_string_and_long_gives_int<decltype(&counter::silent)>);
  EXPECT_TRUE(takes_string_and_long_gives_int<decltype(&counter::looks)>);
  EXPECT_TRUE(takes_string_and_long_gives_int<decltype(&counter::looks_silently)>);
}

TEST(signature, a_coroutine_gives_what_its_task_returns) {
  using one = signature_of<decltype(&functions::coroutine)>;
  EXPECT_TRUE(one::is_task);
  EXPECT_TRUE((std::is_same_v<one::result, double>));
  EXPECT_TRUE((std::is_same_v<one::raw_result, task<double>>));
  EXPECT_TRUE((std::is_same_v<one::apply<std::tuple, char>, std::tuple<char, int>>)) << "behind those before";
  using other = signature_of<decltype(&counter::waits)>;
  EXPECT_TRUE(other::is_task);
  EXPECT_TRUE(std::is_void_v<other::result>);
}

}  // namespace
}  // namespace tsubu::remote
