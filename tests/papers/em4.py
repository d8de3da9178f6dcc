"""ABCL/EM-4 (Yasugi, Matsuoka, Yonezawa 1997): 80 PEs of 12.5 MHz; messages are made of packets of two words."""
import re
import shlex

import harness
from harness import Failed, Shape, Without, claim, json_line, of_each_pe, once, printed, run, run_with

CLOCK_US = 0.08
PES = 80


# ---- the chain of counters -----------------------------------------------------------------------------------------

@once
def counter():
    """Clocks of a level: what 200 levels more take."""
    short, long = (json_line(run("em4", PES, "counter", n, "--repetitions", 1, "--json")) for n in (200, 400))
    return {key: round((400 * long[key] - 200 * short[key]) / 200, 1) for key in short if key.endswith("_ticks")}


@claim("A1", paper=164, within=2, kind="input")
def created_and_asked():
    """clocks of a level: an object created and asked"""
    return counter()["create_and_now_ticks"]


@claim("A2", paper=49, within=2, kind="input")
def created():
    """clocks of a level: an object created, with two arguments"""
    return counter()["create_ticks"]


@claim("A3", paper=133, within=2, kind="input")
def asked():
    """clocks of a level: an object asked"""
    return counter()["now_ticks"]


@claim("A4", paper="164 < 182", allowed="order", kind="input")
def overlap():
    """a level's creation and question together take less than apart"""
    together, apart = counter()["create_and_now_ticks"], counter()["create_ticks"] + counter()["now_ticks"]
    return Shape(f"{together:.0f} < {apart:.0f}", together < apart)


# ---- the timetables: packets in the trace of a chain ----------------------------------------------------------------

def trace(program, *words):
    """The packets that 80 PEs sent and took, in order; at which clock."""
    steps = []
    for e in run_with("trace", "em4", PES, program, *words)[1]:
        if e["ph"] not in "sf":
            continue
        step = {"at": e["ts"] / CLOCK_US, "pe": e["tid"]}
        if e["ph"] == "s":
            step |= {"sent": e["id"], "kind": e["args"]["kind"], "to": int(e["name"].split()[1])}
        else:
            step |= {"taken": e["id"]}
        steps.append(step)
    return sorted(steps, key=lambda s: s["at"])


@once
def counter_trace():
    return trace("counter", 40, "--repetitions", 1)


@once
def arrivals():
    return {s["taken"]: s["at"] for s in counter_trace() if "taken" in s}


def arrival(of):
    return arrivals()[of["sent"]]


@once
def messages(kind):
    """The packets of each message of that kind, both ways, in order."""
    found = []
    for s in counter_trace():
        if s.get("kind") != kind:
            continue
        for m in reversed(found):
            if {m[0]["pe"], m[0]["to"]} == {s["pe"], s["to"]} and s["at"] - m[-1]["at"] <= 60:
                m.append(s)
                break
        else:
            found.append([s])
    return found


def before(kind, pe, at, within):
    """When the last packet arrived of a message of that kind to that PE, at most so many clocks before."""
    times = [arrival(m[-1]) for m in messages(kind) if m[0]["to"] == pe and 0 <= at - arrival(m[-1]) <= within]
    return max(times, default=None)


def cause(message, kind, within):
    """When what made its sender send this message had arrived."""
    return before(kind, message[0]["pe"], message[0]["at"], within)


