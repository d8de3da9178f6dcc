// Objects of derived classes, and one that fails: refs of a base class, an exception caught as its type, and a monitor.
//
// What a ref of a base class is sent is executed by the object as what it is. A monitor tells when an object has ended,
// and by what: so a gauge that has failed is replaced by another.
#include <tsubu/tsubu.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

using namespace tsubu;

struct sensor : object<sensor> {
  virtual ~sensor() = default;
  virtual double read() = 0;
  virtual void calibrate(double zero) = 0;
};

struct thermometer : sensor {
  double read() override { return 20 + zero; }
  void calibrate(double z) override { zero = z; }
  double zero = 0;
};

// It travels with its members, since it is registered.
struct worn_out : std::runtime_error {
  using std::runtime_error::runtime_error;
  explicit worn_out(int n) : runtime_error("a gauge is worn out"), readings(n) {}
  int readings = 0;
  template <class Archive>
  void serialize(Archive& a) {
    a(readings);
  }
};
const bool worn_out_travels = register_exception<worn_out>();

struct gauge : sensor {
  double read() override {
    if (readings == 3) throw worn_out(readings);
    return ++readings;
  }
  void calibrate(double) override {}
  // Goes on by itself until it fails.
  task<void> run() {
    for (;;) {
      read();
      co_await yield();
    }
  }
  int readings = 0;
};

// Has a gauge running on that PE until so many readings have been taken; says how many gauges that took.
task<int> keep_running(pe_id on, int wanted) {
  int gauges = 0;
  for (int taken = 0; taken < wanted; ++gauges) {
    const ref<gauge> g = create<gauge>(at(on));
    monitor watch(g);
    g.past<&gauge::run>();
    const object_end end = co_await watch;
    if (end.why != end_reason::failed) co_return -1;
    try {
      std::rethrow_exception(end.error);
    } catch (const worn_out& e) {
      taken += e.readings;
    }
  }
  co_return gauges;
}

task<int> program(arguments) {
  const pe_id last = pe_count() - 1;
  const std::vector<ref<sensor>> sensors{create<thermometer>(at(last)), create<gauge>(at(last))};
  for (const ref<sensor>& s : sensors) s.past<&sensor::calibrate>(0.5);
  const std::vector<double> readings = co_await now_all<&sensor::read>(sensors);
  bool right = readings == std::vector<double>{20.5, 1};

  // A lambda is a method that the class need not have.
  double factor = 1.8;
  const double fahrenheit = co_await sensors[0].now([factor](sensor& s) { return s.read() * factor + 32; });
  std::printf("%.1f degrees Fahrenheit\n", fahrenheit);
  right = right && fahrenheit == 20.5 * 1.8 + 32;

  const int gauges = co_await keep_running(last, 10);
  std::printf("%d gauges for 10 readings\n", gauges);
  right = right && gauges == 4;
  co_return right ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
