/** The needs of laws that hold of real numbers. */
export const LAW = ['nsz', 'nnan', 'ninf', 'reassoc'] as const;

/** Those of laws that compute, on the way, a value which the program did not: it may overflow. */
export const DETOUR = [...LAW, 'range'] as const;
