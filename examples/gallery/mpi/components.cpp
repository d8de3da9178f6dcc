// Finds the connected components of a random graph, and prints how many there are and how large the largest is.
//
// Vertices are dealt out to the ranks. Each is labelled with its own number. In each round, the vertices whose label
// has changed tell their neighbours; all that is to be told is exchanged at once, and a vertex that hears of a smaller
// label takes it. When no label changes any more, that of a component is its smallest vertex.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "examples/gallery/problem/components.hpp"

struct note {
  vertex to, value;
};

// Sends each note to the rank of its vertex; gives those that have come here.
std::vector<note> deliver(const std::vector<note>& notes, vertex ranks, MPI_Datatype note_type) {
  std::vector<int> out(ranks), in(ranks), out_at(ranks + 1), in_at(ranks + 1);
  for (const note& n : notes) ++out[n.to % ranks];
  MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (vertex i = 0; i < ranks; ++i) {
    out_at[i + 1] = out_at[i] + out[i];
    in_at[i + 1] = in_at[i] + in[i];
  }
  std::vector<note> sent(notes.size()), received(static_cast<std::size_t>(in_at[ranks]));
  std::vector<int> next = out_at;
  for (const note& n : notes) sent[static_cast<std::size_t>(next[n.to % ranks]++)] = n;
  MPI_Alltoallv(sent.data(), out.data(), out_at.data(), note_type, received.data(), in.data(), in_at.data(), note_type,
                MPI_COMM_WORLD);
  return received;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Datatype note_type{};
  MPI_Type_contiguous(2, MPI_UINT32_T, &note_type);
  MPI_Type_commit(&note_type);
  const auto vertices = static_cast<vertex>(argc > 1 ? std::stoul(argv[1]) : 50'000);
  const std::uint64_t edges = vertices;
  const auto me = static_cast<vertex>(rank), ranks = static_cast<vertex>(size);

  // Vertex v is number v / ranks of rank v mod ranks.
  std::vector<vertex> labels;
  for (vertex v = me; v < vertices; v += ranks) labels.push_back(v);
  std::vector<std::vector<vertex>> neighbours(labels.size());
  std::vector<note> notes;
  for (std::uint64_t e = me; e < edges; e += ranks) {
    const vertex a = random_vertex(2 * e, vertices), b = random_vertex(2 * e + 1, vertices);
    notes.push_back({a, b});
    notes.push_back({b, a});
  }
  for (const note& n : deliver(notes, ranks, note_type)) neighbours[n.to / ranks].push_back(n.value);

  std::vector<vertex> changed(labels.size());  // by their place here
  std::iota(changed.begin(), changed.end(), 0U);
  std::vector<char> has_changed(labels.size(), 0);
  for (bool more = true; more;) {
    notes.clear();
    for (const vertex i : changed) {
      has_changed[i] = 0;
      for (const vertex w : neighbours[i]) notes.push_back({w, labels[i]});
    }
    changed.clear();
    for (const note& n : deliver(notes, ranks, note_type)) {
      const vertex i = n.to / ranks;
      if (n.value >= labels[i]) continue;
      labels[i] = n.value;
      if (!has_changed[i]) changed.push_back(i);
      has_changed[i] = 1;
    }
    const bool some = !changed.empty();
    MPI_Allreduce(&some, &more, 1, MPI_CXX_BOOL, MPI_LOR, MPI_COMM_WORLD);
  }

  std::unordered_map<vertex, vertex> members_here;  // of a component, on this rank
  for (const vertex label : labels) ++members_here[label];
  notes.clear();
  for (const auto& [label, count] : members_here) notes.push_back({label, count});
  std::vector<long> members(labels.size());
  for (const note& n : deliver(notes, ranks, note_type)) members[n.to / ranks] += n.value;
  const long components_here = std::ranges::count_if(members, [](long m) { return m != 0; });
  const long largest_here = members.empty() ? 0 : std::ranges::max(members);
  long components = 0, largest = 0;
  MPI_Reduce(&components_here, &components, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&largest_here, &largest, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);

  int code = 0;
  if (rank == 0) {
    std::printf("%u vertices and %ju edges: %ld components, the largest of %ld vertices\n", vertices,
                std::uintmax_t{edges}, components, largest);
    if (!is_right(vertices, edges, components, largest)) {
      std::printf("This is not what union and find says.\n");
      code = 1;
    }
  }
  MPI_Type_free(&note_type);
  MPI_Finalize();
  return code;
}
