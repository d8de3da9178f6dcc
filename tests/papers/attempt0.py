"""EULASH (Yamamoto, Hattori, Tokuyoshi, Yamato, Amano, about 1994): ATTEMPT-0, boards on a bus with a shared memory."""
from harness import Without, claim, edited, once, run

# The paper prints ten times what its other figures suggest.
MISS_OF_A_TENTH = Without("attempt0", r'^shared_miss = ".*"$', 'shared_miss = "1820 ns"')


@once
def accesses(a_tenth=False):
    """Nanoseconds of each access: by one PE alone; by the slowest of 8 at a time."""
    text = run(edited(MISS_OF_A_TENTH) if a_tenth else "attempt0", 8, "acceptance.memory")
    words = [line.split() for line in text.splitlines() if line.startswith("ACCESS ")]
    return {name: {"alone": float(alone), "together": float(together)} for _, name, alone, together in words}


def alone(*names, a_tenth=False):
    return {name: accesses(a_tenth)[name]["alone"] for name in names}


SYNCHRONIZER = "read_synchronizer", "write_synchronizer", "fetch_and_dec", "fetch_and_dec_of_zero"


@claim("U1", paper=dict(zip(SYNCHRONIZER, (200, 650, 750, 200))), kind="input",
       differs="of a zero no time is published; it is taken for that of a read, since neither uses the bus")
def synchronizer():
    """synchronizer: ns of each operation"""
    return alone(*SYNCHRONIZER)


@claim("U1.bus", paper=dict(zip(SYNCHRONIZER, (False, True, True, False))), kind="emergent",
       rests_on="the bus serves one at a time", removed=Without("attempt0", r'^bus = \{packet = "450 ns"\}', ""))
def waits_for_bus():
    """synchronizer: whether 8 PEs at a time wait for the bus"""
    return {name: accesses()[name]["together"] > accesses()[name]["alone"] for name in SYNCHRONIZER}


MEMORY = "local", "shared_miss", "shared_hit", "shared_write"


@claim("U2", paper=dict(zip(MEMORY, (250, 18200, 150, 750))), kind="input")
def memory():
    """memory, ns: a PE's own; a line of shared memory that is missed; a hit; a write"""
    return alone(*MEMORY)


@claim("U2.tenth", paper=dict(zip(MEMORY, (250, 1820, 150, 750))), kind="input")
def memory_with_a_tenth():
    """memory, ns: the same with a miss of 1820, for the 18200 may be a misprint"""
    return alone(*MEMORY, a_tenth=True)
