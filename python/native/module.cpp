// The Python module tsubu._native: commands as functions. python/tsubu has what people use, and has looked at all
// arguments before they come here.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <vector>

#include "python/native/arrays.hpp"
#include "python/native/by_index.hpp"
#include "python/native/job.hpp"
#include "python/native/keyed.hpp"
#include "python/native/ranks.hpp"
#include "tsubu/run/thread_session.hpp"
#include "tsubu/run/version.hpp"

namespace nb = nanobind;

namespace tsubu::python {
namespace {

template <class T>
using numpy_values = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using numpy_result = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using numpy_indices = numpy_values<std::int64_t>;

// An array of one value is that value for all.
template <class T>
source<T> source_of(const numpy_values<T>& values, std::size_t count) {
  return {values.data(), values.size() == 1 && count != 1 ? std::size_t{0} : std::size_t{1}};
}

// Runs a command on all PEs. What a signal's handler raises, as ctrl-C's does, cancels it and is raised when it is
// over.
void run(job& of, command& what) {
  bool cancelled = false;
  {
    const nb::gil_scoped_release others_go_on;
    cancelled = of.run(what, [] {
      const nb::gil_scoped_acquire to_look;
      return PyErr_CheckSignals() != 0;
    });
  }
  if (cancelled) throw nb::python_error();
}

// A command that makes something. If it fails, nobody knows the number: it is dropped.
std::uint64_t run_making(job& of, std::uint64_t id, command& what) {
  try {
    run(of, what);
  } catch (...) {
    of.drop_later(id);
    throw;
  }
  return id;
}

// None if all indices are right, else where the first is that is not.
nb::object first_wrong(std::size_t at) { return at == indices::none ? nb::none() : nb::object(nb::int_(at)); }

template <class T>
void define_arrays(nb::class_<job>& on, const std::string& type) {
  const auto name = [&type](const char* what) { return what + ("_" + type); };
  on.def(name("make").c_str(), [](job& j, std::size_t n, const numpy_values<T>& from) {
    const std::uint64_t id = j.next_id();
    make_array<T> command(id, n, source_of(from, n));
    return run_making(j, id, command);
  });
  on.def(name("read_slice").c_str(),
         [](job& j, std::uint64_t id, std::size_t first, std::size_t step, numpy_result<T> to) {
           read_slice<T> command(id, {first, step, to.size()}, to.data());
           run(j, command);
         });
  on.def(name("write_slice").c_str(), [](job& j, std::uint64_t id, std::size_t first, std::size_t step,
                                         std::size_t count, const numpy_values<T>& from) {
    write_slice<T> command(id, {first, step, count}, source_of(from, count));
    run(j, command);
  });
  on.def(name("gather").c_str(),
         [](job& j, std::uint64_t id, std::size_t n, const numpy_indices& which, numpy_result<T> to) {
           gather<T> command(id, indices(which.data(), which.size(), n), to.data());
           run(j, command);
           return first_wrong(command.first_wrong());
         });
  on.def(name("scatter").c_str(), [](job& j, std::uint64_t id, std::size_t n, const numpy_indices& which,
                                     const numpy_values<T>& from, bool adds) {
    scatter<T> command(id, indices(which.data(), which.size(), n), source_of(from, which.size()),
                       adds ? update::add : update::assign);
    run(j, command);
    return first_wrong(command.first_wrong());
  });
  on.def(name("combine").c_str(),
         [](job& j, std::size_t n, std::uint64_t left, T left_value, std::uint64_t right, T right_value, int how) {
           const std::uint64_t id = j.next_id();
           combine<T> command(id, n, {left, left_value}, {right, right_value}, static_cast<arithmetic>(how));
           return run_making(j, id, command);
         });
  on.def(name("reduce").c_str(), [](job& j, std::uint64_t id, int how) {
    reduce_array<T> command(id, static_cast<reduction>(how));
    run(j, command);
    return command.result();
  });
  on.def(name("sum_by_key").c_str(), [](job& j, const numpy_indices& keys, const numpy_values<T>& values) {
    const std::uint64_t id = j.next_id();
    sum_by_key<T> command(id, keys.data(), values.data(), keys.size());
    run_making(j, id, command);
    return std::pair(id, command.size());
  });
  on.def(name("read_sums").c_str(),
         [](job& j, std::uint64_t id, numpy_result<std::int64_t> keys, numpy_result<T> sums) {
           read_sums<T> command(id, keys.data(), sums.data());
           run(j, command);
         });
}

void define_counters(nb::class_<job>& on) {
  on.def("make_counter", [](job& j) {
    const std::uint64_t id = j.next_id();
    make_counter command(id);
    return run_making(j, id, command);
  });
  on.def("count_keys",
         [](job& j, std::uint64_t id, const numpy_indices& keys, const numpy_values<std::int64_t>& times) {
           count_keys command(id, keys.data(), keys.size(), source_of(times, keys.size()));
           run(j, command);
         });
  on.def("read_counts", [](job& j, std::uint64_t id, const numpy_indices& keys, numpy_result<std::int64_t> to) {
    read_counts command(id, keys.data(), keys.size(), to.data());
    run(j, command);
  });
  on.def("top_keys", [](job& j, std::uint64_t id, std::size_t k) {
    top_keys command(id, k);
    run(j, command);
    return nb::make_tuple(command.found, command.total, command.size);
  });
}

}  // namespace
}  // namespace tsubu::python

NB_MODULE(_native, m) {
  using namespace tsubu::python;
  nb::set_leak_warnings(false);  // a job that nobody has closed ends with the process
  m.attr("version") = std::string(tsubu::version());
  m.attr("launched_ranks") = launched_ranks();
  m.attr("launched_rank") = launched_rank();
  m.def("use_ranks", &use_ranks);
  m.def("ranks_are_used", &ranks_are_used);
  m.def("serve_first_rank", [] { serve_first_rank(); }, nb::call_guard<nb::gil_scoped_release>());
  m.def("end_ranks", [] { end_ranks(); }, nb::call_guard<nb::gil_scoped_release>());
  nb::exception<tsubu::run_detail::session_failed>(m, "JobError", PyExc_RuntimeError);
  nb::exception<no_job>(m, "ClosedJobError", PyExc_RuntimeError);
  nb::class_<job> on(m, "Job");
  on.def(nb::init<const std::vector<std::string>&>(), nb::call_guard<nb::gil_scoped_release>());
  on.def_prop_ro("pes", &job::pes);
  on.def_rw("most_small", &job::most_small);
  on.def_prop_ro("is_closed", &job::is_closed);
  on.def("drop_later", &job::drop_later);
  on.def("close", &job::close, nb::call_guard<nb::gil_scoped_release>());
  define_arrays<std::int64_t>(on, "int64");
  define_arrays<double>(on, "float64");
  on.def("as_floating", [](job& j, std::size_t n, std::uint64_t from) {
    const std::uint64_t id = j.next_id();
    as_floating command(id, n, from);
    return run_making(j, id, command);
  });
  define_counters(on);
}
