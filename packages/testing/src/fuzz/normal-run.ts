/** The seed of the normal run, which is committed. */
export const NORMAL_SEED = 20260801;
