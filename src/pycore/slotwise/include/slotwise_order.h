/* Contract for a compiled function that orders the queue of a replay.
 *
 * The function fills one key per waiting job; the highest key goes first. It may be called with any
 * part of the queue, at any time, from any thread without the GIL. A key must therefore depend only
 * on its own job and on `now`.
 *
 * Example: largest wait per requested time first.
 *
 *     static int score(int64_t n, int64_t now, const double *const *columns, double *keys, void *data) {
 *         const double *wait = columns[0], *request = columns[1];
 *         for (int64_t i = 0; i < n; ++i) keys[i] = wait[i] / request[i];
 *         return 0;
 *     }
 *     static const char *const names[] = {"wait", "requested_time"};
 *     static slotwise_order order = {SLOTWISE_ORDER_VERSION, 0, 2, names, score, NULL};
 *     PyObject *capsule = PyCapsule_New(&order, SLOTWISE_ORDER_CAPSULE, NULL);
 *
 * and in Python Policy(order=slotwise.CompiledOrder(capsule)).
 */
#ifndef SLOTWISE_ORDER_H
#define SLOTWISE_ORDER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Structures of other versions are refused. */
#define SLOTWISE_ORDER_VERSION 1
#define SLOTWISE_ORDER_CAPSULE "slotwise.order.v1"

/* Flags. */
#define SLOTWISE_ORDER_STATIC 1u /* keys never change: they read neither `now` nor wait */

/* columns[c][i] is the value of the c-th requested column for job i. Times are seconds on the
 * trace's clock. Returns 0; any other number ends the replay with an error that names it. */
typedef int (*slotwise_score_function)(int64_t n, int64_t now, const double *const *columns,
                                       double *keys, void *data);

typedef struct slotwise_order {
    uint32_t version; /* SLOTWISE_ORDER_VERSION */
    uint32_t flags;
    int64_t n_columns;
    const char *const *columns; /* column names, as in docs/concepts/orders.md */
    slotwise_score_function score;
    void *data; /* passed to every call; must outlive every replay, as the structure must */
} slotwise_order;

#ifdef __cplusplus
}
#endif

#endif
