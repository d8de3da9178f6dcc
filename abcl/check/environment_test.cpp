// Promise: a name means the innermost variable that has it, as long as the scope of that lasts; what nobody has used,
// and what is declared twice, is said. Method: scopes within each other, made by hand.
#include "abcl/check/environment.hpp"

#include <gtest/gtest.h>

namespace abcl {
namespace {

struct scopes : testing::Test {
  program into;
  diagnostics said;
  environment names{into, said};

  form name(std::string_view word) {
    form f;
    f.word = word;
    f.where = {at_, at_ + 1};
    ++at_;
    return f;
  }
  variable* declare(std::string_view word, variable::kind what = variable::kind::state) {
    return names.declare(what, name(word), into.types.integer);
  }
  std::vector<int> numbers() const {
    std::vector<int> all;
    for (const diagnostic& d : said.all()) all.push_back(d.number);
    return all;
  }

 private:
  std::uint32_t at_ = 0;
};

TEST_F(scopes, hide_what_is_around_them) {
  const environment::scope outer(names);
  variable* const first = declare("n");
  {
    const environment::scope inner(names);
    EXPECT_EQ(names.find("n"), first);
    variable* const second = declare("n");
    EXPECT_EQ(names.find("n"), second);
  }
  EXPECT_EQ(names.find("n"), first);
  EXPECT_EQ(names.find("m"), nullptr);
  EXPECT_TRUE(numbers().empty());
}

TEST_F(scopes, have_a_name_once) {
  const environment::scope outer(names);
  variable* const first = declare("n");
  EXPECT_NE(declare("n"), first);
  EXPECT_EQ(names.find("n"), first);
  EXPECT_EQ(numbers(), std::vector{34});
  names.declare_what_may_be_meant(name("n"));
  EXPECT_EQ(names.find("n"), first);
  EXPECT_EQ(numbers(), std::vector{34});
}

TEST_F(scopes, warn_when_they_end_of_what_nobody_reads) {
  {
    const environment::scope outer(names);
    declare("a", variable::kind::local)->uses.push_back({});
    declare("b", variable::kind::local);
    declare("c", variable::kind::pattern);
    declare("_d", variable::kind::local);
    declare("e", variable::kind::argument);
    EXPECT_TRUE(numbers().empty());
  }
  EXPECT_EQ(numbers(), (std::vector{106, 106}));
}

TEST_F(scopes, are_said_not_to_know_a_name_once_in_a_body) {
  const environment::scope outer(names);
  declare("count");
  names.say_unknown(name("cuont"));
  names.say_unknown(name("cuont"));
  ASSERT_EQ(numbers(), std::vector{30});
  EXPECT_EQ(said.all()[0].help, std::vector<std::string>{"did you mean `count`?"});
  names.begin_body();
  names.say_unknown(name("cuont"));
  EXPECT_EQ(numbers(), (std::vector{30, 30}));
}

TEST_F(scopes, take_no_word_of_the_language_for_a_name) {
  const environment::scope outer(names);
  EXPECT_EQ(declare("script")->name, "");
  EXPECT_EQ(declare("<=")->name, "");
  EXPECT_EQ(names.find("script"), nullptr);
  EXPECT_EQ(numbers(), (std::vector{35, 35}));
}

}  // namespace
}  // namespace abcl
