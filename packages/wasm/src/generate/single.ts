/**
 * Scalar expressions on one element at a time, for types other than float32 and bool. The bits are
 * those of the reference: floats are computed in double and rounded where they are stored, integers of
 * at most 32 bits in 64 and wrapped where they are stored, 64-bit integers wrap at once.
 */

import { invariant, present } from '@baton/base';
import { type Element, type Load, nodesOf } from '@baton/lower';
import { type Fold, NODES, type NodeKind, type NodeName, type Scalar } from '@baton/ops';
import { type DType, dtypeInfo, isBig } from '@baton/tensor';
import {
  call,
  type FunctionBuilder,
  f32,
  f64,
  i32,
  i64,
  type Operand,
  type Statement,
  select,
  type Value,
  type ValueType,
} from '../emit/index.ts';
import { halfBits, nearestHalf, ofHalf } from './half.ts';

type Whole = Value<'i64'>;
type Float = Value<'f64'>;
type Truth = Value<'i32'>;

/** One element: a float, an integer, or a truth, 0 or 1. */
export type Cell =
  | { readonly kind: 'float'; readonly value: Float }
  | { readonly kind: 'whole'; readonly value: Whole }
  | { readonly kind: 'truth'; readonly value: Truth };

type Kind = Cell['kind'];

const float = (value: Float): Cell => ({ kind: 'float', value });
const whole = (value: Whole): Cell => ({ kind: 'whole', value });
const truth = (value: Truth): Cell => ({ kind: 'truth', value });

/** The types that are computed with; elements of others are moved. */
const KINDS: { readonly [D in DType]?: Kind } = {
  bool: 'truth',
  int8: 'whole',
  int16: 'whole',
  int32: 'whole',
  int64: 'whole',
  uint8: 'whole',
  uint16: 'whole',
  uint32: 'whole',
  float16: 'float',
  float32: 'float',
  float64: 'float',
};

/** Whether a node is a function of `Math` without an instruction: code imports it, and is bit-identical. */
const isCalled = (name: NodeName): boolean => {
  const { float }: NodeKind = NODES[name];
  return !(name in FLOATS) && float?.text === `Math.${name}(x)`;
};

/** The functions that the code of an element calls. */
export function functionsIn(element: Element): ReadonlyArray<string> {
  const found = new Set<string>();
  const seen = new Set<Scalar>();
  const visit = (expr: Scalar): void => {
    if (expr._tag !== 'Operation' || seen.has(expr)) return;
    seen.add(expr);
    if (isCalled(expr.name)) found.add(expr.name);
    expr.args.forEach(visit);
  };
  for (const node of nodesOf(element)) if (node._tag === 'Apply') visit(node.expr);
  return [...found];
}

/** Whether an element can be computed one at a time; `mayCall` if its code may import functions. */
export function isSingleElement(element: Element, mayCall: boolean): boolean {
  if (!mayCall && functionsIn(element).length > 0) return false;
  if (element._tag === 'Load') return true;
  const kinds = new Map<Element, Kind | undefined>();
  for (const node of nodesOf(element)) {
    const args = node._tag === 'Apply' ? node.args.map((arg) => kinds.get(arg)) : [];
    kinds.set(node, kindOfNode(node, args));
  }
  return kinds.get(element) !== undefined;
}

function kindOfNode(node: Element, args: ReadonlyArray<Kind | undefined>): Kind | undefined {
  if (node._tag === 'Load') return KINDS[node.window.dtype];
  if (node._tag === 'Literal') return KINDS[node.dtype];
  if (node._tag === 'Product' || KINDS[node.of] === undefined) return undefined;
  return kindOfScalar(node.expr, args, node.of) && KINDS[node.dtype];
}

/** Whether a fold of elements of a type can be computed one at a time. */
export const isSingleFold = (fold: Fold, of: DType): boolean => stateKind(fold, of) !== undefined;

/** The kind of a fold's states: a truth may become a number at the first step. */
function stateKind({ step, finds }: Fold, of: DType): Kind | undefined {
  const element = KINDS[of];
  if (element === undefined) return undefined;
  const made = kindOfScalar(step, [element, element], of);
  if (finds) return made && element;
  return made && kindOfScalar(step, [made, element], of) === made ? made : undefined;
}

