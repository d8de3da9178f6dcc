// One step of a Barnes-Hut N-body program in plain C++ with OpenMP: an octree over bodies in Morton order, then the
// accelerations of all bodies. Gravity, G = 1, softened: a = sum m d / (d^2 + e^2)^(3/2).
//
// Groups of bodies, the cells of up to 64, walk the tree together (Barnes 1990): they share a list of what acts on
// them, cells as points and single bodies, and the sums over it are plain loops that the compiler makes vectors of. A
// cell is a point if its edge / distance < theta, with the distance from its centre of mass to the nearest point of the
// group's box; so each body sees the criterion fulfilled.
#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/report.hpp"
#include "bench/workload.hpp"
#include "tsubu/base/clock.hpp"

namespace {

struct vec3 {
  double x = 0, y = 0, z = 0;
};

// One array for each coordinate: the inner loops read them as vectors.
struct points {
  std::vector<double> x, y, z, mass;

  explicit points(std::size_t n = 0) : x(n), y(n), z(n), mass(n) {}
  std::size_t size() const { return x.size(); }
  void set(std::size_t i, const vec3& at, double m) {
    x[i] = at.x;
    y[i] = at.y;
    z[i] = at.z;
    mass[i] = m;
  }
  vec3 at(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

// The cube that holds all bodies, cut into 2^21 in each direction.
struct cube {
  static constexpr int levels = 21;

  vec3 low;
  double edge = 0;

  double edge_at(int level) const { return std::ldexp(edge, -level); }
  std::uint64_t key(const vec3& p) const {
    const double scale = std::ldexp(1.0, levels) / edge;
    return spread((p.x - low.x) * scale) << 2 | spread((p.y - low.y) * scale) << 1 | spread((p.z - low.z) * scale);
  }

 private:
  // The bits of a coordinate, two places between each.
  static std::uint64_t spread(double coordinate) {
    std::uint64_t v = std::min<std::uint64_t>(static_cast<std::uint64_t>(std::max(0.0, coordinate)), (1 << levels) - 1);
    v = (v | v << 32) & 0x001f00000000ffff;
    v = (v | v << 16) & 0x001f0000ff0000ff;
    v = (v | v << 8) & 0x100f00f00f00f00f;
    v = (v | v << 4) & 0x10c30c30c30c30c3;
    return (v | v << 2) & 0x1249249249249249;
  }
};

struct cell {
  vec3 centre;  // of mass
  double mass = 0;
  double reach = 0;  // (edge / theta)^2: it is a point to whoever is farther away than the root of this
  std::uint32_t first = 0, count = 0;  // bodies
  std::uint32_t child = 0;             // the first of its children, which lie side by side
  std::uint32_t children = 0;          // none: a leaf
};

struct body_key {
  std::uint64_t key;
  std::uint32_t body;
};

class simulation {
 public:
  simulation(points bodies, double theta, double softening, std::size_t leaf, std::size_t group)
      : start_(std::move(bodies)),
        theta_(theta),
        softening2_(softening * softening),
        leaf_(leaf),
        group_(group),
        bodies_(start_.size()),
        keys_(start_.size()),
        acceleration_(start_.size()),
        acting_(static_cast<std::size_t>(omp_get_max_threads()), points(start_.size())) {}

  // From bodies in no order.
  void make_tree() {
    enclose();
    sort();
    build();
  }

  // After make_tree().
  void accelerate() {
    interactions_ = 0;
#pragma omp parallel
    {
      points& acting = acting_[static_cast<std::size_t>(omp_get_thread_num())];
      std::vector<std::uint32_t> open;
      std::uint64_t interactions = 0;
#pragma omp for schedule(dynamic, 8)
      for (std::size_t i = 0; i < groups_.size(); ++i) {
        const cell& group = cells_[groups_[i]];
        const std::size_t count = find_acting(group, acting, open);
        for (std::uint32_t b = group.first; b < group.first + group.count; ++b)
          acceleration_[b] = pull(acting, count, bodies_.at(b));
        interactions += group.count * count;
      }
#pragma omp atomic
      interactions_ += interactions;
    }
  }

  double interactions_per_body() const {
    return static_cast<double>(interactions_) / static_cast<double>(bodies_.size());
  }

  // The error of the accelerations, in ratio to what all bodies exert on some of them: the root of the mean square.
  double error(std::size_t samples) const {
    double difference = 0, whole = 0;
    samples = std::min(samples, bodies_.size());
    for (std::size_t s = 0; s < samples; ++s) {
      const std::size_t i = s * bodies_.size() / samples;
      const vec3 exact = pull(bodies_, bodies_.size(), bodies_.at(i)), found = acceleration_[i];
      difference += square(found.x - exact.x) + square(found.y - exact.y) + square(found.z - exact.z);
      whole += square(exact.x) + square(exact.y) + square(exact.z);
    }
    return std::sqrt(difference / whole);
  }

 private:
  static double square(double a) { return a * a; }

  void enclose() {
    vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    double lx = low.x, ly = low.y, lz = low.z, hx = high.x, hy = high.y, hz = high.z;
#pragma omp parallel for reduction(min : lx, ly, lz) reduction(max : hx, hy, hz)
    for (std::size_t i = 0; i < start_.size(); ++i) {
      lx = std::min(lx, start_.x[i]), hx = std::max(hx, start_.x[i]);
      ly = std::min(ly, start_.y[i]), hy = std::max(hy, start_.y[i]);
      lz = std::min(lz, start_.z[i]), hz = std::max(hz, start_.z[i]);
    }
    world_ = {{lx, ly, lz}, std::max({hx - lx, hy - ly, hz - lz, 1e-300})};
  }

  // Into Morton order. Each thread sorts a part; the parts are merged.
  void sort() {
    const std::size_t n = start_.size();
#pragma omp parallel for
    for (std::size_t i = 0; i < n; ++i) keys_[i] = {world_.key(start_.at(i)), static_cast<std::uint32_t>(i)};
    const auto less = [](const body_key& a, const body_key& b) { return a.key < b.key; };
    const auto parts = static_cast<std::size_t>(omp_get_max_threads());
    const auto bound = [&](std::size_t part) {
      return keys_.begin() + static_cast<std::ptrdiff_t>(std::min(part, parts) * n / parts);
    };
#pragma omp parallel for schedule(static, 1)
    for (std::size_t p = 0; p < parts; ++p) std::sort(bound(p), bound(p + 1), less);
    for (std::size_t width = 1; width < parts; width *= 2) {
#pragma omp parallel for schedule(static, 1)
      for (std::size_t p = 0; p < parts; p += 2 * width)
        std::inplace_merge(bound(p), bound(p + width), bound(p + 2 * width), less);
    }
#pragma omp parallel for
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t from = keys_[i].body;
      bodies_.x[i] = start_.x[from], bodies_.y[i] = start_.y[from], bodies_.z[i] = start_.z[from];
      bodies_.mass[i] = start_.mass[from];
    }
  }

  void build() {
    cells_.resize(2 * bodies_.size());  // each inner cell has two children at least
    used_ = 1;
    groups_.clear();
#pragma omp parallel
#pragma omp single
    split(0, 0, static_cast<std::uint32_t>(bodies_.size()), 0);
    list_groups(cells_[0]);
  }

  // Makes cell `index` of bodies [first, last), which agree in the first `level` octants of their keys.
  void split(std::uint32_t index, std::uint32_t first, std::uint32_t last, int level) {
    cell& c = cells_[index];
    c = cell();
    c.first = first;
    c.count = last - first;
    // An octant that has all the bodies is not made a cell of its own.
    level = std::max(level, std::min(cube::levels, agreed_levels(first, last - 1)));
    c.reach = square(world_.edge_at(level) / theta_);
    if (c.count > leaf_ && level < cube::levels) {
      const int shift = 3 * (cube::levels - level - 1);
      std::array<std::uint32_t, 9> bounds{first};
      for (std::uint64_t octant = 0; octant < 8; ++octant) {
        const auto from = keys_.begin() + bounds[octant];
        bounds[octant + 1] = static_cast<std::uint32_t>(
            std::partition_point(from, keys_.begin() + last,
                                 [&](const body_key& k) { return (k.key >> shift & 7) <= octant; }) -
            keys_.begin());
        c.children += bounds[octant + 1] > bounds[octant] ? 1 : 0;
      }
#pragma omp atomic capture
      {
        c.child = used_;
        used_ += c.children;
      }
      std::uint32_t child = c.child;
      for (std::size_t octant = 0; octant < 8; ++octant) {
        if (bounds[octant + 1] == bounds[octant]) continue;
        const std::uint32_t from = bounds[octant], to = bounds[octant + 1];
#pragma omp task if (to - from > 2000)
        split(child, from, to, level + 1);
        ++child;
      }
#pragma omp taskwait
      for (std::uint32_t i = 0; i < c.children; ++i) add_to(c, cells_[c.child + i].centre, cells_[c.child + i].mass);
    } else {
      for (std::uint32_t i = first; i < last; ++i) add_to(c, bodies_.at(i), bodies_.mass[i]);
    }
    c.centre = {c.centre.x / c.mass, c.centre.y / c.mass, c.centre.z / c.mass};
  }

  int agreed_levels(std::uint32_t first, std::uint32_t last) const {
    const std::uint64_t differ = keys_[first].key ^ keys_[last].key;
    return (std::countl_zero(differ) - (64 - 3 * cube::levels)) / 3;
  }

  static void add_to(cell& c, const vec3& at, double mass) {
    c.centre.x += mass * at.x;
    c.centre.y += mass * at.y;
    c.centre.z += mass * at.z;
    c.mass += mass;
  }

  // In Morton order, so that a thread takes groups in turn that have nearly the same list.
  void list_groups(const cell& c) {
    if (c.children == 0 || c.count <= group_) return groups_.push_back(static_cast<std::uint32_t>(&c - cells_.data()));
    for (std::uint32_t i = 0; i < c.children; ++i) list_groups(cells_[c.child + i]);
  }

  // The cells and bodies that act on a group, its own too: each adds nothing to itself. No two of them have a body in
  // common, so there are no more than bodies.
  std::size_t find_acting(const cell& group, points& acting, std::vector<std::uint32_t>& open) const {
    vec3 low = bodies_.at(group.first), high = low;
    for (std::uint32_t b = group.first + 1; b < group.first + group.count; ++b) {
      low = {std::min(low.x, bodies_.x[b]), std::min(low.y, bodies_.y[b]), std::min(low.z, bodies_.z[b])};
      high = {std::max(high.x, bodies_.x[b]), std::max(high.y, bodies_.y[b]), std::max(high.z, bodies_.z[b])};
    }
    const auto beyond = [](double p, double from, double to) { return std::max({from - p, p - to, 0.0}); };
    std::size_t count = 0;
    open.assign(1, 0);
    while (!open.empty()) {
      const cell& c = cells_[open.back()];
      open.pop_back();
      const double distance2 = square(beyond(c.centre.x, low.x, high.x)) + square(beyond(c.centre.y, low.y, high.y)) +
                               square(beyond(c.centre.z, low.z, high.z));
      const bool around = group.first - c.first < c.count;  // it holds the group
      if (distance2 > c.reach && !around) {
        acting.set(count++, c.centre, c.mass);
      } else if (c.children == 0) {
        for (std::uint32_t b = c.first; b < c.first + c.count; ++b) acting.set(count++, bodies_.at(b), bodies_.mass[b]);
      } else {
        for (std::uint32_t i = 0; i < c.children; ++i) open.push_back(c.child + i);
      }
    }
    return count;
  }

  vec3 pull(const points& from, std::size_t count, const vec3& at) const {
    double ax = 0, ay = 0, az = 0;
    const double *x = from.x.data(), *y = from.y.data(), *z = from.z.data(), *mass = from.mass.data();
#pragma omp simd reduction(+ : ax, ay, az)
    for (std::size_t i = 0; i < count; ++i) {
      const double dx = x[i] - at.x, dy = y[i] - at.y, dz = z[i] - at.z;
      const double distance2 = dx * dx + dy * dy + dz * dz + softening2_;
      const double f = mass[i] / (distance2 * std::sqrt(distance2));
      ax += f * dx;
      ay += f * dy;
      az += f * dz;
    }
    return {ax, ay, az};
  }

  points start_;
  double theta_;
  double softening2_;
  std::size_t leaf_;
  std::size_t group_;
  points bodies_;  // in Morton order
  std::vector<body_key> keys_;
  std::vector<cell> cells_;
  std::uint32_t used_ = 0;  // cells
  std::vector<std::uint32_t> groups_;
  std::vector<vec3> acceleration_;
  std::vector<points> acting_;  // for each thread
  cube world_;
  std::uint64_t interactions_ = 0;
};

// In the unit cube, of mass 1 together.
points uniform_bodies(std::size_t n) {
  bench::random_source random(1);
  const auto next = [&] { return static_cast<double>(random.next() >> 11) * 0x1p-53; };
  points bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = next(), y = next(), z = next();
    bodies.set(i, {x, y, z}, 1.0 / static_cast<double>(n));
  }
  return bodies;
}

// A positive number, or the end of the process.
double positive(const char* name, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end == '\0' && value > 0) return value;
  std::fprintf(stderr, "%s is a number above 0, not '%s'\n", name, text.c_str());
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t count = 100'000, threads = 2, leaf = 8, group = 64, repetitions = 3;
  std::string theta_text = "0.5", softening_text = "1e-3";
  bench::parse_options(argc, argv, "one Barnes-Hut step with OpenMP: tree and accelerations",
                       {{"--bodies", &count, "uniform in the unit cube"},
                        {"--theta", &theta_text, "a cell of edge / distance below this is taken as a point"},
                        {"--softening", &softening_text, "a length"},
                        {"--leaf", &leaf, "bodies in a leaf at most"},
                        {"--group", &group, "bodies that walk the tree together at most"},
                        {"--threads", &threads, "of OpenMP"},
                        {"--repetitions", &repetitions, "after one untimed; their median is reported"}});
  const double theta = positive("--theta", theta_text), softening = positive("--softening", softening_text);
  if (count < 2 || count > 1 << 30 || threads < 1 || leaf < 1 || group < 1 || repetitions < 1) {
    std::fprintf(stderr, "--bodies is 2 to 2^30; --threads, --leaf, --group and --repetitions are 1 at least\n");
    return 2;
  }
  omp_set_num_threads(static_cast<int>(threads));
  simulation bodies(uniform_bodies(static_cast<std::size_t>(count)), theta, softening, static_cast<std::size_t>(leaf),
                    static_cast<std::size_t>(group));
  std::vector<double> seconds, tree_seconds;
  for (std::int64_t r = 0; r <= repetitions; ++r) {
    const std::int64_t start = tsubu::now_ns();
    bodies.make_tree();
    const std::int64_t made = tsubu::now_ns();
    bodies.accelerate();
    const std::int64_t end = tsubu::now_ns();
    if (r == 0) continue;
    seconds.push_back(static_cast<double>(end - start) * 1e-9);
    tree_seconds.push_back(static_cast<double>(made - start) * 1e-9);
  }
  const double error = bodies.error(200);
  const bool verified = error < 0.04 * theta * theta;
  const bench::summary times = bench::summarize(seconds);
  bench::result_line line("nbody");
  line.add("peer", "openmp").add("pes", threads).add("bodies", count).add("theta", theta).add("softening", softening);
  line.add("interactions_per_body", bodies.interactions_per_body()).add("error", error).add("verified", verified);
  if (verified) line.add("seconds", times.median).add("tree_seconds", bench::summarize(tree_seconds).median).add(times);
  line.print();
  return verified ? 0 : 1;
}
