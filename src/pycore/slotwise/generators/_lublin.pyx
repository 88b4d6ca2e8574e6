# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: freethreading_compatible=True
"""The sampling loops of Lublin and Feitelson's model, with NumPy's random C API.

Each function fills columns that its caller owns. Each ``draw`` function has its own bit generator,
so that a change to one aspect of a workload does not affect the random numbers of the others. The
loops release the GIL, because they access only these columns and the generator, which is locked.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.math cimport exp, exp2, floor, log
from libc.stdint cimport int32_t, int64_t, uint8_t
from numpy.random cimport bitgen_t
from numpy.random.c_distributions cimport random_standard_gamma, random_standard_uniform


cdef bitgen_t* state_of(object bit_generator) except NULL:
    return <bitgen_t*> PyCapsule_GetPointer(bit_generator.capsule, "BitGenerator")


cdef double bounded_gamma(bitgen_t* draw, double shape, double scale, double most) noexcept nogil:
    # As in the model, a value above `most` is drawn again instead of being set to `most`.
    cdef double value
    while True:
        value = scale * random_standard_gamma(draw, shape)
        if value <= most:
            return value


cdef int32_t log_uniform(bitgen_t* draw, double log_count) noexcept nogil:
    # Draws k with 1 <= k < exp(log_count); its probability is proportional to log((k + 1) / k).
    # Except for small k, this is Zipf's law.
    return <int32_t> exp(random_standard_uniform(draw) * log_count)


def draw_sessions(object bit_generator, double continues, int32_t users, int32_t programs,
                  uint8_t[::1] opens, int32_t[::1] user, int32_t[::1] executable):
    """Fill the user and the program of each job.

    All jobs of a session have the same user and program. When a session opens, `log_uniform` draws
    both, so low numbers are the most frequent.

    Parameters
    ----------
    bit_generator : numpy.random.BitGenerator
    continues : float
        Probability that a job continues the session of the job before it.
    users, programs : int
        Number of users, and of programs per user.
    opens : (n_jobs,) uint8, out
        1 for a job that opens a session.
    user, executable : (n_jobs,) int32, out
        From 1.
    """
    cdef bitgen_t* draw = state_of(bit_generator)
    cdef Py_ssize_t i, n = opens.shape[0]
    # The sum is slightly less than users + 1, so that rounding never makes a drawn user exceed
    # `users`. The same applies to programs.
    cdef double log_users = log(users + 0.999999), log_programs = log(programs + 0.999999)
    with bit_generator.lock, nogil:
        for i in range(n):
            if i > 0 and random_standard_uniform(draw) < continues:
                opens[i] = 0
                user[i] = user[i - 1]
                executable[i] = executable[i - 1]
            else:
                opens[i] = 1
                user[i] = log_uniform(draw, log_users)
                executable[i] = (user[i] - 1) * programs + log_uniform(draw, log_programs)


def draw_sizes(object bit_generator, const uint8_t[::1] opens, double serial, double power_of_two,
               double low, double medium, double high, double small, int64_t[::1] processors):
    """Fill the number of processors of each job; it is the same for all jobs of a session.

    Parameters
    ----------
    bit_generator : numpy.random.BitGenerator
    opens : (n_jobs,) uint8
        1 for a job that opens a session.
    serial, power_of_two, small : float
        Probabilities of one processor, of a size rounded to a power of two, and of the lower stage.
    low, medium, high : float
        Bounds of the two stages in log2 of processors: from low to medium, and from medium to high.
    processors : (n_jobs,) int64, out
        From 1 to 2**high, rounded down.
    """
    cdef bitgen_t* draw = state_of(bit_generator)
    cdef Py_ssize_t i, n = opens.shape[0]
    cdef double kind, size, most = floor(exp2(high) + 1e-6), widest = floor(high + 1e-9)
    with bit_generator.lock, nogil:
        for i in range(n):
            if not opens[i]:
                processors[i] = processors[i - 1]
                continue
            kind = random_standard_uniform(draw)
            if kind < serial:
                processors[i] = 1
                continue
            if random_standard_uniform(draw) < small:
                size = low + (medium - low) * random_standard_uniform(draw)
            else:
                size = medium + (high - medium) * random_standard_uniform(draw)
            if kind < serial + power_of_two:
                size = min(floor(size + 0.5), widest)
            processors[i] = <int64_t> min(floor(exp2(size) + 0.5), most)


def draw_run_times(object bit_generator, const uint8_t[::1] opens, const int64_t[::1] processors,
                   double shape1, double scale1, double shape2, double scale2,
                   double slope, double intercept, double longest, double[::1] run_time):
    """Fill run times: the logarithm of each has one of two gamma distributions.

    It has the first one with probability slope · processors + intercept, bounded to [0, 1]. All
    jobs of a session use the same distribution.

    Parameters
    ----------
    bit_generator : numpy.random.BitGenerator
    opens : (n_jobs,) uint8
        1 for a job that opens a session.
    processors : (n_jobs,) int64
    shape1, scale1, shape2, scale2 : float
        Parameters of the gamma distributions of log seconds.
    slope, intercept : float
    longest : float, log seconds
        Longer run times are drawn again.
    run_time : (n_jobs,) float64, seconds, out
    """
    cdef bitgen_t* draw = state_of(bit_generator)
    cdef Py_ssize_t i, n = opens.shape[0]
    cdef bint first = True
    with bit_generator.lock, nogil:
        for i in range(n):
            if opens[i]:
                first = random_standard_uniform(draw) < slope * processors[i] + intercept
            if first:
                run_time[i] = exp(bounded_gamma(draw, shape1, scale1, longest))
            else:
                run_time[i] = exp(bounded_gamma(draw, shape2, scale2, longest))


def draw_arrivals(object bit_generator, double shape, double scale, double longest,
                  int64_t[::1] ticks):
    """Fill the working time (see ``cycle.py``) of each arrival: the sum of the gaps before it.

    The logarithm of each gap has a gamma distribution.

    Parameters
    ----------
    bit_generator : numpy.random.BitGenerator
    shape, scale : float
        Parameters of the gamma distribution of log seconds.
    longest : float, log seconds
        Longer gaps are drawn again.
    ticks : (n_jobs,) int64, 1/1024 s of working time, out
        Starting with 0. These are whole numbers, so that their sums are exact.
    """
    cdef bitgen_t* draw = state_of(bit_generator)
    cdef Py_ssize_t i, n = ticks.shape[0]
    cdef int64_t total = 0
    with bit_generator.lock, nogil:
        for i in range(n):
            if i > 0:
                total += <int64_t> (exp(bounded_gamma(draw, shape, scale, longest)) * 1024 + 0.5)
            ticks[i] = total


def follow_cycle(int64_t[::1] ticks, double stretch, const double[::1] passed, double bucket,
                 double offset, double passed_offset):
    """Convert the working time of each arrival to seconds from the start, in place.

    Working time passes faster in busy hours.

    Parameters
    ----------
    ticks : (n_jobs,) int64, 1/1024 s of working time in, seconds out
    stretch : float
        Factor by which working time is multiplied first.
    passed : (n_buckets + 1,) float64, seconds
        Working time from the start of a cycle to each boundary between buckets; strictly
        increasing, starting with 0.
    bucket : float, seconds
        Length of a bucket.
    offset, passed_offset : float, seconds
        Position of the workload's start in the cycle, and the working time up to this position.
    """
    cdef Py_ssize_t i, low, high, middle, n = ticks.shape[0], buckets = passed.shape[0] - 1
    cdef double work, cycles, whole = passed[buckets]
    with nogil:
        for i in range(n):
            work = stretch * ticks[i] / 1024 + passed_offset
            cycles = floor(work / whole)
            work -= cycles * whole
            low, high = 0, buckets
            while high - low > 1:
                middle = (low + high) // 2
                if passed[middle] <= work:
                    low = middle
                else:
                    high = middle
            work = low + (work - passed[low]) / (passed[low + 1] - passed[low])
            ticks[i] = <int64_t> floor((cycles * buckets + work) * bucket - offset + 0.5)
