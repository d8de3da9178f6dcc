// A transport with a checksum in each batch, over one without: what arrives is what was posted, or the job ends.
//
// Networks and memories check themselves, and a flipped bit comes through all the same now and then. The floor above
// checks what is in a batch as far as it can be wrong in form; a value that became another value only a checksum tells.
// It is XXH3's 64 bits, over the batch, its bulk and the pair of PEs, in 16 bytes behind the batch: see
// docs/transport.md for what it costs. What a PE sends to itself never comes here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tsubu/transport/layer.hpp"

namespace tsubu::transport {

class checked final : public layer {
 public:
  // Bytes of each batch that the checksums take.
  static constexpr std::size_t trailer_bytes = 16;

  // All PEs of the job have one, or none has.
  explicit checked(transport& below);
  int post(batch* filled, pe_id to) override;
  int post_bulk(batch* head, pe_id to, bulk_source source) override;
  batch* poll() override;

 private:
  std::byte* place(pe_id from, std::span<const std::byte> head, std::size_t bytes) override;
  message_facts facts_of(batch& posted, std::size_t bulk_bytes) const override;

  // The batch, which may have become another one to have room for the trailer.
  batch* sealed(batch* b, pe_id to, std::uint64_t bulk);
  // Without its trailer. Ends the job if it is not what was posted.
  std::size_t checked_size(pe_id from, std::span<const std::byte> bytes) const;
  [[noreturn, gnu::cold]] void damaged(pe_id from, const char* what, std::size_t bytes) const;
};

}  // namespace tsubu::transport
