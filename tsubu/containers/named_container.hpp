// What the names of map, multimap, set and counting_set say alike: where a key lives, what this PE has, and how many
// all have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <utility>

#include "tsubu/containers/operation.hpp"
#include "tsubu/containers/parts.hpp"
#include "tsubu/containers/saving/save.hpp"
#include "tsubu/containers/walk.hpp"

namespace tsubu::containers {

// A name of a few bytes, which travels. Part has table(), size() and walked_by.
// Local; size() and end() are collective and block until every PE has called them; what ends the job is said of the
// containers.
template <class K, class Part, class Partition>
class named_container {
  static_assert(wire::sendable<K>, "the keys of a container travel");
  static_assert(wire::plain<Partition>,
                "what names the homes of keys travels with the container's name: it is trivially copyable");

 public:
  named_container() = default;
  named_container(number which, const Partition& partition) : partition_(partition), which_(which) {}

  // What names the homes of keys: containers of one partition have equal keys on one PE.
  const Partition& partition() const { return partition_; }
  // The PE that has the key, if any has it.
  pe_id home(const K& key) const { return partition_(key, pe_count()); }
  // How many elements this PE has.
  std::size_t size_here() const { return part_().size(); }
  // Elements of this PE of which gone(..) is true go: how many. gone(key, value), of a set gone(key); a multimap's
  // values go one by one.
  template <class F>
  std::size_t erase_if_here(F gone, std::source_location where = std::source_location::current()) const {
    return part_().erase_if(gone, where);
  }
  // What this PE has: a range, in no order that means anything, but the same one in a job that repeats. As long as it
  // lives, nothing may come or go on this PE.
  auto here(std::source_location where = std::source_location::current()) const {
    Part& p = part_();
    return walked(p.table(), p.walked_by, where);
  }

  // Collective, and awaited: how many elements all PEs have when every PE has called it. What is past and has not run
  // is not counted.
  task<std::size_t> size(std::source_location where = std::source_location::current()) const {
    return sum_over_pes([*this] { return size_here(); }, where);
  }
  // Collective, and awaited: writes what all PEs have to the disk, in the place of what was saved into that folder
  // before, when nothing is left to do on any PE (quiescence()). Every PE has to see the folder. Throws
  // data_file_error, on every PE, if the disk is full, for example; then the folder has what it had.
  task<void> save(std::string folder, std::source_location where = std::source_location::current()) const
    requires keepable<Part>
  {
    return save_all(std::move(folder), kept_of(*this), where);
  }
  // Collective, and awaited: brings back what was saved, by any number of PEs, into a container that has nothing.
  // Throws data_file_error, on every PE, if it is not whole or not of these types; then nothing has been brought back.
  task<void> load(std::string folder, std::source_location where = std::source_location::current()) const
    requires keepable<Part>
  {
    return load_all(std::move(folder), kept_of(*this), where);
  }
  // For checkpoint() and restore().
  std::unique_ptr<kept_container> kept() const
    requires keepable<Part>
  {
    return make_kept<Part>(which_, [partition = partition_](const auto& element, const saved_place&) {
      return partition(Part::key_of(element), pe_count());
    });
  }
  // Collective, and awaited. Nobody uses the container meanwhile, or afterwards.
  task<void> end(std::source_location where = std::source_location::current()) const {
    return end_parts<Part>(which_, where);
  }

 protected:
  Part& part_() const { return part_here<Part>(which_); }

  [[no_unique_address]] Partition partition_{};
  number which_ = 0;
};

}  // namespace tsubu::containers
