// Promise: a chart shows each object, message and wait of its events, says what it leaves out, and is well-formed XML
// whatever the events hold; an event survives its line of JSON, and other lines are none.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "abcl/chart/chart.hpp"
#include "abcl/chart/sheet.hpp"
#include "abcl/chart/story.hpp"
#include "abcl/chart/svg.hpp"
#include "tsubu/base/random.hpp"

namespace abcl {
namespace {

using kind = chart_event::kind;
using chart::arrow;

chart_event event(kind what, double at, std::uint64_t object, std::uint64_t other = 0, std::uint64_t message = 0,
                  std::string text = {}, bool asks = false) {
  return {what, at, object, static_cast<int>(object % 3), other, message, std::move(text), asks, false};
}

// Main asks a counter, which is busy at first.
std::vector<chart_event> question() {
  return {event(kind::created, 0, 1, 0, 0, "Main"),
          event(kind::created, 10, 2, 1, 0, "Counter"),
          event(kind::message_sent, 20, 1, 2, 7, "[:get]", true),
          event(kind::waits, 21, 1, 0, 0, "the reply"),
          event(kind::message_taken, 40, 2, 0, 7),
          event(kind::reply_sent, 50, 2, 1, 7, "5"),
          event(kind::clause_ended, 55, 2),
          event(kind::reply_taken, 70, 1, 0, 7),
          event(kind::goes_on, 71, 1),
          event(kind::ended, 90, 2)};
}

std::size_t count(const std::string& in, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++n;
  return n;
}

// Tags fit each other, and nothing is left of what XML forbids.
bool well_formed(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 && c != '\n' && c != '\t' && c != '\r') return false;
    if (c == '&') {
      const std::string_view rest = std::string_view(text).substr(i, 6);
      if (!rest.starts_with("&amp;") && !rest.starts_with("&lt;") && !rest.starts_with("&gt;") && rest != "&quot;")
        return false;
    }
    if (c != '<') continue;
    const std::size_t end = text.find('>', i);
    if (end == std::string::npos) return false;
    const std::string tag = text.substr(i + 1, end - i - 1);
    if (count(tag, "\"") % 2 != 0 || tag.find('<') != std::string::npos) return false;
    const std::string name = tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" /", 1) - (tag[0] == '/' ? 1 : 0));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != name) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    i = end;
  }
  return open.empty();
}

TEST(chart, goes_on_with_a_message_that_a_running_clause_takes) {
  std::vector<chart_event> events = question();
  events.push_back(event(kind::message_taken, 72, 1));
  events.back().within = true;
  const chart::story s = chart::tell(events, {});
  EXPECT_EQ(s.lines[0].stretches.size(), 3U);
  for (const chart::stretch& each : s.lines[0].stretches) EXPECT_EQ(each.depth, 0);
  EXPECT_EQ(from_line(to_line(events.back())), events.back());
}

TEST(chart, says_what_was_not_recorded) {
  chart_options how;
  how.left_out = {"Not recorded: 3 events of node 0, after its first 10."};
  EXPECT_NE(sequence_chart(question(), how).find(how.left_out[0]), std::string::npos);
}

TEST(chart, tells_who_ran_and_waited_and_when) {
  const chart::story s = chart::tell(question(), {});
  ASSERT_EQ(s.lines.size(), 2U);
  EXPECT_EQ(s.lines[0].name, "Main");
  // Main runs from its creation, waits, and goes on.
  const auto& main = s.lines[0].stretches;
  ASSERT_EQ(main.size(), 3U);
  EXPECT_EQ(main[0].from, 0U);
  EXPECT_EQ(main[0].to, 3U);
  EXPECT_TRUE(main[1].waits);
  EXPECT_EQ(main[1].text, "the reply");
  EXPECT_EQ(main[1].to, 8U);
  EXPECT_EQ(main[2].to, chart::no_event);
  const auto& counter = s.lines[1].stretches;
  ASSERT_EQ(counter.size(), 1U);
  EXPECT_EQ(counter[0].from, 4U);
  EXPECT_EQ(counter[0].to, 6U);
  EXPECT_EQ(s.lines[1].ended, 9U);
}