/** The kind of an expression in a type; `undefined` if a node has no code for such operands. */
function kindOfScalar(
  expr: Scalar,
  args: ReadonlyArray<Kind | undefined>,
  of: DType,
): Kind | undefined {
  const number = numberIn(of);
  if (expr._tag === 'Argument') return args['xyz'.indexOf(expr.name)];
  if (expr._tag === 'Width') return number;
  if (expr._tag === 'Constant') {
    return number === 'float' || Number.isSafeInteger(expr.value) ? number : undefined;
  }
  const kinds = expr.args.map((arg) => kindOfScalar(arg, args, of));
  if (kinds.includes(undefined) || !(isBig(of) ? isWrapping(expr) : true)) return undefined;
  if (expr.name === 'select') return joint(kinds[1] as Kind, kinds[2] as Kind);
  const isOfTruths = kinds.every((kind) => kind === 'truth') && TRUTHS[expr.name] !== undefined;
  if (isOfTruths && (expr.name !== 'not' || of === 'bool')) return 'truth';
  if (!kinds.every((kind) => joint(kind as Kind, number) === number)) return undefined;
  if (expr.name in COMPARED_FLOATS) return 'truth';
  if (number === 'float' && isCalled(expr.name)) return number;
  return (number === 'float' ? FLOATS : wholesOf(of))[expr.name] && number;
}

/** The kind of the numbers of a type. */
const numberIn = (of: DType): 'float' | 'whole' => (KINDS[of] === 'float' ? 'float' : 'whole');

/** A number of a type. */
const constantCell = (value: number, dtype: DType): Cell =>
  numberIn(dtype) === 'float' ? float(f64.const(value)) : whole(i64.const(BigInt(value)));

/** The kind that holds both; a truth is a number, too. */
function joint(a: Kind, b: Kind): Kind | undefined {
  if (a === b) return a;
  if (a === 'truth') return b;
  return b === 'truth' ? a : undefined;
}

/** Nodes from 64-bit integers to one, whose low bits depend only on the low bits of the operands. */
const ON_BITS = ['and', 'or', 'xor', 'not', 'wrap', 'floor', 'ceil', 'trunc', 'rint'] as const;

/** Nodes of integers whose low 64 bits depend on the low 64 bits of their operands alone. */
const OF_LOW_BITS: ReadonlySet<string> = new Set([...ON_BITS, 'neg', 'add', 'sub', 'mul']);

/** Nodes that give an integer of 64 bits for such operands. */
const WITHIN: ReadonlySet<string> = new Set([
  ...ON_BITS,
  ...['min', 'max', 'rem', 'shiftRight'],
  ...['equal', 'notEqual', 'less', 'lessEqual'],
]);

/**
 * Whether a node of 64-bit integers, which the reference computes without bounds and wraps where it
 * stores the whole, gives the same if each node wraps.
 */
function isWrapping({ name, args }: Extract<Scalar, { _tag: 'Operation' }>): boolean {
  if (OF_LOW_BITS.has(name)) return true;
  if (name === 'shiftLeft') return isMasked(args[1] as Scalar);
  if (name === 'select') return isWithin(args[0] as Scalar);
  if (name === 'shiftRight' && !isMasked(args[1] as Scalar)) return false;
  return args.every(isWithin);
}

/** Whether a number of 64 bits holds the value without wrapping. */
function isWithin(expr: Scalar): boolean {
  if (expr._tag !== 'Operation' || isConstant(expr)) return true;
  const operands = expr.name === 'select' ? expr.args.slice(1) : expr.args;
  if (expr.name === 'wrap') return true;
  return (expr.name === 'select' || WITHIN.has(expr.name)) && operands.every(isWithin);
}

/** Whether no element takes part. The constants of operators are small. */
const isConstant = (expr: Scalar): boolean =>
  expr._tag === 'Operation' ? expr.args.every(isConstant) : expr._tag !== 'Argument';

