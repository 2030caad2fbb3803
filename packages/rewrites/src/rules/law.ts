/** The needs of laws that hold of real numbers. */
export const LAW = ['nsz', 'nnan', 'ninf', 'reassoc'] as const;
