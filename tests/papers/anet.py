"""A-NET (Iwamoto, Sawada, Ootsu, Yoshinaga, Baba 1997): receiving in firmware, and predicting the next message."""
import re
import tempfile
from pathlib import Path

from harness import Failed, Shape, Without, accounts_of, claim, edited, of_each_pe, once, run, run_with

CLOCK_US = 1 / 6
SENDER, RECEIVER = 1, 2  # of the pings; PE 0 is the host
BEFORE_AND_AFTER = "anet_before", "anet"

# What was done ahead in vain earns nothing.
STRICT = Without("anet", "^miss_earns = true", "miss_earns = false")
# Prediction never begins: all messages are only counted.
NO_PREDICTION = Without("anet", "^only_counted = 4 ", "only_counted = 1000 ")


@once
def pings(machine="anet", predicts="none", count=10, changes=0, strict=False):
    """The steps and messages of each PE, in clocks and in order, and the report."""
    on = edited(STRICT) if strict else machine
    words = 3, "acceptance.pings", count, changes, f"--tsubu-predict={predicts}"
    text, trace = run_with("trace", on, *words)
    if f"PINGS {count} of {count} answered" not in text:
        raise Failed(f"pings: {text!r}")
    return steps_of(trace), run_with("report", on, *words)[1]


def steps_of(trace):
    steps, on_the_way = {}, {}
    for e in sorted((e for e in trace if "ts" in e), key=lambda e: e["ts"]):
        of_pe = steps.setdefault(e["tid"], [])
        at = e["ts"] / CLOCK_US
        if e["ph"] == "X":
            of_pe.append({"what": e["name"], "at": at, "end": at + e["dur"] / CLOCK_US})
        elif e["ph"] == "s":
            on_the_way[e["id"]] = e["args"]
            of_pe.append({"what": "sent", "at": at, **e["args"]})
        else:
            of_pe.append({"what": "arrived", "at": at, **on_the_way.pop(e["id"])})
    return steps


def spans(steps, begin, end):
    """Clocks from each step that is so to the end of the next one that is so: the one figure of all."""
    found, start = set(), None
    for s in steps:
        if begin(s):
            start = s["at"]
        elif start is not None and end(s):
            found.add(round(s["end"] - start, 1))
            start = None
    if len(found) != 1:
        raise Failed(f"expected the same each time, got {sorted(found)}")
    return found.pop()


def trap_to_idle(machine):
    return spans(pings(machine)[0][SENDER], lambda s: s["what"] == "sent" and s["kind"] == "request",
                 lambda s: s["what"] == "leave")


def arrival_to_task(machine):
    return spans(pings(machine)[0][SENDER], lambda s: s["what"] == "arrived" and s["kind"] == "reply",
                 lambda s: s["what"] == "resume")


def more_clocks(pe, predicts, **of):
    """Clocks that a PE spent on what it received, beyond those of a run that predicts nothing."""
    with_it, without = (of_each_pe(pings(predicts=p, **of)[1], "handlers_ps")[pe] for p in (predicts, "none"))
    return round((with_it - without) * 1e-6 / CLOCK_US, 1)


def both_nodes(figure):
    return [figure(SENDER), figure(RECEIVER)]


# ---- firmware ------------------------------------------------------------------------------------------------------

def before_and_after(figure):
    clocks = [figure(machine) for machine in BEFORE_AND_AFTER]
    return [*clocks, f"{round(100 * (clocks[1] / clocks[0] - 1), 1)} %"]


@claim("N1", paper=[687, 420, "-38.9 %"], kind="input")
def leaving():
    """clocks from a now message's trap to idle, before and after firmware"""
    return before_and_after(trap_to_idle)


@once
def left_by_future(clocks):
    """Clocks for which the asking node leaves its task, which computes for so many and uses the answer then."""
    _, trace = run_with("trace", "anet", 3, "acceptance.pings", "future", clocks)
    steps = steps_of(trace)[SENDER]
    (worked,) = (s["end"] for s in steps if s["what"] == "work")
    left = [s for s in steps if s["what"] == "leave"]
    if any(abs(s["at"] - worked) > 0.1 for s in left):
        raise Failed(f"the task is left elsewhere than where it uses the answer: {left}")
    return round(sum(s["end"] - s["at"] for s in left), 1)


@claim("N1.future", paper={"not there": 420, "there": 0}, kind="emergent",
       rests_on="a task is left where it must wait, not where it asks",
       removed=Without("anet", '^latency = "4.2 us"', 'latency = "42 ms"'))