/** Whether a mask keeps a distance below the bits of the type. */
const isMasked = (expr: Scalar): boolean =>
  isConstant(expr) ||
  (expr._tag === 'Operation' && expr.name === 'and' && expr.args.some(isConstant));

type Codes<V, R> = {
  readonly [Name in NodeName]?: (a: V, b: V, f: FunctionBuilder) => R;
};

const FLOATS: Codes<Float, Float> = {
  neg: (x) => f64.neg(x),
  abs: (x) => f64.abs(x),
  floor: (x) => f64.floor(x),
  ceil: (x) => f64.ceil(x),
  trunc: (x) => f64.trunc(x),
  rint: (x) => f64.nearest(x),
  sqrt: (x) => f64.sqrt(x),
  wrap: (x) => x,
  add: (x, y) => f64.add(x, y),
  sub: (x, y) => f64.sub(x, y),
  mul: (x, y) => f64.mul(x, y),
  div: (x, y) => f64.div(x, y),
  floorDiv: (x, y) => f64.floor(f64.div(x, y)),
  min: (x, y) => f64.min(x, y),
  max: (x, y) => f64.max(x, y),
};

/** The low 32 bits, with their sign. */
const low = (x: Whole): Whole => i64.extendI32S(i32.wrapI64(x));

const bits = (code: (a: Truth, b: Truth) => Truth) => (x: Whole, y: Whole) =>
  i64.extendI32S(code(i32.wrapI64(x), i32.wrapI64(y)));

/** Whether a divisor is 0 or −1: the quotient by 0 is 0, and the least number has none by −1. */
const isSpecial = (y: Whole): Truth => i64.leU(i64.add(y, 1n), 1n);

const divisor = (y: Whole): Whole => select(i64.const(1n), y, isSpecial(y));

const quotient = (x: Whole, y: Whole): Whole =>
  select(i64.mul(x, y), i64.divS(x, divisor(y)), isSpecial(y));

const remainder = (x: Whole, y: Whole): Whole => i64.remS(x, divisor(y));

const same = (x: Whole): Whole => x;

/** On integers of 64 bits; those of fewer bits do some in 32. */
const BIGS: Codes<Whole, Whole> = {
  neg: (x) => i64.sub(0n, x),
  abs: (x) => select(i64.sub(0n, x), x, i64.ltS(x, 0n)),
  floor: same,
  ceil: same,
  trunc: same,
  rint: same,
  wrap: same,
  add: (x, y) => i64.add(x, y),
  sub: (x, y) => i64.sub(x, y),
  mul: (x, y) => i64.mul(x, y),
  div: quotient,
  floorDiv: (x, y, f) => {
    const rest = f.let(remainder(x, y));
    const isLower = i32.and(i64.ne(rest, 0n), i64.ltS(i64.xor(rest, y), 0n));
    return i64.sub(quotient(x, y), i64.extendI32U(isLower));
  },
  rem: remainder,
  min: (x, y) => select(x, y, i64.ltS(x, y)),
  max: (x, y) => select(x, y, i64.gtS(x, y)),
  not: (x) => i64.xor(x, -1n),
  and: (x, y) => i64.and(x, y),
  or: (x, y) => i64.or(x, y),
  xor: (x, y) => i64.xor(x, y),
  shiftLeft: (x, y) => i64.shl(x, y),
  shiftRight: (x, y) => i64.shrS(x, y),
};

const INTS: Codes<Whole, Whole> = {
  ...BIGS,
  wrap: low,
  mul: bits(i32.mul),
  not: (x) => low(i64.xor(x, -1n)),
  and: bits(i32.and),
  or: bits(i32.or),
  xor: bits(i32.xor),
  shiftLeft: bits(i32.shl),
  shiftRight: bits(i32.shrS),
};

const UINTS: Codes<Whole, Whole> = {
  ...INTS,
  shiftRight: (x, y) => i64.extendI32U(i32.shrU(i32.wrapI64(x), i32.wrapI64(y))),
};

const TRUTHS: Codes<Truth, Truth> = {
  and: (x, y) => i32.and(x, y),
  or: (x, y) => i32.or(x, y),
  xor: (x, y) => i32.xor(x, y),
  not: (x) => i32.xor(x, 1),
};

