// A machine that a job is simulated on: how many PEs it has, what the runtime's steps take of a PE's time, how its
// network lies and how long its messages take. Read from a TOML file; docs/machines.md has the keys and what they mean.
//
// Times are in picoseconds, and times for each byte in femtoseconds, so that nothing is rounded at 400 Gb/s.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tsubu::sim {

// How the nodes are connected (see topology.hpp).
enum class topology_kind { full, bus, omega, mesh, torus, fat_tree, dragonfly };

// How long something is taken by a packet; the next one waits.
struct occupancy {
  std::int64_t packet_ps = 0;
  std::int64_t byte_fs = 0;
};

// TCP over a switch, see tcp.hpp.
struct tcp_figures {
  bool known = false;  // false: messages do not go over it
  std::size_t segment_bytes = 1;
  std::size_t window_bytes = 1;  // on the way from a PE to another, at most
  std::size_t port_bytes = 1;    // that an output port of the switch holds
  std::int64_t timeout = 0;      // until what is lost is sent again, if nothing else tells
};

// One step of a message's protocol.
struct step {
  enum class what {
    sender,       // the sending PE is busy
    receiver,     // the receiving PE is busy
    packet,       // a packet goes from the sender to the receiver
    packet_back,  // a packet goes from the receiver to the sender
    memory,       // the receiving PE is busy with each word, while the sender goes on
    leave,        // the sending PE is busy when a task must wait for the answer: it leaves that task
    interface,    // the receiving node's network interface is busy and executes the message; its PE goes on
    resume,       // the receiving PE is busy if a task goes on by the message, which it takes first
  } does;
  std::int64_t ps = 0;     // of all but packets
  bool each_word = false;  // once for each word of the message's arguments
  // If a packet to the receiver is the whole message: how many words it has beside the arguments. Other packets have a
  // word.
  std::optional<int> header_words = {};
};

struct machine {
  std::string name, about, source;
  std::string file;  // that it was read from
  int pes = 1;       // of a job that does not say how many it wants
  std::int64_t clock_ps = 0;
  int word_bytes = 8;

  // What a PE spends.
  struct {
    std::int64_t packet_send = 0;     // to append a packet to its batch
    std::int64_t packet_execute = 0;  // to start a handler
    std::int64_t task_switch = 0;     // to resume a task
    std::int64_t batch_send = 0;      // to hand a batch to the network
    std::int64_t batch_receive = 0;
    std::int64_t look = 1;           // for messages, in vain; never 0
    std::int64_t batch_byte_fs = 0;  // of a batch, at both sides
    std::int64_t bulk_byte_fs = 0;   // of a bulk, at both sides
  } cost;

  // What a message takes between two nodes.
  struct {
    topology_kind topology = topology_kind::full;
    std::vector<int> shape;            // empty: as the number of PEs suggests
    int fill = 0;                      // omega: so many nodes of each group come first; 0: all
    int first_group = 0;               // omega: that PE 0 is in; behind the last comes group 0
    std::int64_t latency = 0;          // of a message that meets nobody, without its links
    std::int64_t link = 0;             // of each link
    std::size_t packet_bytes = 0;      // batches are cut into packets of so many bytes; 0: they are not
    bool gathers = true;               // messages into batches; false: each goes by itself
    int buffers = 0;                   // messages that may be at the end of a link, in each bank; 0: any number
    occupancy sender, wire, receiver;  // wire: of each link
    tcp_figures tcp;
  } network;

  // What it takes between two PEs of one node.
  struct {
    int pes = 1;  // of a node
    std::int64_t latency = 0;
    occupancy wire;
  } node;

  // What is added to measured work: of a batch, beyond what the host's own clock has counted. As cost and network say
  // where a file has no table [measured].
  struct {
    std::int64_t batch_send = 0;
    std::int64_t batch_receive = 0;
    std::int64_t batch_byte_fs = 0;
    std::int64_t bulk_byte_fs = 0;
    std::int64_t latency = 0;
  } measured;

  // What an access to memory takes.
  struct {
    std::int64_t local = 0;
    std::int64_t shared_hit = 0;    // of a word
    std::int64_t shared_miss = 0;   // of a line
    std::int64_t shared_write = 0;  // of a word
    std::int64_t synchronizer_read = 0;
    std::int64_t synchronizer_write = 0;
    std::int64_t synchronizer_fetch_and_dec = 0;
    int line_bytes = 64;
    int cache_bytes = 0;  // of each PE, for shared memory; 0: none
    occupancy bus;        // by each access that uses it
  } memory;

  // A kernel with virtual memory, for programs that run under it.
  struct {
    std::int64_t call = 0;
    int page_bytes = 4096;
    int translations = 0;  // pages in a PE's translation buffer; 0: addresses are not translated
    std::int64_t translation_miss = 0;
  } kernel;

  // What it takes to predict the next message; see prediction.hpp.
  struct predicting {
    std::int64_t ahead = 0;  // done in idle time, and not again when the message comes
    std::int64_t hit = 0;    // to compare, if it is as predicted
    std::int64_t miss = 0;   // if it is not: to compare, and to discard what was done
  };
  struct {
    bool known = false;  // the file has the table
    std::int64_t log = 0;
    int only_counted = 0;     // so many messages are no history
    bool miss_earns = false;  // what was done ahead is of use whatever comes
    predicting size, selector;
  } prediction;

  // By the kind of message: create, request, request_to_new, reply, write, read, answer, past, collective.
  std::map<std::string, std::vector<step>> protocols;
  // Such a machine sends each message by itself, straight to its PE.
  bool sends_each_alone() const { return !protocols.empty() || !network.gathers; }
};

// The machine of that name ("em4"), or of that file (a name with '/' or that ends with ".toml"); machine_search.hpp
// says where names are looked for. What is wrong ends the process with exit code 2, the file, the line, what was
// expected and what came.
machine read_machine(const std::string& name_or_file, const std::string& folder = "");

// The same of the text of a file, which `file` names.
machine parse_machine(const std::string& text, const std::string& file);

// The machine with the costs of `measured` in the place of the others: for jobs whose work is measured.
machine for_measured_work(machine m);

// Ends the process with exit code 2 if the machine cannot have so many PEs.
void check_pes(const machine& on, int pes);

}  // namespace tsubu::sim
