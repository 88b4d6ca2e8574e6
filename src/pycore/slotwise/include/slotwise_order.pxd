# cython: language_level=3
"""Declarations of slotwise_order.h, which states the contract."""

from libc.stdint cimport int64_t, uint32_t


cdef extern from "slotwise_order.h" nogil:
    const uint32_t SLOTWISE_ORDER_VERSION
    const char *SLOTWISE_ORDER_CAPSULE
    const uint32_t SLOTWISE_ORDER_STATIC

    ctypedef int (*slotwise_score_function)(
        int64_t n, int64_t now, const double *const *columns, double *keys, void *data
    ) noexcept nogil

    ctypedef struct slotwise_order:
        uint32_t version
        uint32_t flags
        int64_t n_columns
        const char *const *columns
        slotwise_score_function score
        void *data
