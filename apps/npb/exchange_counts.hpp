// Who needs which element of a distributed vector, and what each way of fetching them costs.
//
// A sparse product with rows and vector in blocks (blocks.hpp) needs elements that other PEs own. The EM-X paper
// compares three ways: every PE sends its block to every other one (blk), each PE sends only the elements that are
// referenced (upd), or each reference is a remote read of its own (thd). The lists and counts made here are what an
// acceptance test uses and compares with the paper; programs have exchange plans (tsubu/data/plan).
//
// Source: EM-X sparse CG, sections 4 and 6.2.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/npb/csr.hpp"

namespace npb {

// For PE `me` of p, which holds `rows`: per owner, the elements of x that `rows` refers to and `owner` owns, as
// global indices, ascending, each once. The list of `me` itself is empty. n: length of x.
// Cost: O(nonzeros + n).
std::vector<std::vector<std::int32_t>> needed_elements(const csr& rows, std::int64_t n, std::int64_t p,
                                                       std::int64_t me);

// Entries of `rows` whose column another PE owns: remote reads of one product without any reuse (thd), on PE `me`.
std::int64_t remote_references(const csr& rows, std::int64_t n, std::int64_t p, std::int64_t me);

// Totals over all PEs for one product with the whole square matrix.
struct exchange_totals {
  std::int64_t block_words = 0;   // blk: n (p - 1)
  std::int64_t update_words = 0;  // upd: elements needed, summed over pairs of PEs
  std::int64_t remote_reads = 0;  // thd: entries whose column is remote
};
exchange_totals count_exchange(const csr& whole, std::int64_t p);

}  // namespace npb