TEST(chart, tells_the_arrows) {
  const chart::story s = chart::tell(question(), {});
  ASSERT_EQ(s.arrows.size(), 4U);
  EXPECT_EQ(s.arrows[0].what, arrow::kind::creation);
  EXPECT_EQ(s.arrows[0].from, chart::program_start);
  EXPECT_EQ(s.arrows[2].what, arrow::kind::now);
  EXPECT_EQ(s.arrows[2].sent, 2U);
  EXPECT_EQ(s.arrows[2].taken, 4U);
  EXPECT_EQ(s.arrows[3].what, arrow::kind::reply);
  EXPECT_EQ(s.arrows[3].taken, 7U);
}

TEST(chart, tells_now_from_future_by_what_the_sender_does_next) {
  using enum arrow::kind;
  std::vector<chart_event> events{event(kind::message_taken, 0, 1),
                                  event(kind::message_sent, 1, 1, 2, 5, "[:a]", true),
                                  event(kind::message_sent, 2, 1, 2, 6, "[:b]"),
                                  event(kind::message_sent, 3, 1, 2, 8, "[:c]", true),
                                  event(kind::message_sent, 4, 1, 3, 9, "[:d]", true),
                                  event(kind::waits, 5, 1),
                                  event(kind::message_taken, 6, 2, 0, 5),
                                  event(kind::message_taken, 6, 3, 0, 9)};
  const chart::story s = chart::tell(events, {});
  ASSERT_EQ(s.arrows.size(), 4U);
  EXPECT_EQ(s.arrows[0].what, future) << "it has sent more before it waits";
  EXPECT_EQ(s.arrows[1].what, past);
  EXPECT_EQ(s.arrows[2].what, now) << "of two questions of a sync2";
  EXPECT_EQ(s.arrows[3].what, now);
  EXPECT_EQ(s.arrows[2].taken, chart::no_event);
}

TEST(chart, a_clause_inside_of_one_that_waits_is_drawn_beside_it) {
  const std::vector<chart_event> events{event(kind::message_taken, 0, 1), event(kind::waits, 1, 1),
                                        event(kind::message_taken, 2, 1), event(kind::clause_ended, 3, 1),
                                        event(kind::goes_on, 4, 1),       event(kind::clause_ended, 5, 1),
                                        event(kind::message_taken, 6, 1)};
  const auto stretches = chart::tell(events, {}).lines[0].stretches;
  ASSERT_EQ(stretches.size(), 5U);
  EXPECT_EQ(stretches[1].waits, true);
  EXPECT_EQ(stretches[1].to, 4U);
  EXPECT_EQ(stretches[2].depth, 1);
  EXPECT_EQ(stretches[3].waits, false);
  EXPECT_EQ(stretches[3].to, 5U);
  EXPECT_EQ(stretches[4].depth, 0);
}

TEST(chart, numbers_objects_of_a_class_that_has_several) {
  const chart::story s = chart::tell({event(kind::created, 0, 9, 0, 0, "Main"), event(kind::created, 1, 4, 9, 0, "Fib"),
                                      event(kind::created, 2, 3, 9, 0, "Fib")},
                                     {});
  EXPECT_EQ(s.lines[0].name, "Main");
  EXPECT_EQ(s.lines[1].name, "Fib 1");
  EXPECT_EQ(s.lines[2].name, "Fib 2");
}

TEST(chart, says_what_it_leaves_out) {
  chart_options how;
  EXPECT_TRUE(chart::tell(question(), how).left_out.empty());
  how.most_objects = 1;
  chart::story s = chart::tell(question(), how);
  EXPECT_EQ(s.lines.size(), 1U);
  EXPECT_EQ(s.arrows.size(), 1U) << "what goes to a hidden object is not drawn";
  EXPECT_NE(sequence_chart(question(), how).find("Left out: 1 object of 2"), std::string::npos);
  how = {};
  how.most_events = 1;
  s = chart::tell(question(), how);
  EXPECT_EQ(s.lines.size(), 1U) << "the other has no event in the chart";
  EXPECT_NE(sequence_chart(question(), how).find("Left out: 9 events after the first 1."), std::string::npos);
}

