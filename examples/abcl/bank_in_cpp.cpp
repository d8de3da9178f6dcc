// Classes of ABCL/ST in a program of C++: bank.hpp is what `abcl build --emit=header bank.abcl` has made.
#include "bank_in_cpp.hpp"

#include <string>
#include <tsubu/tsubu.hpp>
#include <vector>
using namespace tsubu;

// An object of C++ beside those of ABCL/ST: it is given their names, and asks them.
struct customer : object<customer> {
  explicit customer(ref<bank::Account> account) : own(account) {}

  task<bool> pay(abcl::integer amount, ref<bank::Account> to) {
    const bool paid = co_await own.now<&bank::Account::on_withdraw>(amount);
    if (paid) co_await to.now<&bank::Account::on_deposit>(amount);
    co_return paid;
  }

  ref<bank::Account> own;
};

task<int> program(arguments) {
  std::vector<ref<bank::Account>> accounts;
  for (int i = 0; i < 4; ++i)
    accounts.push_back(create<bank::Account>(at(i % pe_count()), "customer " + std::to_string(i), 100));

  const ref<customer> ann = create<customer>(at(pe_count() - 1), accounts[0]);
  const bool first = co_await ann.now<&customer::pay>(70, accounts[1]);
  const bool second = co_await ann.now<&customer::pay>(70, accounts[2]);
  say("paid {}, and then {}", first, second);

  // Clerk takes an array of accounts: names that are copied with it.
  abcl::array<abcl::name> all = abcl::array<abcl::name>::of({accounts.begin(), accounts.end()});
  const ref<bank::Clerk> clerk = create<bank::Clerk>(here(), all, 1);
  co_await clerk.now<&bank::Clerk::on_work>(50);
  const abcl::integer total = co_await audit(accounts);
  say("total {}", total);
  co_return first && !second && total == 400 ? 0 : 1;
}

int main(int argc, char** argv) { return run(argc, argv, program); }
