// A node's memory: the node's own words, the segments of its objects, message boxes.
//
// The words are the program's and the handlers'. What stands beside them is the machine's: to whom a segment belongs,
// and for each box a generation, another one for each time that it is used. So a reply that comes late, or twice, is
// told from one that is waited for.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "abcl/machine/surroundings.hpp"
#include "abcl/machine/word.hpp"
#include "abcl/registers/link.hpp"

namespace abcl::machine {

class node_memory {
 public:
  // When there is none left, `outside` is told.
  node_memory(int node, surroundings& outside);
  void limit(std::uint32_t most_words) { most_words_ = most_words; }

  // References end when something is made.
  word& operator[](std::size_t address) { return words_[address]; }
  word operator[](std::size_t address) const { return words_[address]; }
  std::span<const word> in_use() const { return {words_.data(), used_}; }

  // ---- segments

  // An object's: zeros, but for what the machine needs to know of its class. It is one for ever; in a program with a
  // collector, which uses it again, it has words in front of it.
  std::uint32_t new_segment(const registers::image::class_code& of, int class_number);
  // New ones, each of which has the next in its word `tail`, as those in stock.
  std::uint32_t chain_of_segments(const registers::image::class_code& of, int class_number, std::uint32_t length);
  // Whether a segment may be there; that one is there, or 0.
  static bool may_be_segment(std::uint32_t address) { return address != 0 && address % 8 == 0; }
  std::uint32_t segment_or_0(std::uint32_t address) const;
  struct wait {
    int site = -1;           // where it began
    word asked = 0;          // to whom the object has sent its last message
    bool in_clause = false;  // it is for a message: in a clause, not in the script
  };
  struct segment {
    std::uint32_t at;
    int class_number;
    wait last{};
    wait interrupted{};  // by express clauses, the last time

    // It begins to wait, or does so again, or is dormant.
    void link(int site, std::int16_t note) {
      last = note == code::notes::goes_back ? interrupted : wait{site, last.asked, note == code::notes::in_clause};
    }
    void interrupt() { interrupted = last; }
    // Where it would have begun to wait.
    void interrupt_at(int site) { interrupted = {site, last.asked, false}; }
  };
  segment& segment_at(std::uint32_t address) { return segments_[segment_numbers_[address / 8]]; }
  const std::vector<segment>& segments() const { return segments_; }

  // ---- boxes

  // New ones, each of which has the next.
  std::uint32_t chain_of_boxes();
  // All that there are, by their addresses: the one behind a box (0: the first), or 0; and where one ends.
  std::uint32_t next_box(std::uint32_t box) const;
  std::uint32_t box_end(std::uint32_t box) const;
  // Those of large messages are kept apart, by their sizes, so that none is used for a small one.
  std::uint32_t large_box(std::uint32_t words);
  // The box is the first of the free ones, or of the large ones of its size; names of its earlier use are out of date.
  void give_first(std::uint32_t box);
  // The same, in front of those that are free.
  void give_back(std::uint32_t box);
  // The name of a box, an object, or the node.
  word name(std::uint32_t address) const;
  // Whether it names no box, or one that still is what it was when it was named, and has no reply.
  bool is_open(word name) const;
  void has_reply(std::uint32_t box) { answered_[box / code::words::of_box] = true; }
  // Where in the program the message in the box was sent.
  void was_sent_at(std::uint32_t box, int site) { sites_[box / code::words::of_box] = site; }
  int site_of(std::uint32_t box) const { return sites_[box / code::words::of_box]; }

 private:
  // Behind `in_front` words more.
  std::uint32_t allocate(std::uint32_t words, std::uint32_t in_front = 0);
  std::uint32_t new_box(std::uint32_t words);

  const int node_;
  surroundings& outside_;
  std::vector<word> words_;
  std::uint32_t used_ = 0;  // of them
  std::uint32_t most_words_ = UINT32_MAX;
  std::vector<std::uint16_t> generations_;                        // of boxes, by address / 32; 0: no box
  std::vector<bool> answered_;                                    // a reply has come there
  std::vector<int> sites_;                                        // of a message: where it was sent
  std::unordered_map<std::uint32_t, std::uint32_t> large_boxes_;  // and their words
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> free_large_boxes_;  // by their words
  std::vector<segment> segments_;
  std::vector<std::uint32_t> segment_numbers_;  // by address / 8
};

}  // namespace abcl::machine
