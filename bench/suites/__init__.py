"""The questions that are asked: a suite is a function that yields rows, for a build that has the programs."""
from suites.abcl import abcl_rows
from suites.collectives import collective_rows
from suites.containers import container_rows
from suites.core import core_rows
from suites.data import data_rows
from suites.eulash import eulash_rows
from suites.grain import grain_rows
from suites.mpc import mpc_rows
from suites.objects import object_rows
from suites.plans import plan_rows
from suites.prediction import prediction_rows
from suites.python import python_rows
from suites.sharing import sharing_rows
from suites.simulator import simulator_rows
from suites.users import user_rows

SUITES = {"core": core_rows, "grain": grain_rows, "objects": object_rows, "data": data_rows, "plans": plan_rows,
          "simulator": simulator_rows, "users": user_rows, "abcl": abcl_rows, "mpc": mpc_rows,
          "prediction": prediction_rows, "collectives": collective_rows, "containers": container_rows, "eulash": eulash_rows,
          "sharing": sharing_rows, "python": python_rows}
