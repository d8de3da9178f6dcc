"""ABCL/EM-4 again, by code that a compiler has made: ABCL/ST on the register machine (abcl/machine).

The machine has EM-4's network and no protocols. A clock is an instruction; a word that comes in a packet takes 2, and
an answer that is matched with the place where its object goes on, 1. What a creation, a request, a reply and a switch
take is how many instructions the compiler and the machine's handlers have for them.
"""
import re

import harness
from harness import Failed, Shape, Without, claim, once, output_of, run, run_with

CLOCK_US = 0.08
PES = 80
PROGRAMS = harness.ROOT / "tests/papers/programs"
EXAMPLES = harness.ROOT / "examples/abcl"

REST = "each instruction of the compiled program and of the machine's handlers takes a clock"


def compiled(program, *words, passes=()):
    return run("em4_packets", PES, "abcl", "run", *passes, PROGRAMS / f"{program}.abcl", *words)


# ---- the chain of counters -----------------------------------------------------------------------------------------

def levels(*passes):
    """Clocks of a level: created and asked, created, asked; what 200 levels more take."""
    short, long = ([float(x) for x in compiled("counters", n, passes=passes).split()[1:]] for n in (200, 400))
    return [round((b - a) / 200, 1) for a, b in zip(short, long, strict=True)]


@once
def level():
    return levels()


@claim("A1.compiled", paper=164, within="5 %", kind="emergent", rests_on=REST)
def created_and_asked():
    """compiled: clocks of a level: an object created and asked"""
    return level()[0]


@claim("A2.compiled", paper=49, within="5 %", kind="emergent", rests_on=REST)
def created():
    """compiled: clocks of a level: an object created, with two arguments"""
    return level()[1]


@claim("A3.compiled", paper=133, within="5 %", kind="emergent", rests_on=REST)
def asked():
    """compiled: clocks of a level: an object asked"""
    return level()[2]


@claim("A4.compiled", paper="164 < 182", allowed="order", kind="emergent",
       rests_on="an object that has just been created and asked is there already")
def overlap():
    """compiled: a level's creation and question together take less than apart"""
    together, created_alone, asked_alone = level()
    return Shape(f"{together:.0f} < {created_alone + asked_alone:.0f}", together < created_alone + asked_alone)


# ---- the timetables: packets in the trace of a chain ----------------------------------------------------------------

@once
def packets():
    """What each PE sends (s) and gets (t), in order: letters, and the clocks."""
    events = run_with("trace", "em4_packets", PES, "abcl", "run", PROGRAMS / "counters.abcl", 40)[1]
    of_pe = {}
    for e in events:
        if e["ph"] in "sf":
            of_pe.setdefault(e["tid"], []).append((round(e["ts"] / CLOCK_US), "s" if e["ph"] == "s" else "t"))
    for all_of_one in of_pe.values():
        all_of_one.sort(key=lambda e: e[0])
    return of_pe


