"""Figures of the thesis: M. D. Vanderlan, University of Tennessee, 2011."""

from __future__ import annotations

# Table 1. The columns are: job, minutes requested, cores, minutes waited, score.
TABLE_1 = (
    (3, 3, 9, 0, 109.0),
    (4, 6, 3, 0, 103.0),
    (5, 5, 3, 0, 103.0),
    (6, 4, 7, 0, 107.0),
    (7, 1, 8, 0, 108.0),
    (4, 6, 3, 8, 276.3333333),
    (5, 5, 3, 8, 303.0),
)

# Figure 8. For each job, the minute at which its box begins. Eight cores are free from minute 3
# onwards.
FIGURE_8 = {7: 3, 6: 4, 3: 8, 5: 11, 4: 11}
FIGURE_8_BUSY = 8  # minutes until the other cores are free

# Table 2. The columns are: simulation run, utilisation in percent, C, Q, X. Run 0 uses the current
# formula.
TABLE_2 = (
    (0, 87.66, 1, 5, 100),
    (75, 87.752, 0, 7, 120),
    (109, 87.752, 0, 6, 100),
    (134, 87.752, 0, 3, 50),
    (135, 87.752, 0, 9, 150),
    (159, 87.7449, 5, 9, 150),
    (61, 87.7402, 3, 7, 120),
    (78, 87.74, 4, 7, 130),
    (136, 87.7356, 4, 3, 50),
    (151, 87.7352, 5, 8, 130),
    (137, 87.7352, 4, 4, 70),
)

# Gain from the best weights: utilisation in percentage points, and core hours and jobs per week.
# The thesis says "almost 15" jobs.
GAIN = 0.092
GAIN_CORE_HOURS = 16_000.0
GAIN_JOBS = 15.0

# Number of jobs, and mean number of jobs in the system, in the week of October 13 to 20, 2010.
JOBS_A_WEEK = 8_100.0
JOBS_IN_SYSTEM = 229.0
JOBS_OF_TWO_WEEKS = 18_315.0
# Mean core hours per job, which the thesis calls "node hours".
JOB_CORE_HOURS = 1_100.0