def future_trap():
    """a future message's answer is used when it is not there yet; when it is: clocks to leave the task"""
    return {"not there": left_by_future(100), "there": left_by_future(10_000)}


@claim("N2", paper=[2582, 818, "-68.3 %"], kind="input")
def going_on():
    """clocks from an answer's arrival to its task, before and after firmware"""
    return before_and_after(arrival_to_task)


@claim("N3", paper=[65, 65], kind="input")
def past():
    """clocks to send a past message, before and after firmware"""
    found = []
    for machine in BEFORE_AND_AFTER:
        (clocks,) = {round(s["end"] - s["at"], 1) for s in pings(machine)[0][0] if s["what"] == "past"}
        found.append(clocks)
    return found


@claim("N12", paper=[3269, 544.8, 1238], kind="input")
def context_switch():
    """clocks of a context switch (table 2), in microseconds; after firmware"""
    clocks = [round(trap_to_idle(machine) + arrival_to_task(machine), 1) for machine in BEFORE_AND_AFTER]
    return [clocks[0], round(clocks[0] * CLOCK_US, 1), clocks[1]]


# ---- prediction ----------------------------------------------------------------------------------------------------

@claim("N4", paper=[86, 86], kind="input")
def size_predicted():
    """10 pings, size predicted: clocks more, at either node"""
    return both_nodes(lambda pe: more_clocks(pe, "size"))


@claim("N5", paper=[-222, -222], kind="input")
def selector_predicted():
    """10 pings, size and selector predicted: clocks more, at either node"""
    return both_nodes(lambda pe: more_clocks(pe, "selector"))


@claim("N6", paper=2 * [["miss"] + 9 * ["hit"]], kind="emergent", removed=NO_PREDICTION,
       rests_on="an idle PE expects a message like its last one, and nothing is noted before the first")
def outcomes():
    """10 pings: the first prediction fails, nine hit, at either node"""
    names = {"discard": "miss", "compare": "hit"}
    return both_nodes(lambda pe: [names[s["what"]] for s in pings(predicts="selector")[0][pe] if s["what"] in names])


@claim("N7", paper=[[2, 2, 10], [2, 2, 10]], kind="input")
def first_two():
    """a node's messages until its system has started (figure 4); then until its first prediction; those that are noted"""
    def of(pe):
        names = [s["what"] for s in pings(predicts="size")[0][pe]]
        started = [at for at, name in enumerate(names) if name == "sent"][1]  # it answers that it is ready, and this
        predicts = names.index("predict")
        return [names[:started].count("arrived"), names[started:predicts].count("arrived"), names.count("log")]
    return both_nodes(of)


@claim("N8", paper={"reply": [7], "request": [8]}, kind="input",
       differs="the paper says sender 7 and receiver 8 words, not of which direction: 7 is taken for what the sender "
               "gets, since an answer is a word shorter than a question; the words beside the argument are assumed so")
def sizes():
    """words of 5 bytes in the messages that each node of the pings gets"""
    return {kind: sorted({s["bytes"] / 5 for s in pings()[0][pe][-20:] if s["what"] == "arrived" and s["kind"] == kind})
            for pe, kind in ((SENDER, "reply"), (RECEIVER, "request"))}


@claim("N9", paper=[167, 80.7, 10], kind="input", added="8 clocks of a move, as published")
def in_instructions():
    """ns of a clock; clocks done ahead; these in moves"""
    steps, report = pings(predicts="selector")
    (ahead,) = {round(s["end"] - s["at"], 1) for s in steps[SENDER] if s["what"] == "predict"}
    return [round(report["clock_ps"] * 1e-3), ahead, round(ahead / 8)]


@claim("N10", paper=[0.735, -141.3], kind="input")
def only_hits_earn():
    """only hits earn (calculated, not the paper's): hit rate that breaks even; clocks more in 10 pings"""
    count, by_hits = 200, []
    for changes in range(0, count, 20):
        of = {"predicts": "selector", "count": count, "changes": changes, "strict": True}
        hits = pings(**of)[1]["predictions"]["of_pes"][RECEIVER][0] / count
        by_hits.append((hits, more_clocks(RECEIVER, **of)))
    # The first two figures with a gain on one side and a loss on the other.
    (p, gain), (q, loss) = next((a, b) for a, b in zip(by_hits, by_hits[1:]) if a[1] < 0 <= b[1])
    return [round(p + (q - p) * gain / (gain - loss), 3), more_clocks(RECEIVER, "selector", strict=True)]


