/* An outside scheduler in C: first come, first served, over JSON lines.
 *
 * Build: cc -O2 -o outside_scheduler outside_scheduler.c
 * Run:   python outside_scheduler.py, which runs the scheduler at the other end of a pipe.
 *
 * Each input line is one pass: {"now":7,"free":3,"arrived":[[12,7,4,3600,1]],"ended":[9]}. The
 * answer is one line that names the jobs to start: {"start":[12]}. A line with "slotwise" begins a
 * replay and needs no answer. All values are numbers, so the parser finds keys and reads digits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    long id, processors;
};

static struct job *queue;
static size_t head, tail, capacity;

static void push(struct job job) {
    if (tail == capacity) {
        capacity = capacity ? 2 * capacity : 1024;
        queue = realloc(queue, capacity * sizeof *queue);
        if (queue == NULL)
            exit(1);
    }
    queue[tail++] = job;
}

/* Adds the jobs in [[id, submit, processors, requested_time, user], ...]. */
static void read_arrived(const char *at) {
    long value[5];
    for (++at; *at != ']';) {
        char *end = (char *)at + strcspn(at, "[") + 1;
        for (int field = 0; field < 5; ++field) {
            value[field] = strtol(end, &end, 10);
            end += strcspn(end, ",]") + (field < 4);
        }
        push((struct job){value[0], value[2]});
        at = end + 1;
        at += strspn(at, ", ");
    }
}

/* Removes the jobs in [id, ...], which are no longer waiting. */
static void read_withdrawn(const char *at) {
    for (++at; *at != ']' && *at != '\0';) {
        char *end;
        const long id = strtol(at, &end, 10);
        size_t kept = head;
        for (size_t i = head; i < tail; ++i)
            if (queue[i].id != id)
                queue[kept++] = queue[i];
        tail = kept;
        at = end + strspn(end, ", ");
    }
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        if (strstr(line, "\"slotwise\"") != NULL) {
            head = tail = 0;
            continue;
        }
        const char *found = strstr(line, "\"free\":");
        if (found == NULL)
            return 2;
        long free_now = strtol(found + 7, NULL, 10);
        if ((found = strstr(line, "\"withdrawn\":")) != NULL)
            read_withdrawn(found + 12);
        if ((found = strstr(line, "\"arrived\":")) != NULL)
            read_arrived(found + 10);
        const char *comma = "";
        fputs("{\"start\":[", stdout);
        for (; head < tail && queue[head].processors <= free_now; ++head) {
            printf("%s%ld", comma, queue[head].id);
            free_now -= queue[head].processors;
            comma = ",";
        }
        fputs("]}\n", stdout);
        fflush(stdout);
        if (head == tail)
            head = tail = 0;
    }
    return 0;
}
