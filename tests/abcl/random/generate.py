"""Random programs in ABCL/ST that are well typed, end, and say the same on any number of PEs.

A program holds many cases (cases.py), each made from a seed of its own and independent of the others; Main runs one after the other. So
a case that disagrees is seen by itself with `program([seed])`. At last Main may do what ends the job: a fault, made from the first seed.
"""
import random

from cases import FAULT, FAULTS, Case


def program(seeds, fault=None):
    """The text of a program of the cases of these seeds; `fault`: the number of what ends it, of FAULTS, or None."""
    cases = [Case(seed) for seed in seeds]
    lines = [f'(print "case {seed}" words) [(new {case.name} :on 0) <== [:go]]' for seed, case in zip(seeds, cases)]
    lines.append("(exit 0)" if fault is None else f"{FAULTS[fault]}\n  (exit 0)")
    parts = ['(use "shared.abcl")', *[case.text for case in cases], FAULT,
             "[class Main (obj []) ((Int number) (Float real) ((array Str) rest))\n  (state (Str words := (str number real (length rest))))\n  "
             + "\n  ".join(lines) + "]"]
    return "\n".join(parts) + "\n"


def fault_of(seed):
    """Every other program, by chance, ends with a fault: which one follows from its first seed."""
    return seed // 2 % len(FAULTS) if random.Random(seed).random() < 0.5 else None
