#include "tsubu/sim/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <toml.hpp>

#include "tsubu/base/check.hpp"
#include "tsubu/base/settings.hpp"

namespace tsubu::sim {
namespace {

namespace fs = std::filesystem;

constexpr int most_nodes = 1 << 24;              // that a shape may have room for
constexpr std::int64_t most_links = most_nodes;  // between the routers of a dragonfly

[[noreturn]] void refuse(const std::string& text) { end_job(exit_code::usage, "tsubu: " + text); }

struct unit {
  std::string_view name;
  double size;
};

// What a quantity may be: its units, its least and largest value in that of size 1, and how it is asked for.
struct measure {
  std::span<const unit> units;
  double least, most;
  const char* expected;
};

constexpr unit clock_units[] = {{"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}};
constexpr measure clock_rate{clock_units, 1e3, 1e12, "a clock such as \"12.5 MHz\" or \"2.6 GHz\""};
constexpr unit bandwidth_units[] = {{"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}};
constexpr measure bandwidth{bandwidth_units, 1e5, 1e15, "a bandwidth such as \"11 MB/s\" or \"12.5 GB/s\""};
constexpr const char* duration_expected = "a duration such as \"16 clocks\", \"250 ns\" or \"1.5 us\"";
constexpr double longest_ps = 1e14;
constexpr int most_header_words = 1024;
constexpr const char* step_expected =
    "\"sender N clocks\", \"receiver N clocks\", \"interface N clocks\", \"packet\", \"packet back\", \"message N "
    "words\", \"leave N clocks\" or \"each word: sender N clocks, packet, memory N clocks\"";

// A topology, and how many numbers its shape has.
struct form {
  std::string_view name;
  topology_kind kind;
  std::size_t least, most;
  bool needed;
  const char* shape;
};
constexpr const char* dimensions = "[nodes along each dimension]";
constexpr form forms[] = {
    {"full", topology_kind::full, 0, 0, false, "none: it has no shape"},
    {"bus", topology_kind::bus, 0, 0, false, "none: it has no shape"},
    {"omega", topology_kind::omega, 2, 2, true, "[nodes of a stage, stages]"},
    {"mesh", topology_kind::mesh, 1, 8, false, dimensions},
    {"torus", topology_kind::torus, 1, 8, false, dimensions},
    {"fat_tree", topology_kind::fat_tree, 1, 8, true, "[links down from a switch, for each level, the lowest first]"},
    {"dragonfly", topology_kind::dragonfly, 3, 3, true, "[routers of a group, nodes of a router, groups]"}};

constexpr std::string_view protocol_names[] = {"create", "request", "request_to_new", "reply",
                                               "write",  "read",    "past",           "collective"};

// The figures that `tsubu calibrate` measures.
constexpr std::string_view spread_names[] = {"packet_send", "packet_execute", "task_switch",
                                             "batch_send",  "batch_receive",  "batch_byte",
                                             "bulk_byte",   "look",           "latency"};

std::string list(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::string near = nearest(word, known.data(), known.size());
  return near.empty() ? "" : "; did you mean " + near + "?";
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// What a value is, for a message: "an integer".
std::string kind(const toml::value& v) {
  switch (v.type()) {
    case toml::value_t::boolean:
      return "true or false";
    case toml::value_t::integer:
      return "an integer";
    case toml::value_t::floating:
      return "a number without a unit";
    case toml::value_t::string:
      return "\"" + v.as_string().str + "\"";
    case toml::value_t::array:
      return "an array";
    case toml::value_t::table:
      return "a table";
    default:
      return "a date or time";
  }
}

// What is wrong in a file: the line that comes first.
class first_wrong {
 public:
  void at(std::size_t line, const std::string& text) { note(line, text, false); }
  // What is missing comes after all else: it may be there under a wrong name.
  void missing(std::size_t line, const std::string& text) { note(line, text, true); }
  void end_if_any(const std::string& file) const {
    if (!text_.empty()) refuse(file + ":" + std::to_string(line_) + ": " + text_);
  }

 private:
  void note(std::size_t line, const std::string& text, bool missing) {
    if (!text_.empty() && std::pair(missing, line) >= std::pair(missing_, line_)) return;
    missing_ = missing;
    line_ = line;
    text_ = text;
  }

  bool missing_ = false;
  std::size_t line_ = 0;
  std::string text_;
};

// One table of the file: gives its values, and finds out which of its keys nobody asked for.
class section {
 public:
  // path: "" or "[cost]". A table that is not there has no keys.
  section(first_wrong& wrong, const toml::value* table, std::string path, std::size_t line)
      : wrong_(wrong), table_(table), path_(std::move(path)), line_(line) {
    if (table_ == nullptr) return;
    line_ = table_->location().line();
    if (table_->is_table()) return;
    wrong_.at(line_, path_ + " is " + kind(*table_) + "; expected a table");
    table_ = nullptr;
  }
  ~section() {
    if (table_ == nullptr) return;
    for (const auto& [key, v] : table_->as_table()) {
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
      wrong_.at(v.location().line(),
                "unknown key " + label(key) + "; known are " + list(known_) + did_you_mean(key, known_));
    }
  }
  section(const section&) = delete;
  section& operator=(const section&) = delete;

  bool there() const { return table_ != nullptr; }
  std::size_t line() const { return line_; }

  bool has(std::string_view key) const { return table_ != nullptr && table_->as_table().contains(std::string(key)); }
  // The value of a key, or nullptr.
  const toml::value* find(std::string_view key) {
    known_.push_back(key);
    if (table_ == nullptr) return nullptr;
    const auto& all = table_->as_table();
    const auto place = all.find(std::string(key));
    return place == all.end() ? nullptr : &place->second;
  }
  // The same; one that is not there is wrong.
  const toml::value* need(std::string_view key, const std::string& expected) {
    const toml::value* const v = find(key);
    if (v == nullptr) wrong_.missing(line_, label(key) + " is missing; expected " + expected);
    return v;
  }

  void complain(std::string_view key, const toml::value& v, const std::string& what, const std::string& expected) {
    wrong_.at(v.location().line(), label(key) + " is " + what + "; expected " + expected);
  }

  std::string text(std::string_view key, const toml::value* v, const std::string& expected) {
    if (v == nullptr) return "";
    if (v->is_string() && !v->as_string().str.empty()) return v->as_string().str;
    complain(key, *v, kind(*v), expected);
    return "";
  }

  int integer(std::string_view key, const toml::value* v, int least, int most, int otherwise) {
    if (v == nullptr) return otherwise;
    if (v->is_integer() && v->as_integer() >= least && v->as_integer() <= most)
      return static_cast<int>(v->as_integer());
    complain(key, *v, v->is_integer() ? std::to_string(v->as_integer()) : kind(*v),
             "an integer from " + std::to_string(least) + " to " + std::to_string(most));
    return otherwise;
  }

  // "1.5 us" as what it is in the unit of size 1.
  std::optional<double> quantity(std::string_view key, const toml::value* v, const measure& in) {
    if (v == nullptr) return std::nullopt;
    if (!v->is_string()) {
      complain(key, *v, kind(*v), in.expected);
      return std::nullopt;
    }
    return quantity_of(key, *v, v->as_string().str, in);
  }

  // What a text that belongs to a value says.
  std::optional<double> quantity_of(std::string_view key, const toml::value& v, std::string_view words,
                                    const measure& in) {
    const std::string said = "\"" + std::string(words) + "\"";
    double number = 0;
    const auto [end, error] =
        std::from_chars(words.data(), words.data() + words.size(), number, std::chars_format::fixed);
    const std::string_view name = trimmed(words.substr(static_cast<std::size_t>(end - words.data())));
    const auto found = std::find_if(in.units.begin(), in.units.end(), [&](const unit& u) { return u.name == name; });
    if (error == std::errc::invalid_argument) {
      complain(key, v, said + ", which does not begin with a number", in.expected);
    } else if (error != std::errc{} || !std::isfinite(number)) {
      complain(key, v, said + ", which is not finite", in.expected);
    } else if (std::signbit(number)) {
      complain(key, v, said + ", which is negative", in.expected);
    } else if (name.empty()) {
      complain(key, v, said + ", which has no unit", in.expected);
    } else if (found == in.units.end()) {
      std::vector<std::string_view> names;
      for (const unit& u : in.units) names.push_back(u.name);
      complain(key, v, said + ", and there is no unit '" + std::string(name) + "', only " + list(names), in.expected);
    } else if (number * found->size < in.least || number * found->size > in.most) {
      complain(key, v, said + (number * found->size < in.least ? ", which is too little" : ", which is too much"),
               in.expected);
    } else {
      return number * found->size;
    }
    return std::nullopt;
  }

  std::string label(std::string_view key) const { return (path_.empty() ? "" : path_ + " ") + std::string(key); }

 private:
  first_wrong& wrong_;
  const toml::value* table_;
  std::string path_;
  std::size_t line_;
  std::vector<std::string_view> known_;
};

// How many PEs a machine has room for.
std::int64_t room_for(const machine& m) {
  if (m.network.shape.empty()) return most_nodes;
  std::int64_t room = m.node.pes;
  for (const int n : m.network.shape) room *= n;
  return room;
}

// Makes a machine of a file's tables, one after the other.
class reader {
 public:
  reader(const toml::value& root, const std::string& file) : root_(root) { m_.file = file; }

  machine read() {
    {
      section top(wrong_, &root_, "", 1);
      read_top(top);
      read_cost(top);
      read_network(top);
      read_node(top);
      read_measured(top);
      read_spread(top);
      read_memory(top);
      read_prediction(top);
      read_protocols(top);
    }
    wrong_.end_if_any(m_.file);
    return m_;
  }

 private:
  void read_top(section& top) {
    const std::string stem = fs::path(m_.file).stem().string();
    const toml::value* const name = top.need("name", "\"" + stem + "\", as the file");
    m_.name = top.text("name", name, "a name");
    if (!m_.name.empty() && m_.name != stem) top.complain("name", *name, kind(*name), "\"" + stem + "\", as the file");
    m_.about = top.text("about", top.need("about", "a line of text"), "a line of text");
    m_.source = top.text("source", top.need("source", "where the figures are from"), "where the figures are from");
    pes_ = top.need("pes", "how many PEs it has");
    m_.pes = top.integer("pes", pes_, 1, most_nodes, 1);
    const std::optional<double> hz = top.quantity("clock", top.need("clock", clock_rate.expected), clock_rate);
    const double clock = 1e12 / hz.value_or(1e9);
    m_.clock_ps = std::llround(clock);
    times_ = {{"clock", clock}, {"clocks", clock}, {"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}};
    m_.word_bytes = top.integer("word_bytes", top.find("word_bytes"), 1, 64, 8);
  }

  void read_cost(section& top) {
    section cost(wrong_, top.need("cost", "a table [cost]"), "[cost]", top.line());
    if (!cost.there()) return;
    m_.cost.packet_send = needed_duration(cost, "packet_send");
    m_.cost.packet_execute = needed_duration(cost, "packet_execute");
    m_.cost.task_switch = needed_duration(cost, "task_switch");
    m_.cost.batch_send = needed_duration(cost, "batch_send");
    m_.cost.batch_receive = needed_duration(cost, "batch_receive");
    m_.cost.batch_byte_fs = m_.cost.bulk_byte_fs = byte_time(cost, "batch_byte");
    if (const auto bulk = byte_time(cost, "bulk_byte")) m_.cost.bulk_byte_fs = bulk;
    // One that took no time would go on for ever at the same time.
    const measure of_look{times_, 1, longest_ps, "a duration above 0, such as \"50 ns\""};
    m_.cost.look = std::llround(cost.quantity("look", cost.need("look", of_look.expected), of_look).value_or(1));
  }

  void read_network(section& top) {
    section net(wrong_, top.need("network", "a table [network]"), "[network]", top.line());
    if (!net.there()) return;
    const form* const as = read_topology(net);
    const toml::value* const shape = net.find("shape");
    if (as != nullptr) read_shape(net, shape, *as);
    m_.network.latency = needed_duration(net, "latency");
    m_.network.link = duration(net, "link");
    m_.network.packet_bytes =
        static_cast<std::size_t>(net.integer("packet_bytes", net.find("packet_bytes"), 1, 1 << 30, 0));
    m_.network.sender = taken(net, "sender", "[network.sender]");
    m_.network.wire = taken(net, "wire", "[network.wire]");
    m_.network.receiver = taken(net, "receiver", "[network.receiver]");
    read_fill(net);
    const toml::value* const buffers = net.find("buffers");
    m_.network.buffers = net.integer("buffers", buffers, 1, 1 << 20, 0);
    const bool wires = m_.network.wire.packet_ps != 0 || m_.network.wire.byte_fs != 0;
    if (buffers != nullptr && !wires)
      net.complain("buffers", *buffers, kind(*buffers),
                   "none where [network] wire does not say how long links are taken");
  }

  const form* read_topology(section& net) {
    std::vector<std::string_view> names;
    for (const form& one : forms) names.push_back(one.name);
    const std::string expected = "one of " + list(names);
    const toml::value* const v = net.need("topology", expected);
    const std::string said = net.text("topology", v, expected);
    for (const form& one : forms) {
      if (one.name != said) continue;
      m_.network.topology = one.kind;
      return &one;
    }
    if (!said.empty()) net.complain("topology", *v, kind(*v), expected + did_you_mean(said, names));
    return nullptr;
  }

  void read_shape(section& net, const toml::value* v, const form& as) {
    const std::string expected = "for " + std::string(as.name) + " " + as.shape;
    if (v == nullptr) {
      if (as.needed) net.need("shape", expected);
      return;
    }
    if (as.most == 0 || !v->is_array()) return net.complain("shape", *v, kind(*v), expected);
    const auto& numbers = v->as_array();
    if (numbers.size() < as.least || numbers.size() > as.most) {
      return net.complain("shape", *v, "an array of " + std::to_string(numbers.size()), expected);
    }
    std::int64_t nodes = 1;
    std::vector<int> shape;
    for (const toml::value& n : numbers) {
      if (!n.is_integer() || n.as_integer() < 1 || n.as_integer() > most_nodes) {
        return net.complain("shape", *v, "an array with " + (n.is_integer() ? std::to_string(n.as_integer()) : kind(n)),
                            expected + ", integers from 1 to " + std::to_string(most_nodes));
      }
      nodes = std::min<std::int64_t>(nodes * n.as_integer(), most_nodes + 1);
      shape.push_back(static_cast<int>(n.as_integer()));
    }
    const std::int64_t routers = shape.front(), groups = shape.back();
    const bool many = as.kind == topology_kind::dragonfly && groups * (routers * routers + groups) > most_links;
    if (nodes > most_nodes || many) {
      return net.complain(
          "shape", *v, "a network of too many nodes or links",
          expected + ", with " + std::to_string(most_nodes) + " nodes at most, and as many links between routers");
    }
    m_.network.shape = std::move(shape);
  }

  void read_fill(section& net) {
    const toml::value* const v = net.find("fill");
    if (v == nullptr) return;
    if (m_.network.topology != topology_kind::omega || m_.network.shape.size() != 2)
      return net.complain("fill", *v, kind(*v), "none: only an omega has it");
    m_.network.fill = net.integer("fill", v, 1, m_.network.shape[1], 0);
  }

  void read_node(section& top) {
    const toml::value* const v = top.find("node");
    section node(wrong_, v, "[node]", top.line());
    if (node.there()) {
      m_.node.pes = node.integer("pes", node.need("pes", "how many PEs a node has"), 1, 1 << 16, 1);
      m_.node.latency = needed_duration(node, "latency");
      m_.node.wire.byte_fs = byte_time(node, "byte");
      m_.node.wire.packet_ps = duration(node, "packet");
    }
    const std::int64_t room = room_for(m_);
    if (pes_ != nullptr && m_.pes > room) {
      top.complain("pes", *pes_, std::to_string(m_.pes),
                   std::to_string(room) + " at most, as [network] shape has room for");
    }
  }

  void read_measured(section& top) {
    auto& m = m_.measured;
    m = {m_.cost.batch_send, m_.cost.batch_receive, m_.cost.batch_byte_fs, m_.cost.bulk_byte_fs, m_.network.latency};
    section measured(wrong_, top.find("measured"), "[measured]", top.line());
    if (!measured.there()) return;
    m.batch_send = needed_duration(measured, "batch_send");
    m.batch_receive = needed_duration(measured, "batch_receive");
    m.batch_byte_fs = m.bulk_byte_fs = byte_time(measured, "batch_byte");
    if (const auto bulk = byte_time(measured, "bulk_byte")) m.bulk_byte_fs = bulk;
    m.latency = needed_duration(measured, "latency");
  }

  // For readers: how far the repetitions of a calibration lay apart, for each of its figures.
  void read_spread(section& top) {
    section spread(wrong_, top.find("spread"), "[spread]", top.line());
    for (const std::string_view name : spread_names) {
      const toml::value* const v = spread.find(name);
      if (v == nullptr) continue;
      const double share = v->is_floating()  ? v->as_floating()
                           : v->is_integer() ? static_cast<double>(v->as_integer())
                                             : -1;
      if (!(share >= 0)) spread.complain(name, *v, kind(*v), "a share of the figure such as 0.05");
    }
  }

  void read_memory(section& top) {
    section memory(wrong_, top.find("memory"), "[memory]", top.line());
    m_.memory.local = duration(memory, "local");
    m_.memory.shared_hit = duration(memory, "shared_hit");
    m_.memory.shared_miss = duration(memory, "shared_miss");
    m_.memory.shared_write = duration(memory, "shared_write");
    m_.memory.synchronizer_read = duration(memory, "synchronizer_read");
    m_.memory.synchronizer_write = duration(memory, "synchronizer_write");
    m_.memory.synchronizer_fetch_and_dec = duration(memory, "synchronizer_fetch_and_dec");
    m_.memory.line_bytes = memory.integer("line_bytes", memory.find("line_bytes"), 1, 1 << 20, 64);
    m_.memory.cache_bytes = memory.integer("cache_bytes", memory.find("cache_bytes"), 0, 1 << 30, 0);
    m_.memory.bus = taken(memory, "bus", "[memory.bus]");
  }

  void read_prediction(section& top) {
    section of(wrong_, top.find("prediction"), "[prediction]", top.line());
    auto& p = m_.prediction;
    p.known = of.there();
    if (!p.known) return;
    if (!top.has("protocol"))
      wrong_.at(of.line(), "[prediction] needs protocols: only messages that go alone are predicted");
    p.log = needed_duration(of, "log");
    p.only_counted = of.integer("only_counted", of.find("only_counted"), 0, 1 << 30, 0);
    if (const toml::value* const v = of.find("miss_earns")) {
      if (!v->is_boolean()) of.complain("miss_earns", *v, kind(*v), "true or false");
      p.miss_earns = v->is_boolean() && v->as_boolean();
    }
    p.size = predicting(of, "size", "[prediction.size]");
    p.selector = predicting(of, "selector", "[prediction.selector]");
  }

  machine::predicting predicting(section& in, std::string_view key, const char* path) {
    section of(wrong_, in.need(key, "a table with ahead, hit and miss"), path, in.line());
    if (!of.there()) return {};
    return {needed_duration(of, "ahead"), needed_duration(of, "hit"), needed_duration(of, "miss")};
  }

  void read_protocols(section& top) {
    section all(wrong_, top.find("protocol"), "[protocol]", top.line());
    for (const std::string_view name : protocol_names) {
      const toml::value* const v = all.find(name);
      section one(wrong_, v, "[protocol." + std::string(name) + "]", all.line());
      if (one.there()) read_steps(one, one.need("steps", "an array of steps"), m_.protocols[std::string(name)]);
    }
  }

  void read_steps(section& one, const toml::value* v, std::vector<step>& steps) {
    if (v == nullptr) return;
    if (!v->is_array() || v->as_array().empty()) return one.complain("steps", *v, kind(*v), "an array of steps");
    at_sender_ = true;
    packets_ = false;
    for (const toml::value& s : v->as_array()) {
      if (!s.is_string()) {
        one.complain("steps", s, kind(s), step_expected);
        return;
      }
      std::string_view words = trimmed(s.as_string().str);
      constexpr std::string_view each = "each word:";
      const bool each_word = words.starts_with(each);
      if (each_word) words.remove_prefix(each.size());
      for (bool more = true; more;) {
        const std::size_t comma = each_word ? words.find(',') : words.npos;
        more = comma != words.npos;
        if (!read_step(one, s, trimmed(words.substr(0, comma)), each_word, steps)) return;
        words = more ? words.substr(comma + 1) : "";
      }
    }
    if (!packets_) one.complain("steps", *v, "without a packet", "a \"packet\" that brings the message");
  }

  // False if it is wrong.
  bool read_step(section& one, const toml::value& v, std::string_view words, bool each_word, std::vector<step>& steps) {
    const auto wrong = [&](const std::string& why) {
      one.complain("steps", v, "\"" + std::string(words) + "\"" + why, step_expected);
      return false;
    };
    const std::size_t space = words.find(' ');
    const std::string_view verb = words.substr(0, space);
    const std::string_view rest = space == words.npos ? "" : trimmed(words.substr(space));
    const bool by_interface = !steps.empty() && steps.back().does == step::what::interface;
    const bool interface_answered = steps.size() > 1 && steps.rbegin()[0].does == step::what::packet_back &&
                                    steps.rbegin()[1].does == step::what::interface;
    if ((by_interface && words != "packet back") || interface_answered)
      return wrong(", after an interface has executed it");
    const std::string misplaced = at_sender_ ? ", before a packet to the receiver" : ", after a packet to the receiver";
    if (!steps.empty() && steps.back().does == step::what::leave) return wrong(", after the sender has left");
    if (verb == "packet" && (rest.empty() || rest == "back")) {
      const bool back = !rest.empty();
      if (back && each_word) return wrong(" for each word");
      if (back == at_sender_) return wrong(misplaced);
      at_sender_ = each_word || back;
      packets_ = true;
      steps.push_back({back ? step::what::packet_back : step::what::packet, 0, each_word});
      return true;
    }
    if (verb == "message") {
      int header_words = 0;
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), header_words);
      const std::string_view unit = trimmed(rest.substr(static_cast<std::size_t>(end - rest.data())));
      if (error != std::errc{} || header_words < 0 || header_words > most_header_words) return wrong("");
      if (unit != "word" && unit != "words") return wrong("");
      if (each_word) return wrong(" for each word");
      if (!at_sender_) return wrong(misplaced);
      at_sender_ = false;
      packets_ = true;
      steps.push_back({step::what::packet, 0, false, header_words});
      return true;
    }
    step s{step::what::sender, 0, each_word};
    if (verb == "leave") {
      if (each_word) return wrong(" for each word");
      if (at_sender_) return wrong(misplaced);
      s.does = step::what::leave;
    } else if (verb == "memory") {
      if (!each_word) return wrong(", not in \"each word:\"");
      s.does = step::what::memory;
    } else if (verb == "receiver" || verb == "interface") {
      if (each_word) return wrong(" for each word");
      const bool direct = !steps.empty() && steps.back().does == step::what::packet;
      s.does = verb == "receiver" ? step::what::receiver : step::what::interface;
      // Behind the words it executes the message when the last is there.
      const bool behind_words = s.does == step::what::interface && direct && steps.back().each_word;
      if (at_sender_ && !behind_words) return wrong(misplaced);
      if (s.does == step::what::interface && !direct) return wrong(", not behind a packet");
    } else if (verb != "sender") {
      return wrong("");
    } else if (!at_sender_) {
      return wrong(misplaced);
    }
    const std::optional<double> ps = one.quantity_of("steps", v, rest, time_measure());
    s.ps = std::llround(ps.value_or(0));
    steps.push_back(s);
    return ps.has_value();
  }

  measure time_measure() const { return {times_, 0, longest_ps, duration_expected}; }

  std::int64_t duration(section& in, std::string_view key) {
    return std::llround(in.quantity(key, in.find(key), time_measure()).value_or(0));
  }
  std::int64_t needed_duration(section& in, std::string_view key) {
    return std::llround(in.quantity(key, in.need(key, duration_expected), time_measure()).value_or(0));
  }
  std::int64_t byte_time(section& in, std::string_view key) {
    const std::optional<double> bytes_per_s = in.quantity(key, in.find(key), bandwidth);
    return bytes_per_s ? std::llround(1e15 / *bytes_per_s) : 0;
  }
  occupancy taken(section& in, std::string_view key, const char* path) {
    section table(wrong_, in.find(key), path, in.line());
    return {duration(table, "packet"), byte_time(table, "byte")};
  }

  const toml::value& root_;
  machine m_;
  first_wrong wrong_;
  const toml::value* pes_ = nullptr;
  std::vector<unit> times_;
  bool at_sender_ = true;  // where the step that is read begins
  bool packets_ = false;   // one has gone to the receiver
};

toml::value parse(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::error_code none;
  if (!in || !fs::is_regular_file(file, none)) refuse(file + " cannot be read; expected the description of a machine");
  try {
    return toml::parse(in, file);
  } catch (const toml::exception& e) {
    // "[error] toml::parse_key: an invalid key appeared.\n --> file ..."
    std::string why = e.what();
    why = why.substr(0, why.find('\n'));
    const std::size_t colon = why.find(": ");
    if (colon != why.npos) why = why.substr(colon + 2);
    refuse(file + ":" + std::to_string(e.location().line()) + ": this is not TOML: " + why + ", in '" +
           e.location().line_str() + "'");
  } catch (const std::exception& e) {
    refuse(file + ": this is not TOML: " + e.what());
  }
}

std::vector<fs::path> folders(const std::string& first) {
  std::vector<fs::path> all;
  const char* const variable = std::getenv("TSUBU_MACHINES");
  if (!first.empty()) {
    all.emplace_back(first);
  } else if (variable != nullptr && *variable != '\0') {
    all.emplace_back(variable);
  }
  std::error_code none;
  all.push_back(fs::read_symlink("/proc/self/exe", none).parent_path().parent_path() / "share/tsubu/machines");
  all.emplace_back(TSUBU_MACHINES_INSTALL_DIR);
  all.emplace_back(TSUBU_MACHINES_SOURCE_DIR);
  return all;
}

std::string find_machine(const std::string& name, const std::string& folder) {
  std::string looked_in;
  for (const fs::path& in : folders(folder)) {
    std::error_code none;
    const fs::path file = in / (name + ".toml");
    if (fs::is_regular_file(file, none)) return file.string();
    looked_in += (looked_in.empty() ? "" : ", ") + in.string();
  }
  const std::vector<std::string> there = machine_names(folder);
  const std::vector<std::string_view> names(there.begin(), there.end());
  refuse("there is no machine '" + name + "' in " + looked_in + "; there are " + list(names) +
         "; a file is named with its .toml" + did_you_mean(name, names));
}

}  // namespace

machine read_machine(const std::string& name_or_file, const std::string& folder) {
  const bool is_file = name_or_file.find('/') != name_or_file.npos || name_or_file.ends_with(".toml");
  const std::string file = is_file ? name_or_file : find_machine(name_or_file, folder);
  const toml::value root = parse(file);
  return reader(root, file).read();
}

std::vector<std::string> machine_names(const std::string& folder) {
  std::vector<std::string> there;
  for (const fs::path& in : folders(folder)) {
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(in, none)) {
      if (entry.path().extension() == ".toml") there.push_back(entry.path().stem().string());
    }
  }
  std::sort(there.begin(), there.end());
  there.erase(std::unique(there.begin(), there.end()), there.end());
  return there;
}

machine for_measured_work(machine m) {
  m.cost.batch_send = m.measured.batch_send;
  m.cost.batch_receive = m.measured.batch_receive;
  m.cost.batch_byte_fs = m.measured.batch_byte_fs;
  m.cost.bulk_byte_fs = m.measured.bulk_byte_fs;
  m.network.latency = m.measured.latency;
  return m;
}

void check_pes(const machine& on, int pes) {
  const std::int64_t room = room_for(on);
  if (pes >= 1 && pes <= room) return;
  refuse("the machine " + on.name + " has room for 1 to " + std::to_string(room) + " PEs, not " + std::to_string(pes) +
         "; the nearest number it can have is " + std::to_string(pes < 1 ? 1 : room));
}

}  // namespace tsubu::sim