# ---- the paper's four schemes, in the runtime ----------------------------------------------------------------------

SCHEMES = "last", "frequency", "markov", "markov2", "trace"


def foreseen(program, scheme, pes=3):
    """How many of 100 batches that came to PEs of a simulated cluster with nothing to do these had expected."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "messages"
        if scheme == "trace":
            run("cluster", pes, *program, f"--tsubu-trace-record={trace}")
            how = f"--tsubu-trace-predict={trace}"
        else:
            how = f"--tsubu-predictor={scheme}"
        accounts = accounts_of("cluster", pes, *program, how)
    found = re.search(r"([\d,]+) batches came to idle PEs; [\d,]+ were predicted \([^)]*\), ([\d,]+) rightly", accounts)
    if not found:
        raise Failed(f"{program[0]}: no account of what was foreseen in {accounts!r}")
    idle, hits = (int(number.replace(",", "")) for number in found.groups())
    return round(100 * hits / idle, 1)


@claim("N11", paper="rises with the effort; equal where all messages are alike",
       allowed="last <= Markov of order 2 <= trace, less 2 of 100; of pings all within 5", kind="emergent",
       rests_on="which message follows which two, and which came when in the run before",
       differs="by the runtime's own predictors, on a simulated cluster; frequencies, and a chain of order 1, are shown and "
               "not judged: where messages come in pairs of the same kind, they are worth less than the last message")
def more_effort():
    """of 100 batches for idle PEs, those foreseen by the last message, frequencies, chains of order 1 and 2, a trace"""
    programs = {"pings": ("acceptance.pings", 200, 0),
                "fib": ("fib", 14, "--placement", "paper"),
                "philosophers": ("philosophers", "--philosophers", 6, "--meals", 200),
                "nbody": ("nbody", "--bodies", 400, "--steps", 4),
                "cg": ("cg", "--class", "S", "--exchange", "update")}
    seen = {name: [foreseen(program, scheme) for scheme in SCHEMES] for name, program in programs.items()}
    rises = all(last <= markov2 + 2 and markov2 <= trace + 2 for last, _, _, markov2, trace in seen.values())
    pings_alike = max(seen["pings"]) - min(seen["pings"]) <= 5
    return Shape(seen, rises and pings_alike)


@claim("N15", paper=20, kind="emergent",
       rests_on="nothing is changed for a message before it is there: handlers look, and keep results for themselves",
       differs="sizes, handlers and objects are drawn at random, and each answer compared with a model (tests/programs/predicted.cpp)")
def mispredicted():
    """runs of questions drawn at random whose answers were right, of 4 schemes and 5 seeds, with mispredictions in each"""
    right = 0
    for scheme in ("last", "frequency", "markov", "markov2"):
        for seed in range(1, 6):
            words = "programs", "predicted", "--seed", seed, "--rounds", 60, f"--tsubu-predictor={scheme}"
            accounts = accounts_of("cluster", 3, *words)
            found = re.search(r"([\d,]+) were predicted \([^)]*\), ([\d,]+) rightly", accounts)
            predicted, hits = (int(number.replace(",", "")) for number in found.groups())
            right += 0 < hits < predicted
    return right


@once
def flood(predicts):
    """A PE gets more than it can take. Until it has most: how often it predicted, clocks for the log, all clocks."""
    text, trace = run_with("trace", "anet", 2, "acceptance.pings", "flood", f"--tsubu-predict={predicts}")
    clocks = int(re.search(r"most after (\d+) ns", text)[1]) * 1e-3 / CLOCK_US
    until_then = [s for s in steps_of(trace)[1] if s["at"] < clocks]
    logs = sum(s["end"] - s["at"] for s in until_then if s["what"] == "log")
    return sum(s["what"] == "predict" for s in until_then), logs, clocks


@claim("N13", paper={"predictions": 0, "clocks more": 0}, kind="emergent",
       differs="every message is logged, as section 4.2 says, which is not prediction: those 12 clocks each are taken off",
       rests_on="only an idle PE predicts, and the flooded one never is: receiving takes it longer than sending",
       removed=Without("anet", r'(?s)(\[protocol.past\].*?)"receiver 154 clocks", "receiver 154 clocks", "receiver 155 clocks"',
                       r'\1"receiver 1 clock"'))
def saturated():
    """a PE that is never idle: predictions, and clocks more than without for 180 messages, beside those of the log"""
    predictions, logs, clocks = flood("selector")
    return {"predictions": predictions, "clocks more": round(clocks - logs - flood("none")[2], 1)}
