#include "tsubu/sim/machine.hpp"

#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include "tsubu/base/printable.hpp"
#include "tsubu/sim/machine_search.hpp"
#include "tsubu/sim/quantity.hpp"
#include "tsubu/sim/section.hpp"
#include "tsubu/sim/shape.hpp"
#include "tsubu/sim/steps.hpp"
#include "tsubu/sim/toml_file.hpp"
#include "tsubu/sim/words.hpp"

namespace tsubu::sim {
namespace {

constexpr unit clock_units[] = {{"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}};
constexpr measure clock_rate{clock_units, 1e3, 1e12, "a clock such as \"12.5 MHz\" or \"2.6 GHz\""};
constexpr unit bandwidth_units[] = {{"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}};
constexpr measure bandwidth{bandwidth_units, 1e5, 1e15, "a bandwidth such as \"11 MB/s\" or \"12.5 GB/s\""};
constexpr const char* duration_expected = "a duration such as \"16 clocks\", \"250 ns\" or \"1.5 us\"";
constexpr double longest_ps = 1e14;

constexpr std::string_view protocol_names[] = {"create", "request", "request_to_new", "reply",     "write",
                                               "read",   "answer",  "past",           "collective"};

// The figures that `tsubu calibrate` measures.
constexpr std::string_view spread_names[] = {"packet_send", "packet_execute", "task_switch",
                                             "batch_send",  "batch_receive",  "batch_byte",
                                             "bulk_byte",   "look",           "latency"};

// Makes a machine of a file's tables, one after the other.
class reader {
 public:
  reader(const toml_value& root, const std::string& file) : root_(root) { m_.file = file; }

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
      read_kernel(top);
      read_prediction(top);
      read_protocols(top);
    }
    wrong_.end_if_any(m_.file);
    return m_;
  }

 private:
  void read_top(section& top) {
    const std::string stem = std::filesystem::path(m_.file).stem().string();
    const toml_value* const name = top.need("name", "\"" + stem + "\", as the file");
    m_.name = top.text("name", name, "a name");
    if (!m_.name.empty() && m_.name != stem) top.complain("name", *name, name->kind(), "\"" + stem + "\", as the file");
    m_.name = one_line(m_.name);
    m_.about = one_line(top.text("about", top.need("about", "a line of text"), "a line of text"));
    m_.source =
        one_line(top.text("source", top.need("source", "where the figures are from"), "where the figures are from"));
    pes_ = top.need("pes", "how many PEs it has");
    m_.pes = top.integer("pes", pes_, 1, most_nodes, 1);
    const std::optional<double> hz = top.number("clock", top.need("clock", clock_rate.expected), clock_rate);
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
    m_.cost.look = std::llround(cost.number("look", cost.need("look", of_look.expected), of_look).value_or(1));
  }

  void read_network(section& top) {
    section net(wrong_, top.need("network", "a table [network]"), "[network]", top.line());
    if (!net.there()) return;
    read_shape(net, m_);
    m_.network.latency = needed_duration(net, "latency");
    m_.network.link = duration(net, "link");
    m_.network.packet_bytes =
        static_cast<std::size_t>(net.integer("packet_bytes", net.find("packet_bytes"), 1, 1 << 30, 0));
    m_.network.gathers = flag(net, "gathers", true);
    m_.network.sender = taken(net, "sender", "[network.sender]");
    m_.network.wire = taken(net, "wire", "[network.wire]");
    m_.network.receiver = taken(net, "receiver", "[network.receiver]");
    read_places(net, m_);
    const toml_value* const buffers = net.find("buffers");
    m_.network.buffers = net.integer("buffers", buffers, 1, 1 << 20, 0);
    read_tcp(net);
    const bool wires = m_.network.wire.packet_ps != 0 || m_.network.wire.byte_fs != 0;
    if (buffers != nullptr && !wires)
      net.complain("buffers", *buffers, buffers->kind(),
                   "none where [network] wire does not say how long links are taken");
  }

  void read_tcp(section& net) {
    const toml_value* const v = net.find("tcp");
    section tcp(wrong_, v, "[network.tcp]", net.line());
    if (!tcp.there()) return;
    auto& t = m_.network.tcp;
    const auto bytes = [&](std::string_view key, const char* expected, std::size_t least) {
      return static_cast<std::size_t>(tcp.integer(key, tcp.need(key, expected), static_cast<int>(least), 1 << 30, 1));
    };
    t.known = true;
    t.segment_bytes = bytes("segment_bytes", "how many bytes a segment has", 1);
    t.window_bytes = bytes("window_bytes", "how many bytes may be on the way between two PEs", t.segment_bytes);
    t.port_bytes = bytes("port_bytes", "how many bytes an output port of the switch holds", t.segment_bytes);
    t.timeout = needed_duration(tcp, "timeout");
    const auto& n = m_.network;
    if (n.topology != topology_kind::full || n.sender.byte_fs == 0 || n.receiver.byte_fs == 0)
      net.complain("tcp", *v, v->kind(), "none where the topology is not full, or sender or receiver have no byte");
  }

  void read_node(section& top) {
    const toml_value* const v = top.find("node");
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
      const toml_value* const v = spread.find(name);
      if (v == nullptr) continue;
      const auto* const real = v->as<double>();
      const auto* const whole = v->as<std::int64_t>();
      if (!(real != nullptr ? *real >= 0 : whole != nullptr && *whole >= 0))
        spread.complain(name, *v, v->kind(), "a share of the figure such as 0.05");
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

  void read_kernel(section& top) {
    section kernel(wrong_, top.find("kernel"), "[kernel]", top.line());
    m_.kernel.call = duration(kernel, "call");
    m_.kernel.page_bytes = kernel.integer("page_bytes", kernel.find("page_bytes"), 1, 1 << 30, 4096);
    m_.kernel.translations = kernel.integer("translations", kernel.find("translations"), 0, 1 << 16, 0);
    m_.kernel.translation_miss = duration(kernel, "translation_miss");
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
    p.miss_earns = flag(of, "miss_earns", false);
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
      const toml_value* const v = all.find(name);
      section one(wrong_, v, "[protocol." + std::string(name) + "]", all.line());
      if (one.there()) read_steps(one, one.need("steps", "an array of steps"), m_.protocols[std::string(name)]);
    }
  }

  void read_steps(section& one, const toml_value* v, std::vector<step>& steps) {
    if (v == nullptr) return;
    const auto* const all = v->as<toml_array>();
    if (all == nullptr || all->values.empty()) return one.complain("steps", *v, v->kind(), "an array of steps");
    step_reader reads(time_measure());
    for (const toml_value& s : all->values) {
      const auto* const text = s.as<std::string>();
      if (text == nullptr) return one.complain("steps", s, s.kind(), step_expected);
      if (const auto wrong = reads.read(*text)) return one.complain("steps", s, wrong->came, wrong->expected);
    }
    if (!reads.has_packet()) one.complain("steps", *v, "without a packet", "a \"packet\" that brings the message");
    steps = reads.steps();
  }

  bool flag(section& in, std::string_view key, bool otherwise) {
    const toml_value* const v = in.find(key);
    if (v == nullptr) return otherwise;
    const auto* const said = v->as<bool>();
    if (said == nullptr) in.complain(key, *v, v->kind(), "true or false");
    return said != nullptr && *said;
  }

  measure time_measure() const { return {times_, 0, longest_ps, duration_expected}; }

  std::int64_t duration(section& in, std::string_view key) {
    return std::llround(in.number(key, in.find(key), time_measure()).value_or(0));
  }
  std::int64_t needed_duration(section& in, std::string_view key) {
    return std::llround(in.number(key, in.need(key, duration_expected), time_measure()).value_or(0));
  }
  std::int64_t byte_time(section& in, std::string_view key) {
    const std::optional<double> bytes_per_s = in.number(key, in.find(key), bandwidth);
    return bytes_per_s ? std::llround(1e15 / *bytes_per_s) : 0;
  }
  occupancy taken(section& in, std::string_view key, const char* path) {
    section table(wrong_, in.find(key), path, in.line());
    return {duration(table, "packet"), byte_time(table, "byte")};
  }

  const toml_value& root_;
  machine m_;
  first_wrong wrong_;
  const toml_value* pes_ = nullptr;
  std::vector<unit> times_;
};

}  // namespace

machine read_machine(const std::string& name_or_file, const std::string& folder) {
  const std::string file = machine_file(name_or_file, folder);
  const toml_value root = read_toml(file);
  return reader(root, file).read();
}

machine parse_machine(const std::string& text, const std::string& file) {
  const toml_value root = parse_toml(text, file);
  return reader(root, file).read();
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
