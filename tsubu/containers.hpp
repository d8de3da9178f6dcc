// Containers that are spread over the PEs of a job: maps, multimaps, sets, counting sets and bags. Beside
// tsubu/tsubu.hpp.
#pragma once

#include "tsubu/containers/bag.hpp"
#include "tsubu/containers/by_key.hpp"
#include "tsubu/containers/counting_set.hpp"
#include "tsubu/containers/disjoint_sets.hpp"
#include "tsubu/containers/files/csv.hpp"
#include "tsubu/containers/files/lines.hpp"
#include "tsubu/containers/gather_concatenated.hpp"
#include "tsubu/containers/histogram.hpp"
#include "tsubu/containers/join.hpp"
#include "tsubu/containers/map.hpp"
#include "tsubu/containers/multimap.hpp"
#include "tsubu/containers/partition.hpp"
#include "tsubu/containers/sample.hpp"
#include "tsubu/containers/saving/checkpoint.hpp"
#include "tsubu/containers/scan_elements.hpp"
#include "tsubu/containers/set.hpp"
#include "tsubu/containers/sort.hpp"
#include "tsubu/containers/top_k.hpp"
#include "tsubu/containers/transform.hpp"
#include "tsubu/containers/unique.hpp"