def times(pattern, first):
    """The clocks of the packets of the middle PE that has this pattern, since the packet at `first`."""
    found = []
    for pe in sorted(packets()):
        letters = "".join(letter for _, letter in packets()[pe])
        for match in re.finditer(pattern, letters):
            clocks = [at for at, _ in packets()[pe][match.start():match.end()]]
            found.append([at - clocks[first] for at in clocks])
    if not found:
        raise Failed(f"no PE has the packets {pattern}")
    return found[len(found) // 2]


# A request comes: a box is asked for and given, three words and the message. Then the same to the next object.
ASKED = "(?<=[ts])tsttttst(?=ssss)ssss"
# The same, where the next object is created: asked for, named, started.
CREATED_AND_ASKED = "tsttttsts(?=st)stssss"
# A reply: its word, and that it is there. Then the same to who has asked.
REPLY = "ttss"


@once
def request():
    """Clocks since a request has come: a box is asked for; its address is here; the next request is sent, and comes."""
    t = times(ASKED, 5)
    return [0, t[6], t[7], t[11], t[11] + 5]


@once
def creation_and_request():
    """Clocks since a request has come: an object asked for, its name here, started; a box asked for, here; sent, comes."""
    t = times(CREATED_AND_ASKED, 5)
    return [0, t[6], t[7], t[8], t[9], t[10], t[14], t[14] + 5]


@claim("A5.compiled", paper=[0, 37, 53, 57, 64, 94, 126, 131], allowed="3 each, order exact", kind="emergent", rests_on=REST,
       differs="9, 27 and 59, where something begins that no packet shows, are left out")
def timetable_of_creation():
    """compiled: timetable of creation and request, clocks"""
    return in_order([0, 37, 53, 57, 64, 94, 126, 131], creation_and_request())


@claim("A6.compiled", paper=[0, 26, 35], allowed="3 each, order exact", kind="emergent", rests_on=REST,
       differs="7 and 15, where something begins that no packet shows, are left out")
def timetable_of_reply():
    """compiled: timetable of a reply, clocks"""
    t = times(REPLY, 1)
    return in_order([0, 26, 35], [0, t[3], t[3] + 8])


@claim("A7.compiled", paper=[0, 45, 60, 92, 97], allowed="3 each, order exact", kind="emergent", rests_on=REST,
       differs="9 and 28, where something begins that no packet shows, are left out")
def timetable_of_request():
    """compiled: timetable of a request, clocks"""
    return in_order([0, 45, 60, 92, 97], request())


def in_order(paper, seen):
    return Shape(seen, seen == sorted(seen) and all(abs(a - b) <= 3 for a, b in zip(paper, seen, strict=True)))


@claim("A8.compiled", paper=[15, 30], within=2, kind="emergent",
       rests_on="the request for a box waits behind what the new object does first")
def reservation():
    """compiled: clocks to reserve a message box: at an idle receiver; at one that is busy with its new object"""
    idle, new = request(), creation_and_request()
    return [idle[2] - idle[1], new[5] - new[4]]


@claim("A9.compiled", paper=[s + 3 for s in range(1, 9)], kind="emergent",
       rests_on="a box is asked for, its address comes back, and goes to the object; a packet for each word")
def packets_of_past():
    """compiled: packets of a message of 1 to 8 words"""
    events = run_with("trace", "em4_packets", PES, "abcl", "run", PROGRAMS / "words.abcl")[1]
    letters = [(e["ts"], "s" if e["ph"] == "s" else "t") for e in events if e["ph"] in "sf" and e["tid"] == 0]
    text = "".join(letter for _, letter in sorted(letters, key=lambda e: e[0]))
    # The object's start and the first request; then, for each message, the answer, and what is sent until the next.
    bursts = [len(b) for b in re.findall(r"t(s+)", text[text.index("tss"):])][1:]
    # The last packet of a burst asks for the next box: it belongs to the next message.
    return [burst + 1 for burst in bursts[:8]]


@claim("A10.compiled", paper=[8, 3], kind="emergent",
       rests_on="a box is asked for, its address comes back, and goes to the object; a packet for each word")
def packets_of_now():
    """compiled: packets of a question with one argument and its answer; of a creation without arguments"""
    question = len("st" "ssss")
    times(ASKED, 5)  # it is there
    answer = len(times(REPLY, 1)) // 2
    times(CREATED_AND_ASKED, 5)
    return [question + answer, len("sts")]


@claim("A12.compiled", paper=72, within=3, kind="emergent", rests_on=REST,
       differs="from the packet that asks for the box, 5 clocks behind the paper's beginning")
def remote_message():
    """compiled: clocks of a remote message (table 2)"""
    t = creation_and_request()
    return t[7] - t[4]


# ---- the compiler ----------------------------------------------------------------------------------------------------

@once
def registers(program, *options):
    return output_of(harness.bin_folder / "abcl", "build", "--emit=registers", *options, program)


@claim("A13.compiled", paper=16, kind="emergent",
       rests_on="the instructions with which an object that has nothing to keep waits for a reply and goes on")
def switch():
    """compiled: clocks of a context switch that waits for a reply, without what is kept"""
    text = registers(EXAMPLES / "fib.abcl", "--whole-machine")
    waits = re.search(r"(    keep-place place, .*\n    link waiting-one.*\n    end\n)", text)
    goes_on = re.search(r"text waiting-one.reply\n((?:    .*\n)+)", text)
    if waits is None or goes_on is None:
        raise Failed("no wait for a single reply")
    return waits[1].count("\n") + goes_on[1].count("\n")


@claim("A16", paper=0, kind="emergent", rests_on="an object that begins to wait, or goes on, is linked to another text")
def no_test_of_state():
    """compiled: branches in the texts that take a message for a dormant object, and the reply that is waited for"""
    text = registers(EXAMPLES / "fib.abcl", "--whole-machine")
    taken = [re.search(rf"text {name}\n((?:    .*\n)+)", text) for name in ("dormant.message", "accepting.message", "waiting-one.reply")]
    if None in taken:
        raise Failed("a text is missing")
    return sum(found[1].count("if-") for found in taken)


@claim("A26.compiled", paper="15 % fewer clocks", allowed="at least 15 % fewer, and fewer instructions", kind="emergent",
       rests_on="the pass that uses originals in the place of copies")
def copy_propagation():
    """compiled: clocks of a level with copy propagation, and without"""
    with_it, without = level(), levels("--no-copy-propagation")
    shown = f"{sum(with_it):.0f}, {sum(without):.0f}"
    return Shape(shown, sum(with_it) <= 0.85 * sum(without))


@claim("A28.compiled", paper=0, kind="emergent", rests_on="the box is reserved before the arguments are evaluated")
def pipelined_send():
    """compiled: stores of (- n 1) while the next arguments are evaluated, one of them by asking another object"""
    text = registers(EXAMPLES / "pipelined_send.abcl")
    found = re.search(r"    sub (r\d), r\d, 1.*\n((?:    .*\n)*?)    put r\d\[2\], \1", text[text.index("text Main"):])
    if found is None:
        raise Failed("no (- n 1) that is put into a box")
    return found[2].count("store ")


# ---- both back ends ---------------------------------------------------------------------------------------------------

PROGRAMS_OF_BOTH = {
    "bank": "10 6 50", "bounded_buffer": "20", "chat": "", "counter_chain": "50", "fib": "15", "life": "8 40",
    "matrix_product": "12", "nbody": "40", "philosophers": "5 10", "pipeline": "300", "pipelined_send": "10",
    "readers_and_writers": "5 3 20", "ring_election": "20", "same_fringe": "40", "sieve": "200", "sorting": "300",
}


def results(text):
    """The lines in any order, since those of several nodes have none; sums of Floats depend on theirs."""
    return sorted(re.sub(r"-?\d+\.\d+", lambda x: f"{float(x[0]):.6g}", line) for line in text.splitlines())


def outputs(name, words):
    """What a program prints by way of C++ and on the register machine, each on 3 threads and on EM-4."""
    machine = ["abcl", "run", EXAMPLES / f"{name}.abcl"]
    for program in ([f"abcl_{name}"], machine):
        yield run(None, 3, *program, *words)
        yield run("em4", PES, *program, *words)
    yield run("em4_packets", PES, *machine, *words)
    for launcher in harness.launchers().values():
        yield run(None, 2, *machine, *words, launcher=launcher)


@claim("A27.compiled", paper=len(PROGRAMS_OF_BOTH), kind="emergent",
       rests_on="no result depends on where an object is or when a message comes")
def both_back_ends():
    """compiled: programs with the same results by way of C++ and on registers: threads, EM-4 simulated, each MPI that is here"""
    same = 0
    for name, words in PROGRAMS_OF_BOTH.items():
        seen = [results(text) for text in outputs(name, words.split())]
        same += all(each == seen[0] for each in seen)
    return same


# ---- the collector -------------------------------------------------------------------------------------------------

COLLECTED = ["counter_chain", "fib", "nbody", "sieve", "same_fringe", "sorting"]  # figures 5 and 6, N-body, and three more


@claim("A25.compiled", paper=len(COLLECTED), kind="emergent",
       rests_on="roots are all objects that do not rest, boxes in use and packets that are held; a round counts marks on their way")
def same_when_collected():
    """compiled: programs with the same results when their objects are collected: never, and when a node has made 16, or one"""
    same = 0
    for name in COLLECTED:
        program = [EXAMPLES / f"{name}.abcl", *PROGRAMS_OF_BOTH[name].split()]
        seen = [results(run("em4_packets", PES, "abcl", "run", *options, *program))
                for options in ([], ["--collect-every=0"], ["--collect-every=16"], ["--collect-every=1"])]
        same += all(each == seen[0] for each in seen)
    return same


@claim("A25.free", paper="measured without one", allowed="under 1 % of the clocks", kind="emergent",
       rests_on="an object begins as without, and what is free is told from what is not when a collection begins")
def never_collected():
    """compiled: fib(21), with a collector that never begins: % more clocks than without"""
    short, long = (float(compiled("fib", 21, passes=passes).split()[2]) for passes in ([], ["--collect-every=0"]))
    more = round((short / long - 1) * 100, 2)
    return Shape(more, more < 1)


# ---- fib -----------------------------------------------------------------------------------------------------------

@once
def fib(n):
    found, value, rate = compiled("fib", n).split()
    return int(found), int(value), round(float(rate), 3)


@claim("A17.compiled", paper=2.15, allowed="at least 2.15 less 15 %", kind="emergent",
       rests_on="80 PEs, each of which executes its part of the objects",
       removed=Without("em4_packets", r'^clock = "12.5 MHz"', 'clock = "6 MHz"'))
def throughput():
    """compiled: fib(21) on 80 PEs: million tasks a second"""
    return Shape(fib(21)[2], fib(21)[2] >= 2.15 * 0.85)


@claim("A17.compiled_curve", paper="rises without a fall, then flat (figure 7)", allowed="from n = 5 on no n below the one "
       "before; the last step under 10 %", kind="emergent", rests_on="80 PEs are busy only if there are enough tasks")
def saturation():
    """compiled: fib on 80 PEs, n = 5 to 21: million tasks a second"""
    rates = [fib(n)[2] for n in range(5, 22)]
    return Shape(rates, rates == sorted(rates) and rates[-1] < 1.1 * rates[-2])


@claim("A19.compiled", paper=10946, kind="emergent", rests_on="each object adds the answers of two others")
def value():
    """compiled: fib(21)"""
    return fib(21)[1]
