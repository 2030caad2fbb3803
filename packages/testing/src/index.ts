/** Generators of well-typed programs. */
export {};