def middle(found):
    return found[len(found) // 2]


@once
def new_level():
    """In the midst of the chain: a creation without arguments, which a request caused, and the request after it."""
    return middle([(c, r) for c in messages("create") for r in messages("request")
                   if len(c) == 3 and r[0]["pe"] == c[0]["pe"] and r[0]["to"] == c[0]["to"] and
                   0 < r[0]["at"] - c[-1]["at"] < 20 and cause(c, "request", 60) is not None])


@once
def old_request():
    """A request to an object that was there before, sent in answer to one."""
    created_by = max(c[-1]["at"] for c in messages("create"))
    return middle([m for m in messages("request") if m[0]["at"] > created_by and cause(m, "request", 60) is not None])


@once
def old_reply():
    return middle([m for m in messages("reply") if cause(m, "reply", 40) is not None])


def since(zero, events):
    return [round(t - zero) for t in events]


def in_order(paper, seen):
    return Shape(seen, seen == sorted(seen) and all(abs(a - b) <= 3 for a, b in zip(paper, seen, strict=True)))


TIMETABLE_1 = [0, 9, 27, 37, 53, 57, 59, 64, 94, 126, 131]
TIMETABLE_2 = [0, 7, 15, 26, 35]
TIMETABLE_3 = [0, 9, 28, 45, 60, 92, 97]


def timetable_1():
    create, request = new_level()
    zero = cause(create, "request", 60)
    return since(zero, [zero, zero + 9, create[0]["at"] - 10, create[0]["at"], arrival(create[1]), create[2]["at"],
                        request[0]["at"] - 5, request[0]["at"], arrival(request[1]), request[-1]["at"],
                        arrival(request[-1])])


def timetable_3():
    request = old_request()
    zero = cause(request, "request", 60)
    return since(zero, [zero, zero + 9, request[0]["at"] - 17, request[0]["at"], arrival(request[1]),
                        request[-1]["at"], arrival(request[-1])])


@claim("A5", paper=TIMETABLE_1, allowed="3 each, order exact", kind="input",
       added="9 (the method begins), 27 (the creation begins: 10 before its packet) and 59 (the request begins: 5 "
             "before its packet) are the machine file's figures, added to packets that were observed")
def creation_and_request():
    """timetable of creation and request, clocks"""
    return in_order(TIMETABLE_1, timetable_1())


@claim("A6", paper=TIMETABLE_2, allowed="3 each, order exact", kind="input",
       added="7 (the task goes on) and 15 (the reply begins: 11 before its packet) are the machine file's figures; a "
             "clock of the flight is the receiver's here, and is added to both arrivals")
def reply():
    """timetable of a reply, clocks"""
    packets = old_reply()
    zero = cause(packets, "reply", 40) + 1
    return in_order(TIMETABLE_2, since(zero, [zero, zero + 7, packets[-1]["at"] - 11, packets[-1]["at"],
                                              arrival(packets[-1]) + 1]))


@claim("A7", paper=TIMETABLE_3, allowed="3 each, order exact", kind="input",
       added="9 (the method begins) and 28 (the request begins: 17 before its packet) are the machine file's figures")
def request_alone():
    """timetable of a request, clocks"""
    return in_order(TIMETABLE_3, timetable_3())


@claim("A8", paper=[15, 30], within=2, kind="emergent",
       rests_on="the box is asked for while the new object begins: the request waits behind that",
       removed=Without("em4", r'"receiver 6 clocks",', '"receiver 1 clock",'))
def reservation():
    """clocks to reserve a message box: at an idle receiver; at one that is busy with its new object"""
    return [round(arrival(r[1]) - r[0]["at"]) for r in (old_request(), new_level()[1])]


@claim("A11", paper="<= 95", allowed="<=", kind="input",
       added="where the message begins and the method starts, as in A7: 17 before the first packet, 9 after the last")
def three_words():
    """clocks of a message of 3 words, from its beginning to its method"""
    t = timetable_3()
    whole = t[6] - t[2] + 9
    return Shape(whole, whole <= 95)


@claim("A12", paper=72, within=3, kind="input", added="where the message begins, as in A5")
def remote_message():
    """clocks of a remote message (table 2)"""
    t = timetable_1()
    return t[10] - t[6]


# ---- packets and boxes ---------------------------------------------------------------------------------------------

@claim("A9", paper=[s + 3 for s in range(1, 9)], kind="input")
def packets_of_past():
    """packets of a message of 1 to 8 words"""
    counts = [0]
    for s in trace("acceptance.em4", "packets"):
        if s.get("kind") == "past":
            counts[-1] += 1
        elif "sent" in s and counts[-1]:  # the question that follows
            counts.append(0)
    return [c for c in counts if c]


@claim("A10", paper=[8, 3], kind="input")
def packets_of_now():
    """packets of a question with one argument and its answer; of a creation without arguments"""
    return [len(old_request()) + len(old_reply()), len(new_level()[0])]


@claim("A14", paper=[2.0] * 3, kind="input")
def write_packets():
    """clocks of each further word written to a PE's memory: from 100 words to 200, from 200 to 400, to 800"""
    text = run("em4", PES, "acceptance.em4", "writes")
    clocks = {int(n): int(t) for n, t in re.findall(r"^WRITES (\d+) (\d+)$", text, re.M)}
    return [(clocks[2 * n] - clocks[n]) / n for n in (100, 200, 400)]


@claim("A15", paper=["the same, in that order", "1000, whole"], kind="emergent",
       rests_on="message boxes of a free list, the last one freed in front (tsubu/base/pool.hpp)",
       differs="a box here has the size of its message, not 32 words, so that a large message is neither refused nor "
               "split: it is shown to arrive whole")
def boxes():
    """the boxes of 30 waiting messages, then of 30 more; words of a message of more than 32"""
    return [ours for of in printed("A15", [("em4", 2, "acceptance.em4")]).values() for ours in of]


@claim("A29", paper=0, kind="emergent", rests_on="a waiting message stays in its box, in whatever order it is taken")
def copies():
    """of 30 waiting messages that are taken in reverse order: copied or moved while they waited"""
    ((moved,),) = printed("A29", [("em4", 2, "acceptance.em4")]).values()
    return moved


@claim("A29.circular", paper="0, 0, 0; 0, >= 1, >= 1", allowed="order", kind="emergent",
       rests_on="only the message in front of a circular buffer is seen, so that one that must wait has to leave it",
       differs="both buffers are a program's, beside the runtime's own boxes of the row above")
def copies_of_both_buffers():
    """of 30 messages in boxes, then in a circular buffer, copied: taken in order, backwards, in order while one waits"""
    free_list, circular = ([int(n) for n in ours.split(",")]
                           for (ours,) in printed("A29", [("em4", 2, "acceptance.receive_buffers")]).values())
    return Shape([free_list, circular], free_list == [0, 0, 0] and circular[0] == 0 and min(circular[1:]) >= 1)


@claim("A28", paper=[0, 2], kind="emergent",
       rests_on="a streamed message's argument leaves when it is there (ref::stream)",
       differs="counted are arguments that have left before the question for the next one is asked, not writes to "
               "memory that this saves")
def pipelined_sends():
    """of two arguments, sent before the third is asked for: by an ordinary message; by a streamed one"""
    sent = [s for s in trace("acceptance.em4", "nested") if "sent" in s and s["pe"] == 0]
    to, other = dict.fromkeys(s["to"] for s in sent if s["kind"] == "create")
    questions = [s["at"] for s in sent if s["kind"] == "request" and s["to"] == other]
    words = [s["at"] for s in sent if s["kind"] in ("past", "write") and s["to"] == to]
    streamed = [s["at"] for s in sent if s["kind"] == "write"]
    return [sum(w < questions[0] for w in words), sum(w < questions[len(questions) // 2] for w in streamed)]


# ---- fib -----------------------------------------------------------------------------------------------------------

@once
def fib(n):
    return json_line(run("em4", PES, "fib", n, "--placement", "paper", "--json"))


def rate(n):
    return round(fib(n)["tasks_per_second"] * 1e-6, 3)


@claim("A17", paper=2.15, allowed="at least 2.15 less 15 %", kind="fitted",
       differs="the paper has more than 2.15; 46 clocks were chosen for a task that waits for two boxes (apps/fib)")
def throughput():
    """fib(21) on 80 PEs: million tasks a second"""
    return Shape(rate(21), rate(21) >= 2.15 * 0.85)


@claim("A17.curve", paper="rises without a fall, then flat (figure 7)", allowed="no n below the one before; the last "
       "step under 10 %", kind="emergent", rests_on="80 PEs are busy only if there are enough tasks")
def saturation():
    """fib on 80 PEs, n = 2 to 21: million tasks a second"""
    rates = [rate(n) for n in range(2, 22)]
    return Shape(rates, rates == sorted(rates) and rates[-1] < 1.1 * rates[-2])


@claim("A18", paper=21891, kind="emergent", rests_on="an object for each call (apps/fib)")
def tasks():
    """objects of fib(21), which count themselves"""
    return fib(21)["tasks"]


@claim("A19", paper=10946, kind="emergent", rests_on="each object adds the answers of two others")
def value():
    """fib(21)"""
    return fib(21)["value"]


# ---- N-body --------------------------------------------------------------------------------------------------------

def clocks_of_pull():
    """Those that the program says."""
    text = (harness.ROOT / "apps/nbody/em4_clocks.hpp").read_text()
    factors = re.search(r"clocks_of_pull = ([\d.]+) \* ([\d.]+) \* ([\d.]+) / ([\d.]+);", text)
    if factors is None:
        raise Failed("apps/nbody/em4_clocks.hpp does not say clocks_of_pull as a product and a quotient")
    a, b, c, d = map(float, factors.groups())
    return a * b * c / d


@once
def nbody(bodies):
    text, report = run_with("report", "em4", PES, "nbody", "--bodies", bodies, "--theta", 1 / 0.95, "--json")
    return json_line(text), report


def against_workstation(bodies):
    result, report = nbody(bodies)
    # The first forces and those of the step: all of the work is in these two.
    work = sum(of_each_pe(report, "work_ps")) * 1e-12
    pulls = 2 * result["interactions"] * clocks_of_pull() * CLOCK_US * 1e-6
    return round((pulls / 61 + (work - pulls) / 20) / (report["time_ps"] * 1e-12), 3)


@claim("A20", paper="1.6 to 2.3", allowed="1.3 to 2.8, none less than the one before", kind="fitted", slow=True,
       added="the workstation: the same work, pulls 61 times and all else 20 times as fast, both published; what a "
             "pull takes is assumed, all else follows from the 5 % of a workstation's time that pulls are")
def n_body():
    """N-body, 500, 1000, 2000, 3000 bodies: 80 PEs against one workstation"""
    ratios = [against_workstation(bodies) for bodies in (500, 1000, 2000, 3000)]
    return Shape(ratios, all(1.3 <= r <= 2.8 for r in ratios) and ratios == sorted(ratios))


@claim("A22", paper=">= 1, >= 1", allowed=">=", kind="emergent",
       rests_on="bodies and cells are dealt to all PEs (apps/nbody/shares.hpp)")
def all_at_work():
    """N-body, 500 bodies on 80 PEs: bodies and cells of the PE that has least"""
    result = nbody(500)[0]
    least = [result["least_bodies"], result["least_cells"]]
    return Shape(least, min(least) >= 1)


@claim("A21", paper="opened up to 0.95 of its size", allowed="boundary exact", kind="emergent",
       rests_on="the test of apps/nbody/gravity.hpp, which a unit test visits at its boundary")
def criterion():
    """N-body: a cell is opened or taken as one body"""
    wanted = "FarEnough.BeginsBeyondSizeOverTheta"
    text = harness.output_of(harness.bin_folder / "tsubu_nbody_test", f"--gtest_filter={wanted}")
    passed = f"[       OK ] {wanted}" in text
    return Shape("opened up to 0.95 of its size" if passed else "not so", passed)


# ---- the paper's own figures ---------------------------------------------------------------------------------------

@claim("A23", paper="all", allowed="printed digit", kind="recomputed")
def conversions():
    """table 2: its 12 pairs of clocks and microseconds agree"""
    table = [(72, 12.5, 5.8), (76, 20, 3.8), (223, 25, 8.9), (252, 33, 7.7), (2450, 50, 49.0), (1558, 6, 260.0),
             (16, 12.5, 1.3), (110, 20, 5.5), (240, 25, 9.6), (232, 33, 7.0), (210, 50, 4.2), (3269, 6, 544.8)]
    differ = [f"{clocks} at {mhz} MHz is {clocks / mhz:.2f}, printed {us}" for clocks, mhz, us in table
              if abs(clocks / mhz - us) > 0.05 + 1e-9]
    return Shape(differ or "all", not differ)


@claim("A24", paper=0.8, kind="recomputed")
def overhead():
    """share of overhead in a question that takes 8 us, as do a send and a switch, of which it needs two each"""
    lookup, send, switch = 8, 8, 8
    return (2 * send + 2 * switch) / (2 * send + 2 * switch + lookup)


# ---- on this computer ----------------------------------------------------------------------------------------------

PROGRAMS = ["counter 500 --repetitions 1", "counter 500 --repetitions 1 --delegate", "fib 18 --placement here",
            "fib 18 --placement paper", "fib 18 --placement anywhere", "philosophers --meals 50",
            "bounded-buffer --items 500", "queens 9"]
NOT_A_RESULT = re.compile("pes|transport|seconds|fullest|.*_per_.*|.*_(ns|ticks|ratio)")


def ways():
    """How to start a program here, by name: machine, PEs, launcher."""
    yield "1 PE", None, 1, ()
    yield "threads", None, 2, ()
    yield "EM-4 simulated", "em4", PES, ()
    for name, launcher in harness.launchers().items():
        yield name, None, 2, launcher


@claim("A27", paper=len(PROGRAMS), kind="emergent",
       rests_on="no result depends on where an object is or when a message comes",
       differs="programs of C++ on the runtime and in the simulator; those in ABCL/ST, with two back ends, have A27.compiled")
def same_results():
    """programs of concurrent objects with the same results on 1 PE, threads, each MPI that is here, EM-4 simulated"""
    def result(program, machine, pes, launcher):
        line = json_line(run(machine, pes, *shlex.split(program), "--json", launcher=launcher))
        return {name: figure for name, figure in line.items() if not NOT_A_RESULT.fullmatch(name)}

    alike = 0
    for program in PROGRAMS:
        results = {name: result(program, *way) for name, *way in ways()}
        first = results["threads"]
        alike += first.get("verified") is True and all(one == first for one in results.values())
    return alike


@claim("A30", paper="0 against 1 or more", allowed="order", kind="emergent",
       rests_on="a call that need not wait runs on its caller's stack",
       differs="packets are judged, not times: 0 against 1 is what makes a remote call dearer than 3 local ones")
def local_call():
    """packets of a call: of an object on the same PE; on another"""
    ((text,),) = printed("A30", [(None, 2, "acceptance.objects")]).values()
    local, remote = map(int, re.match(r"(\d+) against (\d+)", text).groups())
    return Shape([local, remote], local == 0 and remote >= 1)
