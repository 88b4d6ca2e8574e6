# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""The loop that samples requested times as people choose them, with NumPy's random C API."""

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
    # Draws one of the values that are at least `bound`, with a probability proportional to its
    # weight. There must be such a value. below[k] is the total weight of the values before value k.
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
    # Draws a time between one and three times the run time, and rounds it up to a multiple of 1, 5,
    # 30 or 60 minutes. Longer times get coarser multiples. The result is at most `limit`.
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
    """Fill the requested time of each job; `request` in ``estimates.py`` lists the rules.

    Parameters
    ----------
    bit_generator : numpy.random.BitGenerator
    run_time : (n_jobs,) int64, seconds
    user : (n_jobs,) int32
        From 1.
    opens : (n_jobs,) uint8
        1 for a job that opens a session. Later jobs of the session repeat its request if it is at
        least their run time.
    values, limits : (n,) int64, seconds, increasing
        Round values, and the limits of the queues; both end with the longest limit.
    below, limits_below : (n + 1,) float64
        Cumulative sums of the weights of `values` and of `limits`, starting with 0.
    favourite : (n_users + 1,) int64, seconds
        The round value that each user prefers, by user number.
    asks_limit : (n_users + 1,) float64
        Probability that a user requests the limit of a queue, by user number.
    killed, habit, odd : float
        Probabilities of a request below the run time, of the user's favourite value, and of a value
        that is not round.
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
