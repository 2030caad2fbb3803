/** Small functional programs for the interpreter, with the number of rounds for their arguments. */
import { type IRModule, importStd, irModule, orThrow, parseModule, standardOps } from 'batonjs';

/** A program to time. */
export interface Subject {
  readonly name: string;
  readonly entry: string;
  readonly argument: number | bigint;
  /** The name of a round, and the rounds per argument. */
  readonly unit: string;
  readonly rounds: number;
  /** The promised rounds per second. */
  readonly promised?: number;
}

const TEXT = `#[version = "0.0.5"]
def @loop(%n: int32) -> int32 { if (%n == 0) { 0 } else { @loop(%n - 1) } }

def @loop64(%n: int64) -> int64 { if (%n == 0) { 0 } else { @loop64(%n - 1) } }

def @loop_float(%n: float32) -> float32 {
  if (%n == 0.0) { 0.0 } else { @loop_float(%n - 1.0) }
}

def @loop_closure(%n: int32) -> int32 {
  let %go = fn (%k: int32) -> int32 { if (%k == 0) { 0 } else { %go(%k - 1) } };
  %go(%n)
}

def @loop_cell(%n: int32) -> int32 {
  let %sum = ref(0);
  let %go = fn (%k: int32) -> int32 {
    if (%k == 0) { ref_read(%sum) } else {
      ref_write(%sum, ref_read(%sum) + %k);
      %go(%k - 1)
    }
  };
  %go(%n)
}

def @deep(%n: int32) -> int32 { if (%n == 0) { 0 } else { 1 + @deep(%n - 1) } }

def @fib(%n: int32) -> int32 { if (%n < 2) { %n } else { @fib(%n - 1) + @fib(%n - 2) } }

def @upto(%n: int32, %acc: List[int32]) -> List[int32] {
  if (%n == 0) { %acc } else { @upto(%n - 1, Cons(%n, %acc)) }
}

def @lists(%n: int32) -> int32 {
  @foldl(add, 0, @map(fn (%x: int32) { %x * 2 }, @upto(%n, Nil)))
}
`;

/** The module of all programs. */
export function programs(): IRModule {
  const prelude = orThrow(importStd(irModule({ ops: standardOps }), 'prelude.rly'));
  return orThrow(parseModule(TEXT, { context: prelude }));
}

const MILLION = 1_000_000;
const FIB = 25;
const FIB_CALLS = 242_785;
const LIST = 100_000;

/** The programs by name. */
export const subjects: ReadonlyArray<Subject> = [
  {
    name: 'loop of int32',
    entry: 'loop',
    argument: MILLION,
    unit: 'iterations',
    rounds: MILLION,
    promised: MILLION,
  },
  {
    name: 'loop of int64',
    entry: 'loop64',
    argument: BigInt(MILLION),
    unit: 'iterations',
    rounds: MILLION,
  },
  {
    name: 'loop of float32',
    entry: 'loop_float',
    argument: MILLION,
    unit: 'iterations',
    rounds: MILLION,
  },
  {
    name: 'loop in a closure',
    entry: 'loop_closure',
    argument: MILLION,
    unit: 'iterations',
    rounds: MILLION,
  },
  {
    name: 'loop with a reference',
    entry: 'loop_cell',
    argument: MILLION,
    unit: 'iterations',
    rounds: MILLION,
  },
  { name: 'deep recursion', entry: 'deep', argument: LIST, unit: 'calls', rounds: LIST },
  { name: 'Fibonacci', entry: 'fib', argument: FIB, unit: 'calls', rounds: FIB_CALLS },
  { name: 'build, map, fold a list', entry: 'lists', argument: LIST, unit: 'cells', rounds: LIST },
];