const COMPARED_FLOATS: Codes<Float, Truth> = {
  equal: (x, y) => f64.eq(x, y),
  notEqual: (x, y) => f64.ne(x, y),
  less: (x, y) => f64.lt(x, y),
  lessEqual: (x, y) => f64.le(x, y),
};

const COMPARED_WHOLES: Codes<Whole, Truth> = {
  equal: (x, y) => i64.eq(x, y),
  notEqual: (x, y) => i64.ne(x, y),
  less: (x, y) => i64.ltS(x, y),
  lessEqual: (x, y) => i64.leS(x, y),
};

/** The codes on integers of a type. */
function wholesOf(of: DType): Codes<Whole, Whole> {
  if (isBig(of)) return BIGS;
  return dtypeInfo(of).kind === 'uint' ? UINTS : INTS;
}

/** The code of an element; each node is computed once. `loaded` gives the cells of loads. */
export function singleCode(
  element: Element,
  loaded: (leaf: Load) => Cell,
  f: FunctionBuilder,
): Cell {
  const known = new Map<Element, Cell>();
  for (const node of nodesOf(element)) {
    invariant(node._tag !== 'Product', 'a product is stored');
    if (node._tag === 'Load') known.set(node, loaded(node));
    else if (node._tag === 'Literal') known.set(node, constantCell(node.value, node.dtype));
    else {
      const args = node.args.map((arg) => known.get(arg) as Cell);
      const cell = scalarCode(node.expr, args, node.of, f);
      const isConversion = node.expr._tag === 'Argument';
      known.set(node, kept((isConversion ? storedAs : computedAs)(node.dtype, cell, f), f));
    }
  }
  return known.get(element) as Cell;
}

/** What a fold has made so far, and code that takes an element into it. */
export interface SingleState {
  readonly cell: Cell;
  readonly take: (element: Cell) => void;
}

/** Two cells of a type combined, as an element of it is stored. */
export const combinedCell = (
  { step }: Fold,
  cells: readonly [Cell, Cell],
  of: DType,
  f: FunctionBuilder,
): Cell => computedAs(of, scalarCode(step, cells, of, f), f);

/** A state that goes through elements of a type: an integer wraps at each, a float is a double. */
export function runningState(fold: Fold, of: DType, f: FunctionBuilder): SingleState {
  const { cell, set } = variable(present(KINDS[of]), fold.start, f);
  const stepped = (element: Cell): Cell => scalarCode(fold.step, [cell, element], of, f);
  const take = (element: Cell): void =>
    set(cell.kind === 'float' ? stepped(element) : storedAs(of, stepped(element), f));
  return { cell, take };
}

/** The state before the first element of a type; where a fold finds a place, the place. */
export function singleState(fold: Fold, of: DType, f: FunctionBuilder): SingleState {
  const { cell, set } = variable(present(stateKind(fold, of)), fold.start, f);
  const stepped = (element: Cell): Cell => scalarCode(fold.step, [cell, element], of, f);
  if (!fold.finds) return { cell, take: (element) => set(stepped(element)) };
  const [found, place] = [f.let(i32.const(0)), f.let(i32.const(0))];
  return {
    cell: whole(i64.extendI32U(found)),
    take: (element) => {
      const test = f.let(truthOf(stepped(element)));
      set(chosen([truth(test), element, cell]));
      f.set(found, select(place, found, test));
      f.increase(place, 1);
    },
  };
}

function variable(kind: Kind, start: number | bigint, f: FunctionBuilder) {
  const make = <T extends 'f64' | 'i64' | 'i32'>(
    cellOf: (value: Value<T>) => Cell,
    value: Value<T>,
    partOf: (cell: Cell) => Value<T>,
  ) => {
    const local = f.let(value);
    return { cell: cellOf(local), set: (next: Cell) => f.set(local, partOf(next)) };
  };
  if (kind === 'float') return make(float, f64.const(Number(start)), floatOf);
  if (kind === 'whole') return make(whole, i64.const(BigInt(start)), wholeOf);
  return make(truth, i32.const(Number(start)), truthOf);
}

