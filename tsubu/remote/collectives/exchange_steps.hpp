// How an all_to_all of many members goes about it: along rows, then along columns (two_level_layout.hpp), in rings
// (ring_rounds.hpp). Short parts ride together, long ones go straight (shared_ride.hpp).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/remote/collectives/collective_steps.hpp"
#include "tsubu/remote/collectives/ring_rounds.hpp"
#include "tsubu/remote/collectives/shared_ride.hpp"
#include "tsubu/remote/collectives/two_level_layout.hpp"
#include "tsubu/task/future.hpp"

namespace tsubu::remote {

// `parts` by place in the ring, for the post there; what comes is by place, too. The own part stays.
template <class Part, class Called>
task<std::vector<Part>> exchange_on_ring(const collective_call& call, ring posts, exchange_rounds rounds,
                                         collective_step first, std::vector<Part> parts) {
  std::vector<Part> held(parts.size());  // by distance
  for (pe_id d = 0; d < posts.size(); ++d) held[to_index(d)] = std::move(parts[to_index(posts.place_after(d))]);
  for (int round = 0; round < rounds.rounds(); ++round) {
    const collective_step step = first + static_cast<collective_step>(round);
    for (pe_id n = 1; n <= rounds.messages(round); ++n) {
      const pe_id hop = rounds.hop(round, n);
      std::vector<Part> leaving;
      rounds.for_each_distance(round, hop, [&](pe_id d) { leaving.push_back(std::move(held[to_index(d)])); });
      collective_send<std::vector<Part>, Called>(call, step, posts.rank_at(posts.place_after(hop)), leaving);
    }
    for (pe_id n = 1; n <= rounds.messages(round); ++n) {
      const pe_id hop = rounds.hop(round, n);
      collective_receive<std::vector<Part>, Called> arriving(call, step, posts.rank_at(posts.place_before(hop)));
      std::vector<Part> came = co_await arriving;
      std::size_t next = 0, parts_of_hop = 0;
      rounds.for_each_distance(round, hop, [&](pe_id) { ++parts_of_hop; });
      require(came.size() == parts_of_hop, "{} parts of an {} come in a message that should have {}", came.size(),
              call.name(), parts_of_hop);
      rounds.for_each_distance(round, hop, [&](pe_id d) { held[to_index(d)] = std::move(came[next++]); });
    }
  }
  for (pe_id d = 0; d < posts.size(); ++d) parts[to_index(posts.place_before(d))] = std::move(held[to_index(d)]);
  co_return parts;
}

// `parts` by rank, for each member; what comes is by rank, too. A row's members first share out what is for each
// column; each then passes on what is for those at whose posts it is.
template <class Part, class Called>
task<std::vector<Part>> exchange_in_rows(const collective_call& call, two_level_layout rows, std::size_t part_bytes,
                                         std::vector<Part> parts) {
  const pe_id me = call.rank(), my_row = rows.row_of(me), width = rows.width(my_row);
  const ring along_row = ring::row_of(rows, me);
  const std::size_t bytes_of_post = to_index(call.size() / width) * part_bytes;
  const exchange_rounds row_rounds(width, best_radix(width, bytes_of_post, costs_within_row));
  if (rows.rows() == 1) {
    co_return co_await exchange_on_ring<Part, Called>(call, along_row, row_rounds, 0, std::move(parts));
  }

  using many = std::vector<Part>;
  std::vector<many> by_place(to_index(width));
  for (pe_id column = 0; column < rows.columns(); ++column) {
    many& together = by_place[to_index(column % width)];
    for (pe_id row = 0; row < rows.rows(); ++row) {
      if (rows.is_place(row, column)) together.push_back(std::move(parts[to_index(rows.at(row, column))]));
    }
  }
  by_place = co_await exchange_on_ring<many, Called>(call, along_row, row_rounds, 0, std::move(by_place));

  std::vector<std::vector<many>> by_post;  // and row
  std::size_t next = 0;                    // of the parts from each place
  rows.for_each_post(me, [&](pe_id column) {
    std::vector<many>& by_row = by_post.emplace_back(to_index(rows.rows()));
    for (pe_id row = 0; row < rows.rows(); ++row) {
      if (!rows.is_place(row, column)) continue;
      for (many& from : by_place) {
        require(next < from.size(), "too few parts of an {} have come", call.name());
        by_row[to_index(row)].push_back(std::move(from[next]));
      }
      ++next;
    }
  });
  const exchange_rounds column_rounds(rows.rows(),
                                      best_radix(rows.rows(), to_index(width) * part_bytes, costs_across_rows));
  std::vector<future<std::vector<many>>> at_other_posts;
  pe_id post = rows.column_of(me);
  for (std::size_t i = 1; i < by_post.size(); ++i) {
    post += width;
    at_other_posts.push_back(start(exchange_on_ring<many, Called>(call, ring::column_of(rows, me, post), column_rounds,
                                                                  across_rows, std::move(by_post[i]))));
  }
  const ring along_column = ring::column_of(rows, me, rows.column_of(me));
  std::vector<many> by_row = co_await exchange_on_ring<many, Called>(call, along_column, column_rounds, across_rows,
                                                                     std::move(by_post.front()));
  for (future<std::vector<many>>& other : at_other_posts) co_await std::move(other);  // nothing for this PE
  for (pe_id row = 0; row < rows.rows(); ++row) {
    many& from = by_row[to_index(row)];
    require(from.size() == to_index(rows.width(row)), "{} parts of an {} come from a row of {}", from.size(),
            call.name(), rows.width(row));
    for (pe_id place = 0; place < rows.width(row); ++place)
      parts[to_index(rows.at(row, place))] = std::move(from[to_index(place)]);
  }
  co_return parts;
}

// One value to each member; of each, by rank.
template <class T>
task<std::vector<T>> exchange_riding(const collective_call& call, std::vector<T> values) {
  const pe_id me = call.rank();
  const two_level_layout rows = rows_of(call);
  if constexpr (wire::fixed_size<T>) {
    co_return co_await exchange_in_rows<T, T>(call, rows, sizeof(T), std::move(values));
  } else {
    constexpr std::size_t expected_bytes = 256;
    std::vector<rider<T>> parts(values.size());
    for (pe_id i = 0; i < call.size(); ++i) {
      const pe_id to = (me + i) % call.size();
      T& value = values[to_index(to)];
      rider<T>& part = parts[to_index(to)];
      part.goes_straight = to != me && riding_bytes<T>::of(value) > rides_to_bytes;
      if (part.goes_straight) {
        collective_send<T>(call, straight, to, value);
      } else {
        part.value = std::move(value);
      }
    }
    parts = co_await exchange_in_rows<rider<T>, T>(call, rows, expected_bytes, std::move(parts));
    for (pe_id from = 0; from < call.size(); ++from) {
      rider<T>& part = parts[to_index(from)];
      T& value = values[to_index(from)];
      if (part.goes_straight) {
        collective_receive<T> arriving(call, straight, from);
        value = co_await arriving;
      } else {
        value = std::move(part.value);
      }
    }
    co_return values;
  }
}

}  // namespace tsubu::remote
