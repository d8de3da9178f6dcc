// Promise: what a machine's file says is what the machine has, to the picosecond; whatever is wrong with it ends the
// process with one line: the file, the line that is wrong first, what came, and what was expected. The machines that
// Tsubu brings are read, and EM-4's steps add up to its published timetable.
#include "tsubu/sim/machine.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tsubu/base/check.hpp"
#include "tsubu/sim/topology.hpp"

namespace tsubu::sim {
namespace {

namespace fs = std::filesystem;

// A folder that is gone after the test.
class folder {
 public:
  folder() {
    std::string name = fs::temp_directory_path() / "tsubu_machines_XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no folder " << name;
    path_ = name;
  }
  ~folder() { fs::remove_all(path_); }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;

  std::string path() const { return path_.string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  fs::path path_;
};

// 19 lines.
const std::string good = R"(name = "mine"
about = "a test"
source = "made up"
pes = 8
clock = "2.6 GHz"
[cost]
packet_send = "1 clock"
packet_execute = "16 clocks"
task_switch = "2.5 ns"
batch_send = "1.5 us"
batch_receive = "3 ms"
look = "100 ps"
[network]
topology = "torus"
shape = [2, 4]
latency = "1us"
[protocol.reply]
steps = ["packet"]
[memory]
)";

std::string with(const std::string& line, const std::string& instead) {
  std::string text = good;
  const std::size_t place = text.find(line);
  if (place == text.npos) ADD_FAILURE() << "no line " << line;
  return text.replace(place, line.size(), instead);
}

machine read(const std::string& text) {
  const folder in;
  return read_machine(in.write("mine.toml", text));
}

std::vector<step> steps_of(const std::string& text) {
  return read(with("steps = [\"packet\"]", "steps = [" + text + "]")).protocols.at("reply");
}

TEST(machine, times_are_exact) {
  const machine m = read(good);
  EXPECT_EQ(m.name, "mine");
  EXPECT_EQ(m.about, "a test");
  EXPECT_EQ(m.source, "made up");
  EXPECT_EQ(fs::path(m.file).filename(), "mine.toml");
  EXPECT_EQ(m.pes, 8);
  EXPECT_EQ(m.clock_ps, 385) << "384.6 rounded";
  EXPECT_EQ(m.cost.packet_send, 385);
  EXPECT_EQ(m.cost.packet_execute, 6154) << "clocks are not rounded one by one";
  EXPECT_EQ(m.cost.task_switch, 2500);
  EXPECT_EQ(m.cost.batch_send, 1'500'000);
  EXPECT_EQ(m.cost.batch_receive, 3'000'000'000);
  EXPECT_EQ(m.cost.look, 100);
  EXPECT_EQ(m.network.latency, 1'000'000);
  EXPECT_EQ(m.network.topology, topology_kind::torus);
  EXPECT_EQ(m.network.shape, (std::vector<int>{2, 4}));
}

TEST(machine, what_is_left_out) {
  const machine m = read(good);
  EXPECT_EQ(m.word_bytes, 8);
  EXPECT_EQ(m.cost.batch_byte_fs, 0);
  EXPECT_EQ(m.network.link, 0);
  EXPECT_EQ(m.network.packet_bytes, 0U);
  EXPECT_EQ(m.network.wire.packet_ps, 0);
  EXPECT_EQ(m.network.sender.byte_fs, 0);
  EXPECT_EQ(m.node.pes, 1);
  EXPECT_EQ(m.memory.line_bytes, 64);
  EXPECT_EQ(m.memory.cache_bytes, 0);
  EXPECT_EQ(m.protocols.size(), 1U);
}

TEST(machine, what_may_be_there) {
  const machine m = read(R"(
name = "mine"
about = "a test"
source = "made up"
pes = 1000
clock = "12.5 MHz"
word_bytes = 4
[cost]
packet_send = "0 ns"
packet_execute = "0 ns"
task_switch = "0 ns"
batch_send = "0 ns"
batch_receive = "0 ns"
batch_byte = "50 GB/s"
look = "1 clock"
[network]
topology = "dragonfly"
shape = [4, 2, 9]
latency = "4 clocks"
link = "1 clock"
packet_bytes = 4096
sender = {packet = "2 clocks", byte = "12.5 GB/s"}
receiver = {byte = "11 MB/s"}
[network.wire]
packet = "0.25 ns"
[node]
pes = 16
latency = "300 ns"
byte = "1 TB/s"
packet = "20 ns"
[memory]
local = "250 ns"
shared_hit = "150 ns"
shared_miss = "18200 ns"
shared_write = "750 ns"
synchronizer_read = "200 ns"
synchronizer_write = "650 ns"
synchronizer_fetch_and_dec = "755 ns"
line_bytes = 32
cache_bytes = 4096
bus = {packet = "450 ns", byte = "100 kB/s"}
)");
  EXPECT_EQ(m.clock_ps, 80'000);
  EXPECT_EQ(m.word_bytes, 4);
  EXPECT_EQ(m.cost.batch_byte_fs, 20'000) << "400 Gb/s";
  EXPECT_EQ(m.network.shape, (std::vector<int>{4, 2, 9}));
  EXPECT_EQ(m.network.latency, 320'000);
  EXPECT_EQ(m.network.link, 80'000);
  EXPECT_EQ(m.network.packet_bytes, 4096U);
  EXPECT_EQ(m.network.sender.packet_ps, 160'000);
  EXPECT_EQ(m.network.sender.byte_fs, 80'000);
  EXPECT_EQ(m.network.receiver.packet_ps, 0);
  EXPECT_EQ(m.network.receiver.byte_fs, 90'909'091);
  EXPECT_EQ(m.network.wire.packet_ps, 250);
  EXPECT_EQ(m.node.pes, 16);
  EXPECT_EQ(m.node.latency, 300'000);
  EXPECT_EQ(m.node.wire.byte_fs, 1000);
  EXPECT_EQ(m.node.wire.packet_ps, 20'000);
  EXPECT_EQ(m.memory.local, 250'000);
  EXPECT_EQ(m.memory.shared_hit, 150'000);
  EXPECT_EQ(m.memory.shared_miss, 18'200'000);
  EXPECT_EQ(m.memory.shared_write, 750'000);
  EXPECT_EQ(m.memory.synchronizer_read, 200'000);
  EXPECT_EQ(m.memory.synchronizer_write, 650'000);
  EXPECT_EQ(m.memory.synchronizer_fetch_and_dec, 755'000);
  EXPECT_EQ(m.memory.line_bytes, 32);
  EXPECT_EQ(m.memory.cache_bytes, 4096);
  EXPECT_EQ(m.memory.bus.packet_ps, 450'000);
  EXPECT_EQ(m.memory.bus.byte_fs, 10'000'000'000);
}

TEST(machine, measured_work_has_costs_of_its_own) {
  const folder here;
  const auto read = [&](const std::string& more) {
    std::string text = good;
    text.replace(text.find("look ="), 0, "batch_byte = \"2 GB/s\"\n");
    return read_machine(here.write("mine.toml", text.substr(0, text.find("[protocol")) + more));
  };
  const machine same = for_measured_work(read(""));
  EXPECT_EQ(same.cost.batch_send, 1'500'000);
  EXPECT_EQ(same.cost.bulk_byte_fs, 500'000);
  EXPECT_EQ(same.network.latency, 1'000'000);
  const machine other = for_measured_work(
      read("[measured]\nbatch_send = \"1 ns\"\nbatch_receive = \"2 ns\"\nlatency = \"3 ns\"\nbulk_byte = \"1 GB/s\"\n"
           "[spread]\nbatch_send = 0.25\nlatency = 1\n"));
  EXPECT_EQ(other.cost.batch_send, 1000);
  EXPECT_EQ(other.cost.batch_receive, 2000);
  EXPECT_EQ(other.network.latency, 3000);
  EXPECT_EQ(other.cost.batch_byte_fs, 0);  // left out: free
  EXPECT_EQ(other.cost.bulk_byte_fs, 1'000'000);
  EXPECT_EQ(other.cost.packet_execute, same.cost.packet_execute);
}

TEST(machine, buffers_and_places) {
  const auto omega = [](const std::string& more) {
    return read(with("topology = \"torus\"\nshape = [2, 4]", "topology = \"omega\"\nshape = [2, 4]\n" + more)).network;
  };
  EXPECT_EQ(omega("").buffers, 0);
  EXPECT_EQ(omega("").fill, 0);
  EXPECT_EQ(omega("wire = {packet = \"1 ns\"}\nbuffers = 3").buffers, 3);
  EXPECT_EQ(omega("fill = 3").fill, 3);
  EXPECT_EQ(omega("").first_group, 0);
  EXPECT_EQ(omega("first_group = 1").first_group, 1);
}

TEST(machine, steps_of_a_protocol) {
  using what = step::what;
  const std::vector<step> all = steps_of(
      R"("sender 10 clocks", "packet", "receiver 3 ns", "packet back", "each word: sender 2 ps,packet , memory 1.5 us", "packet")");
  struct wanted {
    what does;
    std::int64_t ps;
    bool each_word;
  };
  const wanted expected[] = {{what::sender, 3846, false},     {what::packet, 0, false}, {what::receiver, 3000, false},
                             {what::packet_back, 0, false},   {what::sender, 2, true},  {what::packet, 0, true},
                             {what::memory, 1'500'000, true}, {what::packet, 0, false}};
  ASSERT_EQ(all.size(), std::size(expected));
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_EQ(all[k].does, expected[k].does) << k;
    EXPECT_EQ(all[k].ps, expected[k].ps) << k;
    EXPECT_EQ(all[k].each_word, expected[k].each_word) << k;
  }
}

constexpr const char* predicts = R"([prediction]
log = "12 clocks"
size = {ahead = "18.9 clocks", hit = "1 ns", miss = "2 ns"}
selector = {ahead = "80.7 clocks", hit = "3 ns", miss = "4 ns"}
)";

TEST(machine, prediction) {
  EXPECT_FALSE(read(good).prediction.known);
  const machine m = read(good + predicts);
  EXPECT_TRUE(m.prediction.known);
  EXPECT_EQ(m.prediction.log, 4615);
  EXPECT_EQ(m.prediction.only_counted, 0);
  EXPECT_FALSE(m.prediction.miss_earns);
  EXPECT_EQ(m.prediction.size.ahead, 7269) << "parts of clocks count";
  EXPECT_EQ(m.prediction.size.hit, 1000);
  EXPECT_EQ(m.prediction.size.miss, 2000);
  EXPECT_EQ(m.prediction.selector.ahead, 31038);
  EXPECT_EQ(m.prediction.selector.hit, 3000);
  EXPECT_EQ(m.prediction.selector.miss, 4000);
  const machine more = read(good + "[prediction]\nonly_counted = 2\nmiss_earns = true\n" + (predicts + 13));
  EXPECT_EQ(more.prediction.only_counted, 2);
  EXPECT_TRUE(more.prediction.miss_earns);
}

TEST(machine, a_message_that_goes_as_one_packet) {
  using what = step::what;
  const std::vector<step> all = steps_of(R"("sender 65 clocks", "message 5 words", "receiver 3 ns", "leave 1 us")");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].header_words, std::nullopt);
  EXPECT_EQ(all[1].does, what::packet);
  EXPECT_EQ(all[1].header_words, 5);
  EXPECT_EQ(all[3].does, what::leave);
  EXPECT_EQ(all[3].ps, 1'000'000);
  EXPECT_EQ(steps_of(R"("message 1 word")")[0].header_words, 1);
}

TEST(machine, an_interface_executes_a_message) {
  const std::vector<step> all = steps_of(R"("sender 1 ns", "packet", "interface 2 ns", "packet back")");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[2].does, step::what::interface);
  EXPECT_EQ(all[2].ps, 2000);
  const std::vector<step> words = steps_of(R"("each word: sender 1 ns, packet", "interface 2 ns")");
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(words[2].does, step::what::interface);
}

// The text ends the process with a line that has file, line number and `message`, a regular expression.
void expect_refused(const std::string& text, int line, const std::string& message) {
  const folder in;
  const std::string file = in.write("mine.toml", text);
  EXPECT_EXIT(read_machine(file), testing::ExitedWithCode(exit_code::usage),
              "^tsubu: .*/mine\\.toml:" + std::to_string(line) + ": " + message);
}
void expect_refused(const std::string& line, const std::string& instead, int number, const std::string& message) {
  expect_refused(with(line, instead), number, message);
}

TEST(machine, tcp) {
  const std::string ways = "topology = \"full\"\nsender = {byte = \"11 MB/s\"}\nreceiver = {byte = \"11 MB/s\"}\n";
  const auto tcp = [&](const std::string& network, const std::string& table) {
    return with("topology = \"torus\"\nshape = [2, 4]", network + "tcp = {" + table + "}");
  };
  const std::string whole = "segment_bytes = 1460, window_bytes = 32768, port_bytes = 65536, timeout = \"200 ms\"";
  const tcp_figures found = read(tcp(ways, whole)).network.tcp;
  EXPECT_TRUE(found.known);
  EXPECT_EQ(found.segment_bytes, 1460U);
  EXPECT_EQ(found.window_bytes, 32768U);
  EXPECT_EQ(found.port_bytes, 65536U);
  EXPECT_EQ(found.timeout, 200'000'000'000);
  EXPECT_FALSE(read(with("", "")).network.tcp.known);
  expect_refused(tcp(ways, whole + ", more = 1"), 17, "unknown key .network.tcp. more");
  expect_refused(tcp(ways, "segment_bytes = 1460"), 17, "\\[network.tcp\\] window_bytes is missing");
  expect_refused(tcp(ways, "segment_bytes = 1460, window_bytes = 100"), 17,
                 "\\[network.tcp\\] window_bytes is 100; expected an integer from 1460");
  expect_refused(tcp("topology = \"full\"\n", whole), 15, "\\[network\\] tcp is a table; expected none where");
}

// The words are ours where the line does not say all; the library's differ from version to version, lines do not.
TEST(machine_death, not_toml) {
  expect_refused("[cost]", "[cost", 6, "this is not TOML: .*key.*, in '\\[cost'");
  expect_refused("look = \"100 ps\"", "look = 100 ps", 12, "this is not TOML: .+, in 'look = 100 ps'");
  expect_refused("pes = 8", "name = \"again\"", 4, "this is not TOML: this is there already, in 'name = \"again\"'");
  expect_refused("[memory]", "[cost]", 19, "this is not TOML: this is there already, in '\\[cost\\]'");
  expect_refused("[cost]", "[name.more]", 6, "this is not TOML: this is there already, in '\\[name.more\\]'");
  const std::string open = "this is not TOML: a string is not closed, in 'source = ";
  expect_refused("\"made up\"", "\"made up", 3, open + "\"made up'");
  expect_refused("\"made up\"", "\"made up\\\"", 3, open);
  expect_refused("\"made up\"", "\"\"\"made\nup", 3, open + "\"\"\"made'");
  expect_refused("\"made up\"", "'''made up'\n", 3, open);
  expect_refused("a = 1\r\nb = x y\r\nc = 'open\r\n", 2, "this is not TOML: .+, in 'b = x y'");
  expect_refused(std::string("\xff\xfe\0\1", 4), 1, "this is not TOML");
  const std::string beginning = "name = \"mine\"\nabout = '";
  for (const char* const wrong : {"\x80", "\xc1\x81", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
                                  "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82"}) {
    expect_refused(beginning + wrong + "'\n", 2, "this is not TOML: it is not UTF-8");
  }
  const std::string ones(63, '1');
  expect_refused(beginning + "0b" + ones + "' # 0b" + ones + "\npes = 0b" + ones + "\n", 3,
                 "this is a binary integer of more than 62 digits");
  expect_refused(beginning + "'\npes = 0b" + std::string(59, '0') + "1_0\npes = 3\n", 4,
                 "this is not TOML: this is there already");
  expect_refused(beginning + "\xc3\xa9 \xe7\xb2\x92 \xf0\x9f\x8c\xbe'\npes = 0\n", 3, "pes is 0");
}

TEST(machine_death, names) {
  expect_refused("\"mine\"", "\"yours\"", 1, "name is \"yours\"; expected \"mine\", as the file");
  expect_refused("name = \"mine\"", "nmae = \"mine\"", 1, "unknown key nmae; known are .*; did you mean name\\?");
  expect_refused("[network]", "[netwrok]", 13, "unknown key netwrok; known are .*; did you mean network\\?");
  expect_refused("task_switch", "task_swich", 9,
                 "unknown key \\[cost\\] task_swich; known are .*; did you mean task_switch\\?");
  expect_refused("latency", "delay", 16, "unknown key \\[network\\] delay; known are topology, shape, latency");
  expect_refused("[memory]", "[memory]\nbus = {bytes = \"1 MB/s\"}", 20,
                 "unknown key \\[memory.bus\\] bytes; known are .*; did you mean byte\\?");
  expect_refused("[protocol.reply]", "[protocol.replay]", 17,
                 "unknown key \\[protocol\\] replay; known are .*; did you mean reply\\?");
  expect_refused("steps =", "stepps =", 18,
                 "unknown key \\[protocol.reply\\] stepps; known are .*; did you mean steps\\?");
}

TEST(machine_death, prediction_of_messages_that_do_not_go_alone) {
  const std::string before = good.substr(0, good.find("[protocol"));
  const auto line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
  expect_refused(before + predicts, line, "\\[prediction\\] needs protocols");
}

TEST(machine_death, missing) {
  expect_refused("", 1, "name is missing; expected \"mine\", as the file");
  expect_refused("about = \"a test\"", "", 1, "about is missing; expected a line of text");
  expect_refused("source = \"made up\"", "", 1, "source is missing; expected where the figures are from");
  expect_refused("pes = 8", "", 1, "pes is missing");
  expect_refused("clock = \"2.6 GHz\"", "", 1, "clock is missing; expected a clock such as \"12.5 MHz\"");
  expect_refused("look = \"100 ps\"", "", 6, "\\[cost\\] look is missing; expected a duration above 0");
  expect_refused("batch_send = \"1.5 us\"", "", 6,
                 "\\[cost\\] batch_send is missing; expected a duration such as \"16 clocks\"");
  expect_refused("topology = \"torus\"", "", 13,
                 "\\[network\\] topology is missing; expected one of full, bus, omega, mesh");
  expect_refused("shape = [2, 4]", "shape = [2, 4]\n[node]\nlatency = \"1 ns\"\n[other]", 18, "unknown key other");
  expect_refused("[memory]", "[node]\nlatency = \"1 ns\"", 19, "\\[node\\] pes is missing");
  const std::string network = "[network]\ntopology = \"torus\"\nshape = [2, 4]\nlatency = \"1us\"\n";
  expect_refused(network, "", 1, "network is missing; expected a table \\[network\\]");
}

TEST(machine_death, prediction) {
  expect_refused("[memory]", "[prediction]\nlog = \"1 ns\"", 19,
                 "\\[prediction\\] size is missing; expected a table with");
  expect_refused("[memory]", "[prediction]\nsize = {ahead = \"1 ns\", hit = \"1 ns\"}", 19,
                 "\\[prediction\\] log is missing");
  const std::string before =
      "[prediction]\nlog = \"1 ns\"\nselector = {ahead = \"1 ns\", hit = \"1 ns\", miss = \"1 ns\"}\n";
  expect_refused("[memory]", before + "size = {ahead = \"1 ns\", hit = \"1 ns\"}", 22,
                 "\\[prediction.size\\] miss is missing");
  expect_refused("[memory]", before + "size = \"1 ns\"", 22, "\\[prediction.size\\] is \"1 ns\"; expected a table");
  expect_refused("[memory]", before + "miss_earns = 1", 22,
                 "\\[prediction\\] miss_earns is an integer; expected true or false");
  expect_refused("[memory]", before + "only_counted = -1", 22,
                 "\\[prediction\\] only_counted is -1; expected an integer");
  expect_refused("[memory]", before + "only_count = 1", 22, "unknown key .*did you mean only_counted");
}

TEST(machine_death, calibrated) {
  expect_refused("[memory]", "[measured]\nbatch_send = \"1 ns\"\nbatch_receive = \"1 ns\"", 19,
                 "\\[measured\\] latency is missing");
  expect_refused("[memory]", "[spread]\nlatency = \"5 %\"", 20, "\\[spread\\] latency is \"5 %\"; expected a share");
  expect_refused("[memory]", "[spread]\nlatency = -0.5", 20, "\\[spread\\] latency is .*; expected a share");
  expect_refused("[memory]", "[spread]\nlatencies = 0.5", 20, "unknown key .*did you mean latency");
}

TEST(machine_death, types) {
  expect_refused("name = \"mine\"", "name = 3", 1, "name is an integer");
  expect_refused("pes = 8", "pes = \"8\"", 4, "pes is \"8\"; expected an integer from 1 to");
  expect_refused("pes = 8", "pes = 8.0", 4, "pes is a number without a unit; expected an integer");
  expect_refused("pes = 8", "pes = 0", 4, "pes is 0; expected an integer from 1 to");
  expect_refused("pes = 8", "pes = 2000-01-01", 4, "pes is a date or time");
  expect_refused("\"1 clock\"", "1", 7, "\\[cost\\] packet_send is an integer; expected a duration such as");
  expect_refused("\"1 clock\"", "1.5", 7, "\\[cost\\] packet_send is a number without a unit");
  expect_refused("\"1 clock\"", "[\"1 clock\"]", 7, "\\[cost\\] packet_send is an array");
  expect_refused("\"1 clock\"", "true", 7, "\\[cost\\] packet_send is true or false");
  expect_refused("\"2.6 GHz\"", "2600", 5, "clock is an integer; expected a clock");
  expect_refused("[memory]", "[[memory]]", 19, "\\[memory\\] is an array; expected a table");
  expect_refused("latency =", "wire = \"1 ns\"\nlatency =", 16, "\\[network.wire\\] is \"1 ns\"; expected a table");
  expect_refused("steps = [\"packet\"]", "steps = \"packet\"", 18,
                 "\\[protocol.reply\\] steps is \"packet\"; expected an array");
  expect_refused("steps = [\"packet\"]", "steps = [\n\"packet\",\n3]", 20,
                 "\\[protocol.reply\\] steps is an integer; expected");
}

TEST(machine_death, durations) {
  const auto refused = [](const char* duration, const std::string& message) {
    expect_refused(
        "\"2.5 ns\"", std::string("\"") + duration + "\"", 9,
        "\\[cost\\] task_switch is \"[^\"]*\", " + message + "; expected a duration such as \"16 clocks\", \"250 ns\"");
  };
  refused("-1 ns", "which is negative");
  refused("-0.5 clocks", "which is negative");
  refused("inf ns", "which is not finite");
  refused("-inf ns", "which is not finite");
  refused("nan us", "which is not finite");
  refused("5", "which has no unit");
  refused("ns", "which does not begin with a number");
  refused("", "which does not begin with a number");
  refused("two ns", "which does not begin with a number");
  refused("5 nz", "and there is no unit 'nz', only clock, clocks, ps, ns, us, ms, s");
  refused("5 NS", "and there is no unit 'NS', only .*");
  refused("5 ns.", "and there is no unit 'ns\\.', only .*");
  refused("1e3 ns", "and there is no unit 'e3 ns', only .*");
  refused("5 GB/s", "and there is no unit 'GB/s', only .*");
  refused("200 s", "which is too much");
  refused("99999999999999999999999 clocks", "which is too much");
  expect_refused("\"100 ps\"", "\"0 ns\"", 12,
                 "\\[cost\\] look is \"0 ns\", which is too little; expected a duration above 0");
}

TEST(machine_death, clocks_and_bandwidths) {
  expect_refused("2.6 GHz", "0 GHz", 5, "clock is \"0 GHz\", which is too little");
  expect_refused("2.6 GHz", "2.6 ns", 5, "clock is \"2.6 ns\", and there is no unit 'ns', only kHz, MHz, GHz");
  expect_refused("2.6 GHz", "5 THz", 5, "clock is \"5 THz\", and there is no unit 'THz', only kHz");
  const auto refused = [](const std::string& said, const std::string& message) {
    expect_refused(
        "latency =", "wire = {byte = \"" + said + "\"}\nlatency =", 16,
        "\\[network.wire\\] byte is \"" + said + "\", " + message + "; expected a bandwidth such as \"11 MB/s\"");
  };
  refused("0 MB/s", "which is too little");
  refused("100 Gb/s", "and there is no unit 'Gb/s', only kB/s, MB/s, GB/s, TB/s");
  refused("-1 GB/s", "which is negative");
  refused("9999 TB/s", "which is too much");
}

TEST(machine_death, shapes) {
  const auto refused = [](const std::string& topology, const std::string& shape, int line, const std::string& message) {
    expect_refused("topology = \"torus\"\nshape = [2, 4]",
                   "topology = \"" + topology + "\"" + (shape.empty() ? "" : "\n" + shape), line, message);
  };
  refused("ring", "", 14, "\\[network\\] topology is \"ring\"; expected one of full, bus, omega");
  refused("dragon_fly", "", 14, "\\[network\\] topology is \"dragon_fly\"; .*; did you mean dragonfly\\?");
  refused("omega", "", 13, "\\[network\\] shape is missing; expected for omega \\[nodes of a stage, stages\\]");
  refused("omega", "shape = [2, 4]\nfill = 5", 16, "\\[network\\] fill is 5; expected .*4");
  refused("mesh", "shape = [2, 4]\nfill = 2", 16,
          "\\[network\\] fill is an integer; expected none: only an omega has it");
  refused("omega", "shape = [2, 4]\nfirst_group = 2", 16, "\\[network\\] first_group is 2; expected .*1");
  refused("mesh", "shape = [2, 4]\nfirst_group = 1", 16,
          "\\[network\\] first_group is an integer; expected none: only an omega has it");
  refused("mesh", "shape = [2, 4]\nbuffers = 2", 16, "\\[network\\] buffers is an integer; expected none where");
  refused("mesh", "shape = [2, 4]\nwire = {packet = \"1 ns\"}\nbuffers = 0", 17,
          "\\[network\\] buffers is 0; expected");
  refused("omega", "shape = [16]", 15,
          "\\[network\\] shape is an array of 1; expected for omega \\[nodes of a stage, stages\\]");
  refused("fat_tree", "", 13, "\\[network\\] shape is missing; expected for fat_tree");
  refused("dragonfly", "shape = [4, 2]", 15,
          "\\[network\\] shape is an array of 2; expected for dragonfly \\[routers of a group");
  refused("dragonfly", "shape = [3000, 1, 10]", 15, "\\[network\\] shape is a network of too many nodes or links");
  refused("full", "shape = [8]", 15, "\\[network\\] shape is an array; expected for full none");
  refused("bus", "shape = [8]", 15, "\\[network\\] shape is an array; expected for bus none");
  refused("mesh", "shape = []", 15, "\\[network\\] shape is an array of 0; expected for mesh");
  refused("mesh", "shape = [2, 0]", 15,
          "\\[network\\] shape is an array with 0; expected for mesh .*, integers from 1");
  refused("mesh", "shape = [2, 1.5]", 15,
          "\\[network\\] shape is an array with a number without a unit; expected for mesh");
  refused("mesh", "shape = 8", 15, "\\[network\\] shape is an integer; expected for mesh");
  refused("mesh", "shape = [10000, 10000, 10000, 10000, 10000, 10000]", 15,
          "\\[network\\] shape is a network of too many nodes");
  refused("mesh", "shape = [2, 3]", 4, "pes is 8; expected 6 at most, as \\[network\\] shape has room for");
}

TEST(machine_death, steps) {
  const auto refused = [](const std::string& steps, const std::string& message) {
    expect_refused("steps = [\"packet\"]", "steps = [" + steps + "]", 18, "\\[protocol.reply\\] steps is " + message);
  };
  refused("", "an array; expected an array of steps");
  refused("3", "an integer; expected \"sender N clocks\"");
  refused("\"message\"", "\"message\"; expected .*\"message N words\"");
  refused("\"message 5\"", "\"message 5\"; expected");
  refused("\"message 5 bytes\"", "\"message 5 bytes\"; expected");
  refused("\"message -1 words\"", "\"message -1 words\"; expected");
  refused("\"message 1.5 words\"", "\"message 1.5 words\"; expected");
  refused("\"message 9999 words\"", "\"message 9999 words\"; expected");
  refused("\"packet\", \"message 1 word\"", "\"message 1 word\", after a packet to the receiver");
  refused("\"each word: message 1 word\"", "\"message 1 word\" for each word");
  refused("\"leave 3 clocks\", \"packet\"", "\"leave 3 clocks\", before a packet to the receiver");
  refused("\"packet\", \"leave 3 clocks\", \"receiver 3 clocks\"", "\"receiver 3 clocks\", after the sender has left");
  refused("\"sender 3 clocks\"", "without a packet; expected a \"packet\" that brings the message");
  refused("\"sendr 3 clocks\"", "\"sendr 3 clocks\"; expected \"sender N clocks\"");
  refused("\"\"", "\"\"; expected \"sender N clocks\"");
  refused("\"packet forth\"", "\"packet forth\"; expected");
  refused("\"interface 1 ns\"", "\"interface 1 ns\", before a packet to the receiver; expected");
  refused("\"packet\", \"receiver 1 ns\", \"interface 1 ns\"", "\"interface 1 ns\", not behind a packet; expected");
  refused("\"packet\", \"interface 1 ns\", \"receiver 1 ns\"",
          "\"receiver 1 ns\", after an interface has executed it; expected");
  refused("\"packet\", \"interface 1 ns\", \"packet back\", \"packet\"",
          "\"packet\", after an interface has executed it; expected");
  refused("\"packet\", \"receiver 3 clowns\"", "\"3 clowns\", and there is no unit 'clowns'");
  refused("\"packet\", \"receiver\"", "\"\", which does not begin with a number");
  refused("\"packet\", \"receiver -3 clocks\"", "\"-3 clocks\", which is negative");
  refused("\"receiver 3 clocks\", \"packet\"", "\"receiver 3 clocks\", before a packet to the receiver; expected");
  refused("\"packet back\"", "\"packet back\", before a packet to the receiver");
  refused("\"packet\", \"packet\"", "\"packet\", after a packet to the receiver");
  refused("\"packet\", \"sender 3 clocks\"", "\"sender 3 clocks\", after a packet to the receiver");
  refused("\"packet\", \"each word: packet\"", "\"packet\", after a packet to the receiver");
  refused("\"packet\", \"memory 3 clocks\"", "\"memory 3 clocks\", not in \"each word:\"");
  refused("\"each word: packet back\"", "\"packet back\" for each word");
  refused("\"each word: receiver 3 clocks\"", "\"receiver 3 clocks\" for each word");
  refused("\"each word:\"", "\"\"; expected");
  refused("\"each word: packet,\"", "\"\"; expected");
}

TEST(machine_death, the_first_line_that_is_wrong) {
  std::string text = with("look = \"100 ps\"", "look = 1");
  text.replace(text.find("\"1.5 us\""), 8, "\"1.5 usec\"");
  expect_refused(text, 10, "\\[cost\\] batch_send is \"1.5 usec\"");
}

TEST(machine_death, files_and_names) {
  const auto refused = [](const std::string& name, const std::string& message) {
    EXPECT_EXIT(read_machine(name), testing::ExitedWithCode(exit_code::usage), message);
  };
  refused("./nowhere.toml",
          "^tsubu: ./nowhere.toml cannot be read: No such file or directory; expected the description of a machine");
  refused("nowhere.toml", "^tsubu: nowhere.toml cannot be read");
  const folder in;
  refused(in.path() + "/", "cannot be read");
  refused("em5",
          "^tsubu: there is no machine 'em5' in .*machines; there are anet, anet_before, apollo_hdr100, attempt0, "
          "cluster, em4, .*; "
          "did you mean "
          "em4\\?");
  refused("", "^tsubu: there is no machine ''");
}

TEST(machine, folders) {
  const folder first, second;
  first.write("em4.toml", with("\"mine\"", "\"em4\""));
  second.write("em4.toml", with("name = \"mine\"\nabout = \"a test\"", "name = \"em4\"\nabout = \"second\""));
  EXPECT_NE(read_machine("em4").about, "a test");
  ::setenv("TSUBU_MACHINES", first.path().c_str(), 1);
  EXPECT_EQ(read_machine("em4").about, "a test");
  EXPECT_EQ(read_machine("em4", second.path()).about, "second");
  EXPECT_EQ(read_machine("emx").name, "emx") << "the others are still there";
  ::unsetenv("TSUBU_MACHINES");
}

TEST(machine_death, numbers_of_pes) {
  const auto refused = [](const machine& on, int pes, const std::string& message) {
    EXPECT_EXIT(check_pes(on, pes), testing::ExitedWithCode(exit_code::usage), message);
  };
  const machine em4 = read_machine("em4");
  for (const int pes : {1, 16, 64, 79, 80}) check_pes(em4, pes);
  refused(em4, 81, "^tsubu: the machine em4 has room for 1 to 80 PEs, not 81; the nearest number it can have is 80");
  refused(em4, 0, "not 0; the nearest number it can have is 1");
  const machine cluster = read_machine("cluster");
  check_pes(cluster, 100'000);
  check_pes(cluster, 32 * 32 * 4 * 64);
  refused(cluster, 32 * 32 * 4 * 64 + 1,
          "room for 1 to 262144 PEs, not 262145; the nearest number it can have is 262144");
  check_pes(read_machine("loggp"), 1'000'000);
}

TEST(machines, all_are_read) {
  for (const char* name : {"anet", "anet_before", "attempt0", "cluster", "em4", "emx", "host", "loggp", "mill",
                           "presto_ethernet", "presto_myrinet"}) {
    const machine m = read_machine(name);
    EXPECT_EQ(m.name, name);
    check_pes(m, m.pes);
    const topology t(m, m.pes);
    EXPECT_GT(t.distance(0, m.pes - 1), 0) << name;
  }
}

// When a message of so many words is there, and when its sender has done its part, in clocks: nobody else uses the
// network.
struct timetable {
  double sent = 0, received = 0;
};
timetable times(const machine& m, const char* protocol, int words, int links_there, int links_back) {
  double now = 0, sent = 0;
  for (const step& s : m.protocols.at(protocol)) {
    double ps = 0;
    if (s.does == step::what::sender || s.does == step::what::receiver || s.does == step::what::interface)
      ps = static_cast<double>(s.ps);
    const bool there = s.does == step::what::packet && !s.each_word;
    if (there) sent = now;
    if (there || s.does == step::what::packet_back) {
      ps = static_cast<double>(m.network.latency + m.network.link * (there ? links_there : links_back));
    }
    now += s.each_word ? ps * words : ps;
  }
  return {sent / static_cast<double>(m.clock_ps), now / static_cast<double>(m.clock_ps)};
}

// The neighbour is 1 link away, the way back is 4. From a message's arrival to its method are 9 clocks, to a waiting
// task 7.
TEST(machines, em4_keeps_the_published_timetable) {
  const machine m = read_machine("em4");
  constexpr double to_method = 9, to_task = 7;  // in the last steps

  EXPECT_EQ(times(m, "request", 3, 1, 4).sent, 92 - 28);
  EXPECT_EQ(times(m, "request", 3, 1, 4).received, 97 - 28 + to_method);
  EXPECT_EQ(times(m, "request_to_new", 3, 1, 4).sent + 15, 126 - 59)
      << "the box takes 15 more: the receiver is at work";
  EXPECT_EQ(times(m, "create", 0, 1, 4).sent, 57 - 27);
  EXPECT_EQ(times(m, "create", 0, 1, 4).received, 57 - 27 + 5 + 6);
  EXPECT_EQ(times(m, "reply", 1, 4, 1).sent, 26 - 15);
  EXPECT_EQ(times(m, "reply", 1, 4, 1).received, 35 - 15 + to_task);

  // A now message to a neighbour and its reply, with 19 and 8 of the program's own before each. Measured: 133.
  const double round = 19 + times(m, "request", 3, 1, 4).received + 8 + times(m, "reply", 1, 4, 1).received;
  EXPECT_NEAR(round, 133, 1);
}

TEST(machines, emx_reads_in_twenty_odd_clocks) {
  const machine m = read_machine("emx");
  const topology t(m, m.pes);
  double sum = 0;
  for (pe_id a = 0; a < 80; ++a) {
    for (pe_id b = 0; b < 80; ++b) {
      if (a != b) sum += times(m, "read", 1, t.distance(a, b), t.distance(b, a)).received;
    }
  }
  const double mean = sum / (80 * 79) + static_cast<double>(m.cost.task_switch) / static_cast<double>(m.clock_ps);
  EXPECT_GT(mean, 20);
  EXPECT_LT(mean, 29);
}

TEST(machines, anet_hops) {
  const machine m = read_machine("anet");
  const topology t(m, 16);
  EXPECT_EQ(m.network.latency + m.network.link * t.distance(0, 1), 5'200'000);
  EXPECT_EQ(m.network.latency + m.network.link * t.distance(0, 5), 6'200'000);
}

// From a send to the method, with the network's 31 clocks: 1558 published. Messages of 7 and 8 words.
TEST(machines, anet_keeps_the_published_clocks) {
  const machine before = read_machine("anet_before"), after = read_machine("anet");
  const timetable request = times(before, "request", 3, 1, 1);
  EXPECT_NEAR(request.received, 1558, 0.5);
  for (const machine* m : {&before, &after}) {
    EXPECT_NEAR(times(*m, "past", 0, 1, 1).sent, 65, 1e-3) << m->name;
    EXPECT_NEAR(times(*m, "reply", 1, 1, 1).sent, 65, 1e-3) << m->name;
    EXPECT_EQ(m->protocols.at("request")[1].header_words.value() + 3, 8) << m->name;
    EXPECT_EQ(m->protocols.at("reply")[1].header_words.value() + 1, 7) << m->name;
    EXPECT_EQ(m->word_bytes * 7, 35) << m->name;
  }
}

TEST(machines, presto_one_way) {
  const auto one_way = [](const char* name) {
    const machine m = read_machine(name);
    return m.cost.batch_send + m.network.latency + m.cost.batch_receive;
  };
  EXPECT_EQ(one_way("presto_ethernet"), 70'000'000 + 2 * 5'000'000);
  EXPECT_EQ(one_way("presto_myrinet"), 13'000'000 + 2 * 5'000'000);
}

TEST(machines, loggp_parameters) {
  const machine m = read_machine("loggp");
  EXPECT_EQ(m.network.latency, 2'000'000);
  EXPECT_EQ(m.cost.batch_send, 500'000);
  EXPECT_EQ(m.cost.batch_receive, 500'000);
  EXPECT_EQ(m.network.sender.packet_ps, 300'000);
  EXPECT_EQ(m.network.sender.byte_fs, 1'000'000);
  EXPECT_EQ(m.cost.packet_send + m.cost.packet_execute + m.cost.task_switch + m.cost.batch_byte_fs, 0);
}

}  // namespace
}  // namespace tsubu::sim