/** The quotient of a state and a count: of a float in double, of an integer truncated. */
export function quotientOf(state: Cell, count: number): Cell {
  if (state.kind === 'float') return float(f64.div(state.value, count));
  return whole(quotient(wholeOf(state), i64.const(BigInt(count))));
}

/** The cell in a variable. */
export const kept = ({ kind, value }: Cell, f: FunctionBuilder): Cell =>
  // The variable has the type of the value.
  ({ kind, value: f.let(value as Value<ValueType>) }) as Cell;

function scalarCode(root: Scalar, args: ReadonlyArray<Cell>, of: DType, f: FunctionBuilder): Cell {
  const known = new Map<Scalar, Cell>();
  const codeOf = (expr: Scalar): Cell => {
    if (expr._tag === 'Argument') return args['xyz'.indexOf(expr.name)] as Cell;
    if (expr._tag !== 'Operation') {
      return constantCell(expr._tag === 'Width' ? dtypeInfo(of).bits : expr.value, of);
    }
    const made = known.get(expr);
    if (made !== undefined) return made;
    const cell = kept(operationCode(expr.name, expr.args.map(codeOf), of, f), f);
    known.set(expr, cell);
    return cell;
  };
  return codeOf(root);
}

function operationCode(
  name: NodeName,
  args: ReadonlyArray<Cell>,
  of: DType,
  f: FunctionBuilder,
): Cell {
  if (name === 'select') return chosen(args as readonly [Cell, Cell, Cell]);
  const ofTruths = TRUTHS[name];
  if (ofTruths && args.every(({ kind }) => kind === 'truth') && (name !== 'not' || of === 'bool')) {
    return truth(coded(ofTruths, args.map(truthOf), f));
  }
  if (numberIn(of) === 'float') {
    const operands = args.map(floatOf);
    const compared = COMPARED_FLOATS[name];
    if (compared) return truth(coded(compared, operands, f));
    if (isCalled(name)) return float(call(f.mathOf(name), operands[0] as Float));
    return float(coded(FLOATS[name], operands, f));
  }
  const operands = args.map(wholeOf);
  const compared = COMPARED_WHOLES[name];
  if (compared) return truth(coded(compared, operands, f));
  return whole(coded(wholesOf(of)[name], operands, f));
}

/** The code of a node of one or two operands. */
const coded = <V, R>(
  code: ((a: V, b: V, f: FunctionBuilder) => R) | undefined,
  operands: ReadonlyArray<V>,
  f: FunctionBuilder,
): R => present(code)(operands[0] as V, operands.at(-1) as V, f);

function chosen([condition, a, b]: readonly [Cell, Cell, Cell]): Cell {
  const test = truthOf(condition);
  const kind = joint(a.kind, b.kind);
  if (kind === 'float') return float(select(floatOf(a), floatOf(b), test));
  if (kind === 'whole') return whole(select(wholeOf(a), wholeOf(b), test));
  return truth(select(truthOf(a), truthOf(b), test));
}

/** Whether an element is not 0; NaN is not. */
function truthOf(cell: Cell): Truth {
  if (cell.kind === 'truth') return cell.value;
  return cell.kind === 'float' ? f64.ne(cell.value, 0) : i64.ne(cell.value, 0n);
}

function floatOf(cell: Cell): Float {
  if (cell.kind === 'float') return cell.value;
  return cell.kind === 'truth' ? f64.convertI32S(cell.value) : f64.convertI64S(cell.value);
}

function wholeOf(cell: Cell): Whole {
  invariant(cell.kind !== 'float', 'a float is converted');
  return cell.kind === 'truth' ? i64.extendI32U(cell.value) : cell.value;
}

/** A cell as an element of a type, converted as `cast` does. */
export function storedAs(dtype: DType, cell: Cell, f: FunctionBuilder): Cell {
  if (dtype === 'bool') return truth(truthOf(cell));
  if (dtype === 'float64') return float(floatOf(cell));
  if (dtype === 'float16') return float(nearestHalf(floatOf(cell), f));
  if (dtype === 'float32') {
    // An integer is rounded once.
    const rounded =
      cell.kind === 'whole' ? f32.convertI64S(cell.value) : f32.demoteF64(floatOf(cell));
    return float(f64.promoteF32(rounded));
  }
  return whole(wrapped(dtype, cell.kind === 'float' ? truncated(cell.value, f) : wholeOf(cell)));
}

