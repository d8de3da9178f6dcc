// A library that is no transport plug-in.
extern "C" int tsubu_no_plugin() { return 0; }
