/** The public names of `@baton/proofs`. */
export {
  makeProver,
  type Prover,
  type ProverOptions,
  STATES,
  type State,
  type Verdict,
} from './prove.ts';
export { RANGE_STATES, type RangeState } from './range.ts';
export type { Found, Session, Solver } from './solver.ts';
