// How an all_gather of many members goes about it: along columns, then along rows (two_level_layout.hpp), in rings
// (ring_rounds.hpp); and a gather: up the tree. Short values ride together, long ones go straight (shared_ride.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/remote/collectives/collective_steps.hpp"
#include "tsubu/remote/collectives/shared_ride.hpp"
#include "tsubu/remote/collectives/two_level_layout.hpp"
#include "tsubu/task/future.hpp"

namespace tsubu::remote {

// What each post of a ring has, by place. In each round a PE's share of the ring doubles: it gets what comes behind it.
// one_each: no post has more than one value.
template <class T>
task<std::vector<std::vector<T>>> gather_on_ring(const collective_call& call, ring posts, collective_step first,
                                                 collective_step straight_step, bool one_each, std::vector<T> mine) {
  using many = std::vector<T>;
  std::vector<rider<many>> have(1);  // by distance
  have.reserve(to_index(posts.size()));
  have[0].goes_straight = posts.size() > 1 && riding_bytes<many>::of(mine) > rides_to_bytes;
  if (have[0].goes_straight) {
    for (pe_id d = 1; d < posts.size(); ++d) {
      const pe_id to = posts.rank_at(posts.place_after(d));
      if (one_each) {
        collective_send<T>(call, straight_step, to, mine.front());
      } else {
        collective_send<many, T>(call, straight_step, to, mine);
      }
    }
  } else {
    have[0].value = mine;
  }
  collective_step step = first;
  for (pe_id distance = 1; distance < posts.size(); distance *= 2, ++step) {
    const std::size_t count = to_index(std::min(distance, posts.size() - distance));
    std::vector<rider<many>> leaving(have.begin(), have.begin() + static_cast<std::ptrdiff_t>(count));
    collective_send<std::vector<rider<many>>, T>(call, step, posts.rank_at(posts.place_before(distance)), leaving);
    collective_receive<std::vector<rider<many>>, T> arriving(call, step, posts.rank_at(posts.place_after(distance)));
    std::vector<rider<many>> came = co_await arriving;
    require(came.size() == count, "{} values of an {} come in a message that should have {}", came.size(), call.name(),
            count);
    std::ranges::move(came, std::back_inserter(have));
  }
  std::vector<many> all(have.size());
  all[to_index(posts.place())] = std::move(mine);
  for (pe_id d = 1; d < posts.size(); ++d) {
    const pe_id place = posts.place_after(d);
    if (!have[to_index(d)].goes_straight) {
      all[to_index(place)] = std::move(have[to_index(d)].value);
    } else if (one_each) {
      collective_receive<T> arriving(call, straight_step, posts.rank_at(place));
      all[to_index(place)].push_back(co_await arriving);
    } else {
      collective_receive<many, T> arriving(call, straight_step, posts.rank_at(place));
      all[to_index(place)] = co_await arriving;
    }
  }
  co_return all;
}

// A value of each member, by rank. Each column's posts get its values, then those of a row each other's.
template <class T>
task<std::vector<T>> all_gather_riding(const collective_call& call, T value) {
  using many = std::vector<T>;
  const pe_id me = call.rank();
  const two_level_layout rows = rows_of(call);
  const pe_id my_row = rows.row_of(me), width = rows.width(my_row);
  many mine;  // what this PE has for its row: of each of its posts the column, from row 0 on
  mine.push_back(std::move(value));
  if (rows.rows() > 1) {
    std::vector<future<std::vector<many>>> columns;
    rows.for_each_post(me, [&](pe_id column) {
      many own = rows.is_place(my_row, column) ? std::exchange(mine, {}) : many();
      columns.push_back(start(gather_on_ring<T>(call, ring::column_of(rows, me, column), across_rows, straight_across,
                                                true, std::move(own))));
    });
    for (future<std::vector<many>>& column : columns) {
      std::vector<many> by_row = co_await std::move(column);
      for (many& one : by_row) std::ranges::move(one, std::back_inserter(mine));
    }
  }
  const bool one_each = rows.rows() == 1;
  std::vector<many> by_place =
      co_await gather_on_ring<T>(call, ring::row_of(rows, me), 0, straight, one_each, std::move(mine));
  many all(to_index(call.size()));
  for (pe_id place = 0; place < width; ++place) {
    many& from = by_place[to_index(place)];
    std::size_t next = 0;
    rows.for_each_post(rows.at(my_row, place), [&](pe_id column) {
      for (pe_id row = 0; row < rows.rows(); ++row) {
        if (!rows.is_place(row, column)) continue;
        require(next < from.size(), "too few values of an {} have come", call.name());
        all[to_index(rows.at(row, column))] = std::move(from[next++]);
      }
    });
  }
  co_return all;
}

// A value of each member, by rank, on rank `root`; elsewhere empty. Each PE passes on what its subtree has, seen from
// the root.
template <class T>
task<std::vector<T>> gather_riding(const collective_call& call, pe_id root, T value) {
  using riding_part = riding<T>;
  const pe_id p = call.size(), me = (call.rank() - root + p) % p;
  std::vector<riding_part> below;  // of this PE and those that follow it
  std::vector<T> all;
  if constexpr (wire::fixed_size<T>) {
    below.push_back(std::move(value));
  } else {
    below.emplace_back().goes_straight = me != 0 && riding_bytes<T>::of(value) > rides_to_bytes;
    if (below[0].goes_straight) {
      collective_send<T>(call, straight, root, value);
    } else {
      below[0].value = std::move(value);
    }
  }
  collective_step round = 0;
  for (pe_id distance = 1; distance < p; distance *= 2, ++round) {
    if ((me & distance) != 0) {
      collective_send<std::vector<riding_part>, T>(call, round, (me - distance + root) % p, below);
      co_await pace_of_network();
      co_return all;
    }
    if (me + distance >= p) continue;
    collective_receive<std::vector<riding_part>, T> arriving(call, round, (me + distance + root) % p);
    std::vector<riding_part> came = co_await arriving;
    std::ranges::move(came, std::back_inserter(below));
  }
  require(below.size() == to_index(p), "{} values of a gather come from {} members", below.size(), p);
  all.resize(below.size());
  for (pe_id i = 0; i < p; ++i) {
    const pe_id from = (i + root) % p;
    if constexpr (wire::fixed_size<T>) {
      all[to_index(from)] = std::move(below[to_index(i)]);
    } else if (below[to_index(i)].goes_straight) {
      collective_receive<T> arriving(call, straight, from);
      all[to_index(from)] = co_await arriving;
    } else {
      all[to_index(from)] = std::move(below[to_index(i)].value);
    }
  }
  co_return all;
}

}  // namespace tsubu::remote
