// What becomes of small programs: looked for in the text that is made.
#include "eulash/rewrite/translation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "eulash/explain/explain.hpp"
#include "tsubu/base/leftovers.hpp"

namespace eulash {
namespace {

struct result {
  std::string text, explained;
  std::vector<refusal> refused;

  bool has(const std::string& part) const { return text.find(part) != text.npos; }
  bool tells(const std::string& part) const { return explained.find(part) != explained.npos; }
};

// A program of one file, whose threads execute `work`.
result made_of(const std::string& before_main, const std::string& in_main = "") {
  const tsubu::temporary_folder folder(testing::TempDir() + "eulash-");
  const std::string file = folder.path() + "/a.c";
  std::ofstream(file) << "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
                      << before_main << "\nint main(void) {\n  pthread_t t;\n  " << in_main
                      << "\n  pthread_create(&t, 0, work, 0);\n  pthread_join(t, 0);\n}\n";
  program in({file}, {});
  std::optional<understood> u = understand(in);
  if (!u) {
    ADD_FAILURE() << "it cannot be read";
    return {};
  }
  const std::vector<translated_file> out = translate(in, *u);
  return {out.front().text, explained(*u->known, *u->proven), u->refused};
}

TEST(translation, wraps_what_threads_share_and_leaves_the_rest) {
  const result r = made_of(
      "long sum; int first; static const int limit = 3;\n"
      "void* work(void* p) { for (int i = 0; i < limit; ++i) sum += i; return p; }",
      "first = 1;");
  EXPECT_TRUE(r.has("EULASH_UPDATE((*eulash_g_sum) , +, i)"));
  EXPECT_TRUE(r.has(
      "long sum; __typeof__(sum) *eulash_g_sum; EULASH_GLOBAL_AT(5, sum, \"sum\", EULASH_INVALIDATE, 0, 0, NULL);"));
  EXPECT_TRUE(r.has("first = 1;"));
  EXPECT_TRUE(r.has("; i < limit;"));
  EXPECT_TRUE(r.tells("sum (long): used by several processes"));
  EXPECT_TRUE(r.tells("first (int): used in process 0"));
  EXPECT_TRUE(r.tells("limit (const int): read only"));
}

TEST(translation, declares_what_begins_with_a_text) {
  const result r = made_of("char name[32] = \"nobody\";  // at first\nvoid* work(void* p) { return strcpy(name, p); }");
  EXPECT_TRUE(r.has("char name[32] = \"nobody\"; __typeof__(name) *eulash_g_name; EULASH_GLOBAL_AT(5, name,"));
  EXPECT_TRUE(r.has("eulash_strcpy((*eulash_g_name), p)"));
}

TEST(translation, keeps_lines) {
  const result r = made_of("int a;\n\nvoid* work(void* p) {\n  a =\n    1; return p; }");
  const std::string from_header = r.text.substr(r.text.find("#line 5"));
  EXPECT_EQ(std::ranges::count(r.text.substr(0, r.text.find("#include \"tsubu")), '\n'), 1 + 4 + 1);
  EXPECT_NE(from_header.find("\n\nvoid* work(void* p) {\n  EULASH_STORE((*eulash_g_a) ,\n    1);"), from_header.npos);
}

TEST(translation, replaces_a_macro_of_the_users_where_something_in_it_changes) {
  const result r = made_of(
      "int a;\n#define ADD(to, n) (to) += (n)\n#define THREE 3\n"
      "void* work(void* p) { ADD(a, THREE); int local = THREE; (void)local; return p; }");
  EXPECT_TRUE(r.has("EULASH_UPDATE(( (*eulash_g_a) ) , +, ( 3 ))"));
  EXPECT_TRUE(r.has("int local = THREE;"));
}

TEST(translation, leaves_the_text_that_a_failed_assert_shows) {
  const result r = made_of("#include <assert.h>\nint a;\nvoid* work(void* p) { a = 1; assert(a == 1); return p; }");
  EXPECT_TRUE(r.has("\"a == 1\""));
  EXPECT_TRUE(r.has("if ( EULASH_LOAD((*eulash_g_a)) == 1 ) ;"));
}

TEST(translation, splits_bit_fields) {
  const result r = made_of(
      "struct s { unsigned a : 3; } x, *px;\n"
      "void* work(void* p) { x.a = 2; px->a++; return (char*)p + x.a; }",
      "px = &x;");
  EXPECT_TRUE(r.has("EULASH_STORE_FIELD((*eulash_g_x),a , 2)"));
  EXPECT_TRUE(r.has("EULASH_POST_INCREMENT_FIELD(*(EULASH_LOAD((*eulash_g_px))),a)"));
  EXPECT_TRUE(r.has("EULASH_LOAD_FIELD((*eulash_g_x),a)"));
}

TEST(translation, keeps_private_memory_plain) {
  const result r = made_of(
      "void* work(void* p) { int* mine = malloc(40); mine[0] = 1; int n = mine[0]; free(mine); return n ? p : 0; }");
  EXPECT_TRUE(r.has("int* mine = malloc(40); mine[0] = 1; int n = mine[0]; free(mine);"));
  EXPECT_TRUE(r.tells("what mine is allocated: private to a thread"));
}

TEST(translation, counts_who_allocates_among_those_who_use) {
  const result r =
      made_of("int* made;\nvoid* work(void* p) { made = malloc(4); return p; }", "work(0); *made = 1; free(made);");
  EXPECT_TRUE(r.has("eulash_malloc(4, "));
  EXPECT_TRUE(r.has("eulash_free("));
  EXPECT_TRUE(r.tells("it is made in work, which threads execute"));
}

TEST(translation, renames_functions_in_first_values) {
  const result r = made_of(
      "int (*compare)(const char*, const char*) = strcmp;\nvoid* work(void* p) { return compare(p, p) ? p : 0; }");
  EXPECT_TRUE(r.has("= eulash_strcmp;"));
}

TEST(translation, allocates_what_threads_share_at_a_site) {
  const result r = made_of("int* all;\nvoid* work(void* p) { all[1] = 2; return p; }", "all = calloc(4, sizeof(int));");
  EXPECT_TRUE(
      r.has("EULASH_STORE((*eulash_g_all) , eulash_calloc(4, sizeof(int), EULASH_SITE_AT(9, \"all\", "
            "EULASH_INVALIDATE, 0)))"));
  EXPECT_TRUE(r.has("EULASH_STORE(EULASH_LOAD((*eulash_g_all))[1] , 2)"));
}

TEST(translation, holds_what_a_loop_walks_through) {
  const result r = made_of(
      "double** rows; double sum;\nvoid* work(void* p) { for (int j = 1; j < 99; j++) rows[2][j] += rows[1][j - 1]; "
      "return p; }",
      "rows = calloc(99, sizeof *rows);");
  EXPECT_TRUE(r.has("__auto_type const eulash_h0 = (EULASH_LOAD(EULASH_LOAD((*eulash_g_rows))[2]));"));
  EXPECT_TRUE(r.has("if (eulash_hold(eulash_runs, 2)) {"));
  EXPECT_TRUE(
      r.has("for (int j = eulash_from; j < eulash_to + 1; j++) eulash_v0[j] += eulash_v1[j - 1]; } else {\n#line 6 "));
  EXPECT_TRUE(r.has("EULASH_UPDATE(EULASH_LOAD(EULASH_LOAD((*eulash_g_rows))[2])[j] , +, "));
  EXPECT_TRUE(r.has("if (eulash_to == eulash_last) break; }"));
}

TEST(translation, holds_what_a_loop_walks_through_and_asks_for_the_rest) {
  const result r = made_of(
      "unsigned *from, *to;\nvoid* work(void* p) { unsigned place[9] = {0}; "
      "for (int i = 0; i < 99; i++) to[place[from[i] & 7]++] = from[i]; return p; }",
      "from = calloc(99, 4), to = calloc(99, 4);");
  EXPECT_TRUE(r.has("i++) EULASH_STORE((*eulash_v0)[place[eulash_v1[i] & 7]++] , eulash_v1[i]); } else {"));
  EXPECT_TRUE(r.has("i++) (*eulash_v0)[place[eulash_v1[i] & 7]++] = eulash_v1[i]; } else { struct eulash_run"));
}

TEST(translation, calls_a_copy_of_a_function_with_what_is_held) {
  const result r = made_of(
      "struct body { float at[3], speed[3]; } *all; int n;\n"
      "static void push(struct body* b, int d) { b->at[d] += b->speed[d]; }\n"
      "void move(struct body* b) { for (int d = 0; d < 3; d++) push(b, d); }\n"
      "void* work(void* p) { for (int i = 0; i < n; i++) if (i % 2) move(&all[i]); return p; }",
      "n = 40; all = calloc(n, sizeof *all);");
  EXPECT_TRUE(r.has("__attribute__((unused)) static void eulash_held_push(struct body* b, int d) { b->at[d] += "));
  EXPECT_TRUE(
      r.has("static void eulash_held_move(struct body* b) { for (int d = 0; d < 3; d++) eulash_held_push(b, d)"));
  EXPECT_TRUE(r.has("if (i % 2) eulash_held_move(&eulash_v0[i]); } else {"));
}

TEST(translation, calls_no_copy_of_a_function_that_might_do_more) {
  const char* const functions[] = {
      "void f(struct s* q) { q->n = n; }",                          // reads another shared variable
      "void f(struct s* q) { q++->n = 1; }",                        // goes elsewhere
      "void f(struct s* q) { q[1].n = 1; }",                        // the same
      "void f(struct s* q) { q->tail[2] = 1; }",                    // there may be any number of these
      "void f(struct s* q) { q->next->n = 1; }",                    // and of these
      "void f(struct s* q) { q->next = q; }",                       // tells where it is
      "void f(struct s* q) { while (q->n) q->n--; }",               // may take long
      "void f(struct s* q) { pthread_mutex_lock(&m); q->n = 1; }",  // waits
      "void f(struct s* q) { static int calls; q->n = calls++; }",  // is one
      "void f(struct s* q) { if (q->n) q->n = 1, f(q); }",          // is not before itself
      "void f(struct s* q) { static const char* name; name = __func__; q->n = name[0]; }",
  };
  for (const char* function : functions) {
    const result r =
        made_of(std::string("struct s { struct s* next; int n; int tail[1]; } *all; int n; pthread_mutex_t m;\n") +
                    function + "\nvoid* work(void* p) { for (int i = 0; i < 9; i++) f(&all[i]); return p; }",
                "n = 4; all = calloc(9, sizeof *all);");
    EXPECT_FALSE(r.has("eulash_held")) << function;
  }
}

TEST(translation, holds_nothing_where_what_is_held_might_change) {
  const char* const loops[] = {
      "for (int j = 0; j < 9; j++) { rows[2][j] = 1; if (j == 3) return p; }",    // a row that might never be asked for
      "for (int j = 0; j < 9; j++) { rows[j & 1][2] = 1; }",                      // nothing that is walked through
      "for (int j = 0; j < 9; j++) { rows[1][j] = 1; pthread_mutex_lock(&m); }",  // waits
      "for (int j = 0; j < 9; j++) { numbers[j] = 1; j += numbers[0]; }",         // a counter that jumps
      "for (int j = 0; j < n; j++) { numbers[j] = 1; }",            // the end might be among what is written
      "for (int j = 0; j < 9; j++) { flags[j] = 1; }",              // volatile
      "for (int j = 0; j < 9; j++) { if (rows) rows[1][j] = 1; }",  // nobody says that there are rows
      "for (int j = 0; j < 9; j++) { rows[1] = rows[j & 1]; rows[1][j] = 1; }",  // the row changes
      "again: for (int j = 0; j < 9; j++) { numbers[j] = 1; if (numbers[0]) goto again; }",
  };
  for (const char* loop : loops) {
    const result r =
        made_of(std::string("double** rows; int* numbers; int n; volatile int flags[9]; pthread_mutex_t m;\n"
                            "void* work(void* p) { ") +
                    loop + " return p; }",
                "n = 4; numbers = 0; rows = 0;");
    EXPECT_FALSE(r.has("eulash_hold")) << loop;
  }
}

TEST(translation, tells_where_first_values_have_addresses) {
  const result r =
      made_of("int a; struct s { int n; int* p; } s = {1, &a};\nvoid* work(void* p) { a = *s.p; return p; }");
  EXPECT_TRUE(
      r.has("static const size_t eulash_l_s[] = {8, (size_t)&a}; "
            "EULASH_GLOBAL_AT(5, s, \"s\", EULASH_INVALIDATE, 0, 1, eulash_l_s);"));
}

TEST(translation, leaves_what_is_not_evaluated) {
  const result r = made_of("int a[3];\nvoid* work(void* p) { a[0] = sizeof(a) / sizeof a[0]; return p; }");
  EXPECT_TRUE(r.has("EULASH_STORE((*eulash_g_a)[0] , sizeof(a) / sizeof a[0])"));
}

TEST(translation, gives_main_its_arguments_and_its_result) {
  const result r = made_of("void* work(void* p) { return p; }");
  EXPECT_TRUE(
      r.has("int eulash_main(__attribute__((unused)) int eulash_argc, __attribute__((unused)) char** eulash_argv) {"));
  EXPECT_TRUE(r.has(" return 0; }"));
}

TEST(translation, refuses_by_name_and_says_what_to_do) {
  const result r = made_of("#include <setjmp.h>\njmp_buf b;\nvoid* work(void* p) { longjmp(b, 1); return p; }");
  ASSERT_FALSE(r.refused.empty());
  EXPECT_EQ(r.refused.front().what, "longjmp()");
  EXPECT_EQ(r.refused.front().instead, "return an error code");
}

TEST(translation, refuses_to_give_shared_memory_to_strangers) {
  const result r = made_of("int a; void stranger(int*);\nvoid* work(void* p) { stranger(&a); return p; }");
  ASSERT_EQ(r.refused.size(), 1U);
  EXPECT_EQ(r.refused.front().what, "this call of stranger()");
}

}  // namespace
}  // namespace eulash
