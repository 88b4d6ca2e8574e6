# cython: language_level=3
"""An order in Cython: the largest (wait + requested_time) / requested_time comes first."""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int64_t
from slotwise_order cimport SLOTWISE_ORDER_CAPSULE, SLOTWISE_ORDER_VERSION, slotwise_order

cdef const char *names[2]
names[0] = "wait"
names[1] = "requested_time"


cdef int score(
    int64_t n, int64_t now, const double *const *columns, double *keys, void *data
) noexcept nogil:
    cdef int64_t i
    for i in range(n):
        keys[i] = (columns[0][i] + columns[1][i]) / columns[1][i]
    return 0


cdef slotwise_order order
order.version = SLOTWISE_ORDER_VERSION
order.flags = 0
order.n_columns = 2
order.columns = names
order.score = score
order.data = NULL

capsule = PyCapsule_New(&order, SLOTWISE_ORDER_CAPSULE, NULL)