/** A result as an element of a type: the reference computes float16 in float32, and rounds at the end. */
export const computedAs = (dtype: DType, cell: Cell, f: FunctionBuilder): Cell =>
  storedAs(dtype, dtype === 'float16' ? storedAs('float32', cell, f) : cell, f);

/** An integer modulo 2^bits. */
function wrapped(dtype: DType, value: Whole): Whole {
  const { kind, bits: width } = dtypeInfo(dtype);
  if (width === 64) return value;
  if (kind === 'uint') return i64.and(value, 2n ** BigInt(width) - 1n);
  const distance = BigInt(64 - width);
  return width === 32 ? low(value) : i64.shrS(i64.shl(value, distance), distance);
}

const MANTISSA = 2n ** 52n;
/** The exponent in the bits of a float whose mantissa counts ones. */
const UNIT_EXPONENT = 1075n;

/** The integer that a float truncates to, modulo 2^64; 0 for NaN and the infinities. */
function truncated(given: Float, f: FunctionBuilder): Whole {
  const x = f.let(given);
  const result = f.local('i64');
  f.if(
    f64.lt(f64.abs(x), 2 ** 63),
    () => f.set(result, i64.truncSatF64S(x)),
    () => {
      const pattern = f.let(i64.reinterpretF64(x));
      const exponent = i64.and(i64.shrU(pattern, 52n), 0x7ffn);
      const distance = f.let(i64.sub(exponent, UNIT_EXPONENT));
      const mantissa = i64.or(i64.and(pattern, MANTISSA - 1n), MANTISSA);
      const size = f.let(
        select(i64.shl(mantissa, distance), i64.const(0n), i64.ltS(distance, 64n)),
      );
      f.set(result, select(i64.sub(0n, size), size, f64.lt(x, 0)));
    },
  );
  return result;
}

/** The type of integers whose elements move those of a type as they are. */
export const movedAs = (dtype: DType): DType => (dtype === 'float16' ? 'uint16' : dtype);

/** The element at an address. */
export function loadCell(
  dtype: DType,
  address: Operand<'i32'>,
  offset: number,
  f: FunctionBuilder,
): Cell {
  if (dtype === 'bool') return truth(i32.load8U(address, offset));
  if (dtype === 'float64') return float(f64.load(address, offset));
  if (dtype === 'float32') return float(f64.promoteF32(f32.load(address, offset)));
  if (dtype === 'float16') return float(ofHalf(i32.load16U(address, offset), f));
  const { bytes, kind } = dtypeInfo(dtype);
  if (bytes === 8) return whole(i64.load(address, offset));
  const width = bytes as 1 | 2 | 4;
  return whole(
    kind === 'int'
      ? i64.extendI32S({ 1: i32.load8S, 2: i32.load16S, 4: i32.load }[width](address, offset))
      : i64.extendI32U({ 1: i32.load8U, 2: i32.load16U, 4: i32.load }[width](address, offset)),
  );
}

/** Stores an element. */
export function storeCell(
  dtype: DType,
  address: Operand<'i32'>,
  cell: Cell,
  offset: number,
  f: FunctionBuilder,
): Statement {
  if (dtype === 'bool') return i32.store8(address, truthOf(cell), offset);
  if (dtype === 'float64') return f64.store(address, floatOf(cell), offset);
  if (dtype === 'float32') return f32.store(address, f32.demoteF64(floatOf(cell)), offset);
  if (dtype === 'float16') {
    const half = floatOf(computedAs(dtype, cell, f));
    return i32.store16(address, halfBits(half, f), offset);
  }
  const { bytes } = dtypeInfo(dtype);
  const value = wholeOf(cell);
  if (bytes === 8) return i64.store(address, value, offset);
  const part = { 1: i32.store8, 2: i32.store16, 4: i32.store }[bytes as 1 | 2 | 4];
  return part(address, i32.wrapI64(value), offset);
}