TEST(chart, time_never_goes_back_and_is_broken_where_nothing_happens) {
  std::vector<chart_event> events = question();
  events.push_back(event(kind::message_taken, 100'000, 1));
  const chart::story s = chart::tell(events, {});
  const chart::sheet at = chart::lay_out(s, 40, 40);
  EXPECT_TRUE(std::is_sorted(at.y.begin(), at.y.end()));
  ASSERT_EQ(at.breaks.size(), 1U);
  EXPECT_EQ(at.breaks[0].skipped, 100'000 - 90);
  EXPECT_LT(at.y.back() - at.y[at.y.size() - 2], 100);
  EXPECT_NE(sequence_chart(events, {}).find("99,910 later"), std::string::npos);
}

TEST(chart, nothing_is_an_empty_chart) {
  const std::string svg = sequence_chart({}, {});
  EXPECT_TRUE(well_formed(svg));
  chart_options none;
  none.most_objects = 0;
  none.most_events = 0;
  EXPECT_TRUE(well_formed(sequence_chart(question(), none)));
}

TEST(chart, texts_are_escaped) {
  EXPECT_EQ(chart::escaped("a<b>&\"c\" größe"), "a&lt;b&gt;&amp;&quot;c&quot; größe");
  EXPECT_EQ(chart::escaped(std::string("\x01\xff\xc3", 3)), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(chart::escaped("\xc0\xaf\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  chart_options how;
  how.title = "<script>&";
  how.unit = "a\"b";
  std::vector<chart_event> events = question();
  events[2].text = "[:say \"</svg>\"]";
  EXPECT_TRUE(well_formed(sequence_chart(events, how)));
}

TEST(chart, long_texts_are_shortened_between_characters) {
  EXPECT_EQ(chart::shortened("größe", 5), "größe");
  EXPECT_EQ(chart::shortened("größer", 5), "größ…");
  EXPECT_EQ(chart::shown_time(1234567.5), "1,234,567.5");
  EXPECT_EQ(chart::shown_time(-1000), "-1,000");
  EXPECT_EQ(chart::shown_time(0), "0");
}

// Any list is drawn, whatever it says.
TEST(chart, draws_nonsense_too) {
  const unsigned seed = static_cast<unsigned>(tsubu::fresh_seed());
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (int round = 0; round < 300; ++round) {
    std::vector<chart_event> events;
    for (unsigned i = below(60); i > 0; --i) {
      chart_event e = event(static_cast<kind>(below(9)), below(50), below(6), below(6), below(8), "", below(2) != 0);
      for (unsigned n = below(5); n > 0; --n) e.text += static_cast<char>(below(256));
      e.express = below(4) == 0;
      events.push_back(std::move(e));
    }
    chart_options how;
    how.most_objects = below(7);
    how.most_events = below(60);
    EXPECT_TRUE(well_formed(sequence_chart(events, how)));
  }
}

TEST(chart, an_event_survives_its_line) {
  chart_event e{kind::message_sent, 12.5, ~std::uint64_t{0}, 3, 17, 4711, "[:say \"ä\"]\n", true, true};
  EXPECT_EQ(from_line(to_line(e)), e);
  EXPECT_EQ(to_line(e).find('\n'), std::string::npos);
  for (int k = 0; k < 9; ++k) {
    chart_event plain;
    plain.what = static_cast<kind>(k);
    EXPECT_EQ(from_line(to_line(plain)), plain);
  }
  e.text = "\xff";
  EXPECT_TRUE(from_line(to_line(e)));
}

TEST(chart, other_lines_are_no_events) {
  for (const char* line : {"", "{", "[]", "5", "{}", R"({"what":"born"})", R"({"what":"waits","at":"now"})",
                           R"({"what":"waits","object":-1})", R"({"what":"waits","node":99999999999})",
                           R"({"what":"waits","asks":1})", R"({"what":7})"})
    EXPECT_FALSE(from_line(line)) << line;
  EXPECT_TRUE(from_line(R"({"what":"waits","more":[1]})")) << "what is not known is passed over";
}

}  // namespace
}  // namespace abcl
