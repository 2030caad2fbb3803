/** The emitter: modules, functions and instructions of WebAssembly as typed values. */
export {
  call,
  type FunctionBuilder,
  type FunctionRef,
  type Label,
  type Local,
} from './function.ts';
export * from './instructions.ts';
export {
  type BuiltFunction,
  type Global,
  MATH,
  type MemoryType,
  type ModuleBuilder,
  makeModule,
  type Part,
} from './module.ts';
export type { Operand, ResultType, Statement, Value, ValueType } from './value.ts';
