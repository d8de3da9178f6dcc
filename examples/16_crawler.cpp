// A crawler: an object for each page of a web, created when the page is first heard of; a million of them.
//
// A page lives on the PE that the hash of its number names. There it is fetched, which here means that its links are
// made up; each of them is a message to the PE of the page it leads to. Nobody knows how many pages there are until no
// message is left, and that is what an epoch tells.
//
//   example_16_crawler [PAGES]
#include <tsubu/base/random.hpp>
#include <tsubu/tsubu.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <unordered_map>

using namespace tsubu;

using url = std::uint64_t;

// The web. Two links of each page make it a tree, so that all can be found; up to ten more lead anywhere.
std::uint64_t hash(std::uint64_t x) { return random_source(x)(); }
std::uint64_t links_of(url page) { return 2 + hash(~page) % 11; }
url linked(url page, std::uint64_t i, url pages) { return (i < 2 ? 2 * page + 1 + i : hash(hash(page) + i)) % pages; }

class page;

// What a PE knows.
struct site {
  std::unordered_map<url, ref<page>> pages;
  std::uint64_t links_out = 0;
  std::uint64_t links_in = 0;
};
pe_local<site> site_here;

void follow(url to, url pages);

class page : public object<page> {
 public:
  explicit page(url own) : own_(own) {}

  task<void> fetch(url pages) {
    for (std::uint64_t i = 0; i < links_of(own_); ++i) {
      const url to = linked(own_, i, pages);
      co_await at(home_of(to)).past<follow>(to, pages);  // held back while the network is full
      ++site_here->links_out;
    }
  }

  void linked_to() {
    ++links_in_;
    ++site_here->links_in;
  }

 private:
  url own_;
  std::uint32_t links_in_ = 0;
};

void follow(url to, url pages) {
  ref<page>& known = site_here->pages[to];
  if (!known) {
    known = create<page>(here(), to);
    known.past<&page::fetch>(pages);
  }
  known.past<&page::linked_to>();
}

struct totals {
  std::uint64_t pages = 0, links_out = 0, links_in = 0;
};
totals totals_here() { return {site_here->pages.size(), site_here->links_out, site_here->links_in}; }

task<int> program(arguments args) {
  const auto pages = args.number<url>(1, 1'000'000);
  const std::int64_t start_ns = now_ns();
  const auto first_page = [pages]() -> task<void> { co_await at(home_of(0)).past<follow>(url{0}, pages); };
  co_await epoch(first_page);
  const double seconds = static_cast<double>(now_ns() - start_ns) * 1e-9;

  totals all;
  for (const totals& of_pe : co_await everywhere().now<totals_here>()) {
    all.pages += of_pe.pages;
    all.links_out += of_pe.links_out;
    all.links_in += of_pe.links_in;
  }
  std::printf("%ju pages, an object each, and %ju links in %.2f seconds\n", std::uintmax_t{all.pages},
              std::uintmax_t{all.links_out}, seconds);

  std::uint64_t links = 0;
  for (url u = 0; u < pages; ++u) links += links_of(u);
  co_return all.pages == pages&& all.links_out == links&& all.links_in == links + 1 ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
