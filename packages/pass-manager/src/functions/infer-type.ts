/**
 * InferType: finds the type of every expression.
 * [types](https://batonjs.github.io/baton/spec/types).
 */
import { inferTypes } from '@baton/ir';
import { type Pass, pass } from '../pass.ts';

/** Annotates every function with its types. Inference is incremental: what is known costs nothing. */
export const inferType: Pass = pass({
  name: 'InferType',
  doc: 'Infers the type of every expression.',
  level: 0,
  isIdempotent: true,
  run: (m, { budget }) => inferTypes(m, { limits: budget.inference }),
});
