# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""The loop that draws requested times as people state them, through NumPy's random C API."""

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.math cimport floor
from libc.stdint cimport int32_t, int64_t, uint8_t
from numpy.random cimport bitgen_t
from numpy.random.c_distributions cimport random_standard_uniform


cdef Py_ssize_t first_not_below(const int64_t[::1] values, int64_t bound) noexcept nogil:
    cdef Py_ssize_t low = 0, high = values.shape[0], middle
    while low < high:
        middle = (low + high) // 2
        if values[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


cdef int64_t draw_value(bitgen_t* draw, const int64_t[::1] values, const double[::1] below,
                        int64_t bound) noexcept nogil:
    # One of the values not below `bound`, by weight; there is one. below[k]: weight before value k.
    cdef Py_ssize_t low = first_not_below(values, bound), high = values.shape[0], middle
    cdef double point = below[low] + random_standard_uniform(draw) * (below[high] - below[low])
    while high - low > 1:
        middle = (low + high) // 2
        if below[middle] <= point:
            low = middle
        else:
            high = middle
    return values[low]


cdef int64_t draw_odd(bitgen_t* draw, int64_t run_time, int64_t limit) noexcept nogil:
    # A multiple of 1, 5, 30 or 60 minutes, from the run time up to three times it.
    cdef double wanted = run_time * (1 + 2 * random_standard_uniform(draw))
    cdef int64_t grain = 60
    if wanted > 6 * 3600:
        grain = 3600
    elif wanted > 3 * 3600:
        grain = 1800
    elif wanted > 600:
        grain = 300
    return min(<int64_t> (floor(wanted / grain) + 1) * grain, limit)


def draw_requests(object bit_generator, const int64_t[::1] run_time, const int32_t[::1] user,
                  const uint8_t[::1] opens, const int64_t[::1] values, const double[::1] below,
                  const int64_t[::1] limits, const double[::1] limits_below,
                  const int64_t[::1] favourite, const double[::1] asks_limit,
                  double killed, double habit, double odd, int64_t[::1] requested_time):
    """Fill the requested time of each job.

    Parameters
    ----------
    bit_generator : numpy.random.BitGenerator
    run_time : (n_jobs,) int64, seconds
    user : (n_jobs,) int32
        From 1.
    opens : (n_jobs,) uint8
        1 where a job opens a session; the others repeat its request where it is long enough.
    values, limits : (n,) int64, seconds, increasing
        Round values, and the limits of the queues; both end with the longest limit.
    below, limits_below : (n + 1,) float64
        Running sums of their weights, from 0.
    favourite : (n_users + 1,) int64, seconds
        The value each user falls back on.
    asks_limit : (n_users + 1,) float64
        Probability with which each user requests a queue's limit.
    killed, habit, odd : float
        Probabilities: of a request below the run time, of the user's favourite, of no round value.
    requested_time : (n_jobs,) int64, seconds, out
    """
    cdef bitgen_t* draw = <bitgen_t*> PyCapsule_GetPointer(bit_generator.capsule, "BitGenerator")
    cdef Py_ssize_t i, n = run_time.shape[0]
    cdef int64_t run, request, session = 0, limit = limits[limits.shape[0] - 1]
    cdef double way
    with bit_generator.lock, nogil:
        for i in range(n):
            run = run_time[i]
            if opens[i]:
                session = 0
            if run > limit:
                requested_time[i] = limit
                continue
            if run > values[0] and random_standard_uniform(draw) < killed:
                requested_time[i] = values[first_not_below(values, run) - 1]
                continue
            if session >= run:
                requested_time[i] = session
                continue
            way = random_standard_uniform(draw)
            if way < asks_limit[user[i]]:
                request = draw_value(draw, limits, limits_below, run)
            else:
                way = random_standard_uniform(draw)
                if way < odd:
                    request = draw_odd(draw, run, limit)
                elif way < odd + habit and favourite[user[i]] >= run:
                    request = favourite[user[i]]
                else:
                    request = draw_value(draw, values, below, run)
            requested_time[i] = session = request
