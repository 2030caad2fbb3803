/** The builder of one function: locals, statements and structured control. */
import { invariant, remember } from '@baton/base';
import { i32 } from './instructions.ts';
import {
  type Code,
  constantKey,
  expected,
  flatten,
  type Operand,
  operandCode,
  operandCodes,
  type ResultType,
  type Statement,
  TYPE_BYTES,
  unsigned,
  type Value,
  type ValueType,
  vector,
} from './value.ts';

/** A variable of a function. As a value it is what the variable holds when the code runs. */
export interface Local<T extends ValueType = ValueType> extends Value<T> {
  readonly index: number;
}

/** The place that a branch leads to: the end of a block, or the start of a loop. */
export interface Label {
  readonly depth: number;
}

/** A function of a module: its place among the functions, and its signature. */
export interface FunctionRef<
  P extends ReadonlyArray<ValueType> = ReadonlyArray<ValueType>,
  R extends ResultType = ResultType,
> {
  readonly index: number;
  readonly params: P;
  readonly result: R;
}

/** The locals of parameters, one for each. */
export type Params<P extends ReadonlyArray<ValueType>> = { [I in keyof P]: Local<P[I]> };

/** Writes the body of a function, statement by statement, in the order of the calls. */
export interface FunctionBuilder {
  /** Whether a product and the sum that it goes into may be rounded once: relaxed SIMD. */
  readonly isFused: boolean;
  /** A function of `Math` that the module imports. */
  readonly mathOf: (name: string) => FunctionRef<readonly ['f64'], 'f64'>;
  /** A new variable, zero at first. */
  readonly local: <T extends ValueType>(type: T) => Local<T>;
  /** A new variable that holds a value from here on. */
  readonly let: <T extends ValueType>(value: Value<T>) => Local<T>;
  /** Assigns to a variable. */
  readonly set: <T extends ValueType>(local: Local<T>, value: Operand<T>) => void;
  /** Adds to a variable of type `i32`. */
  readonly increase: (local: Local<'i32'>, by: Operand<'i32'>) => void;
  /** Writes a statement: a store, a call without result. */
  readonly do: (statement: Statement) => void;
  /** Statements that a branch to the label leaves. */
  readonly block: (body: (end: Label) => void) => void;
  /** Statements that a branch to the label starts again; without one, they run once. */
  readonly loop: (body: (again: Label) => void) => void;
  readonly if: (condition: Operand<'i32'>, then: () => void, otherwise?: () => void) => void;
  /**
   * Runs a body with a counter that begins at `from` and grows by `step` while it is below `to`.
   * `to` is computed before each turn, as a comparison of integers with sign.
   */
  readonly for: (
    from: Operand<'i32'>,
    to: Operand<'i32'>,
    step: Operand<'i32'>,
    body: (counter: Local<'i32'>) => void,
  ) => void;
  /** Runs a body a number of times, at least once: nothing is compared before the first turn. */
  readonly repeat: (times: Operand<'i32'>, body: () => void) => void;
  readonly branch: (label: Label) => void;
  readonly branchIf: (label: Label, condition: Operand<'i32'>) => void;
  /** Leaves the function. A function with a result gives it here or as its last value. */
  readonly return: (value?: Value) => void;
}

/** Calls a function. */
export function call<P extends ReadonlyArray<ValueType>, R extends ResultType>(
  ref: FunctionRef<P, R>,
  ...args: { [I in keyof P]: Operand<P[I]> }
): Value<R> {
  return { type: ref.result, code: [operandCodes(ref.params, args), 0x10, unsigned(ref.index)] };
}

/**
 * The body of a function, with its locals.
 *
 * **Errors** Throws if the body gives a value of another type than `result`.
 */
export function functionBody<P extends ReadonlyArray<ValueType>, R extends ResultType>(
  params: P,
  result: R,
  body: (f: FunctionBuilder, ...params: Params<P>) => Value<R> | undefined,
  shared: Pick<FunctionBuilder, 'isFused' | 'mathOf'>,
): Code {
  const { builder, code, locals } = makeBuilder(params.length, result, shared);
  const args = params.map((type, index) => localOf(type, index)) as unknown as Params<P>;
  const last = body(builder, ...args);
  const given = last?.type ?? 'none';
  expected('result', result, given);
  return [vector(runsOf(locals)), code, last?.code ?? [], 0x0b];
}

