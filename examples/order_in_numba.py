"""An order written in Python and compiled by numba, without a C compiler or a build step."""

from numba import cfunc, types

import slotwise as sw

doubles = types.CPointer(types.float64)
signature = types.intc(
    types.int64, types.int64, types.CPointer(doubles), doubles, types.voidptr
)  # the type slotwise_score_function in slotwise_order.h


@cfunc(signature)
def expansion(n, now, columns, keys, data):
    """Set each key to (wait + requested_time) / requested_time."""
    for i in range(n):
        keys[i] = (columns[0][i] + columns[1][i]) / columns[1][i]
    return 0


trace = sw.generate("lublin", n_jobs=2000, processors=256, load=0.7, seed=1)
compiled = sw.CompiledOrder(expansion, columns=("wait", "requested_time"))
written = {"name": "expression", "key": "(wait + requested_time) / requested_time"}
for name, order in (("numba", compiled), ("expression", written), ("fcfs", "fcfs")):
    wait = sw.simulate(trace, sw.Site(policy=sw.Policy(order=order))).metrics()["mean_wait"]
    print(f"{name:10} mean wait {wait:8.1f} s")
