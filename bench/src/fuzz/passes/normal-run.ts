/** The size of the normal run, and its seed. */

/** Programs of each group, and so of each pass. */
export const NORMAL_PROGRAMS = 1_000;

/** The committed seed. */
export const NORMAL_SEED = 20260801;