function localOf<T extends ValueType>(type: T, index: number): Local<T> {
  return { type, index, code: [0x20, unsigned(index)] };
}

/** Neighbours of one type are declared together. */
function runsOf(locals: ReadonlyArray<ValueType>): Code[] {
  const runs: { readonly type: ValueType; count: number }[] = [];
  for (const type of locals) {
    const last = runs.at(-1);
    if (last?.type === type) last.count++;
    else runs.push({ type, count: 1 });
  }
  return runs.map(({ type, count }) => [unsigned(count), TYPE_BYTES[type]]);
}

/** The builder, with what it has written so far. */
function makeBuilder(
  paramCount: number,
  result: ResultType,
  shared: Pick<FunctionBuilder, 'isFused' | 'mathOf'>,
) {
  const code: Code[] = [];
  const locals: ValueType[] = [];

  const local: FunctionBuilder['local'] = (type) =>
    localOf(type, paramCount + locals.push(type) - 1);

  const set: FunctionBuilder['set'] = (to, value) => {
    code.push(operandCode(to.type, value), [0x21, unsigned(to.index)]);
  };

  const statements = {
    local,
    set,
    increase: (counter, by) => set(counter, i32.add(counter, by)),
    let: (value) => {
      const kept = local(value.type);
      set(kept, value as Operand<typeof value.type>);
      return kept;
    },
    do: (statement) => {
      expected<ValueType | 'none'>('statement', 'none', statement.type);
      code.push(statement.code);
    },
    return: (value) => {
      expected('result', result, value?.type ?? 'none');
      code.push(value?.code ?? [], [0x0f]);
    },
  } satisfies Partial<FunctionBuilder>;
  const control = makeControl(code, statements.let);
  const builder: FunctionBuilder = {
    ...shared,
    ...statements,
    ...control,
    ...makeLoops(statements, control),
  };
  return { builder, code, locals };
}

type Statements = Pick<FunctionBuilder, 'let' | 'set' | 'increase'>;
type Control = Pick<FunctionBuilder, 'block' | 'loop' | 'if' | 'branch' | 'branchIf'>;

/**
 * Structured control. A label is the depth of its block; a branch names it by the distance. Constants of
 * vectors in a loop are kept in variables before it: V8 makes them in each turn, of three instructions.
 */
function makeControl(code: Code[], keep: FunctionBuilder['let']): Control {
  let depth = 0;
  let loops = 0;

  const nested = (opcode: number, body: (label: Label) => void): void => {
    code.push([opcode, TYPE_BYTES.none]);
    depth++;
    body({ depth });
    depth--;
    code.push([0x0b]);
  };

  const distance = (label: Label): Code => {
    invariant(label.depth <= depth, 'a branch to a label that has been left');
    return unsigned(depth - label.depth);
  };

  return {
    block: (body) => nested(0x02, body),
    loop: (body) => {
      const start = code.length;
      loops++;
      nested(0x03, body);
      loops--;
      if (loops > 0) return;
      const inside = code.splice(start);
      const kept = new Map<string, Code>();
      const bytes = flatten(inside, (part) => {
        const key = constantKey(part);
        return key === undefined
          ? undefined
          : remember(kept, key, () => keep({ type: 'v128', code: part }).code);
      });
      code.push(bytes);
    },
    if: (condition, then, otherwise) => {
      code.push(operandCode('i32', condition));
      nested(0x04, () => {
        then();
        if (otherwise === undefined) return;
        code.push([0x05]);
        otherwise();
      });
    },
    branch: (label) => void code.push([0x0c, distance(label)]),
    branchIf: (label, condition) =>
      void code.push(operandCode('i32', condition), [0x0d, distance(label)]),
  };
}

/** Loops that count. */
const makeLoops = (
  f: Statements,
  { block, loop, branchIf }: Control,
): Pick<FunctionBuilder, 'for' | 'repeat'> => ({
  for: (from, to, step, body) => {
    const counter = f.let(typeof from === 'number' ? i32.const(from) : from);
    block((end) => {
      branchIf(end, i32.geS(counter, to));
      loop((again) => {
        body(counter);
        f.increase(counter, step);
        branchIf(again, i32.ltS(counter, to));
      });
    });
  },
  repeat: (times, body) => {
    const left = f.let(typeof times === 'number' ? i32.const(times) : times);
    loop((again) => {
      body();
      f.increase(left, -1);
      branchIf(again, left);
    });
  },
});
