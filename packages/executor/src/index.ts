export { type Arguments, type EvaluateOptions, evaluate } from './evaluate.ts';
export type { HostValue } from './host.ts';
export { type Closure, type TupleValue, tupleValue, type Value } from './value.ts';
