/**
 * The meaning of operators on terms. An elementwise operator is its scalar expression. For others one
 * table says how the elements of the result follow from those of the arguments, and the operator's own
 * kernel says which: a movement moves numbered elements, and a sum of products shows its
 * coefficients on tensors with a single 1.
 */
import { isLeft } from '@baton/base';
import { type Attrs, type AttrValue, constant, type Expr, type OpTable, variable } from '@baton/ir';
import {
  callOp,
  definitionColumn,
  definitionOf,
  kindColumn,
  type OpValue,
  staticTensor,
  typeOfValue,
} from '@baton/ops';
import {
  type DType,
  fromNumbers,
  isDType,
  isFloat,
  isTensor,
  type Tensor,
  toNumbers,
  zeros,
} from '@baton/tensor';
import { attributeText } from './attributes.ts';
import { exactly } from './fractions.ts';
import {
  type Kernel,
  NoMeaning,
  type Origins,
  originsOf,
  pairsOf,
  resultOf,
  sumsOf,
} from './kernels.ts';
import type { Kind, Term, Terms } from './terms.ts';
import {
  concrete,
  isTerms,
  knownValue,
  mapTensors,
  type TermTensor,
  type TermValue,
  tensorsIn,
} from './values.ts';

/** A call whose arguments are values. */
export interface TermCall extends Kernel {
  readonly terms: Terms;
  readonly args: ReadonlyArray<TermValue>;
  /** The value of an expression whose variables have values. */
  readonly evaluate: (expr: Expr, variables: ReadonlyMap<Expr, TermValue>) => TermValue;
}

/** How the elements of a result follow from those of the arguments. */
type Way =
  /** Each is an element of an argument, or 0. */
  | 'moved'
  /** Each is a sum of elements with fixed coefficients. */
  | 'sums'
  /** Each is a sum of products of an element of each argument. */
  | 'products'
  /** The elements that `sum`, or another operator, would add are combined by this kind of node. */
  | { readonly fold: Kind; readonly over?: string }
  /** The value of this expression of the arguments. */
  | { readonly as: Spelling };

/** A call of an operator in other operators. */
type Spelling = (ops: OpTable, args: ReadonlyArray<Expr>, attrs: Attrs) => Expr;

/** The ways of operators that their kind does not tell. */
const WAYS: Readonly<Record<string, Way>> = {
  sum: 'sums',
  mean: 'sums',
  cumsum: 'sums',
  'nn.avg_pool1d': 'sums',
  'nn.avg_pool2d': 'sums',
  'nn.avg_pool3d': 'sums',
  'nn.global_avg_pool2d': 'sums',
  max: { fold: 'max' },
  'nn.max_pool1d': { fold: 'max', over: 'nn.avg_pool1d' },
  'nn.max_pool2d': { fold: 'max', over: 'nn.avg_pool2d' },
  'nn.max_pool3d': { fold: 'max', over: 'nn.avg_pool3d' },
  'nn.global_max_pool2d': { fold: 'max', over: 'nn.global_avg_pool2d' },
  min: { fold: 'min' },
  prod: { fold: 'mul' },
  all: { fold: 'and' },
  any: { fold: 'or' },
  collapse_sum_to: 'sums',
  full: {
    as: (ops, [x], { shape, dtype }) =>
      callOp(
        ops,
        'broadcast_to',
        [callOp(ops, 'cast', [x as Expr], { dtype: dtype as AttrValue })],
        {
          shape: shape as AttrValue,
        },
      ),
  },
  cast_like: {
    as: (ops, [x, like]) => callOp(ops, 'cast', [x as Expr], { dtype: typeIn(like).dtype }),
  },
  zeros_like: { as: (ops, [like]) => callOp(ops, 'zeros', [], filling(like)) },
  ones_like: { as: (ops, [like]) => callOp(ops, 'ones', [], filling(like)) },
  full_like: { as: (ops, [like, c]) => callOp(ops, 'full', [c as Expr], filling(like)) },
  collapse_sum_like: {
    as: (ops, [x, like]) => {
      const { shape } = typeIn(like);
      const sizes = constant(fromNumbers(shape, [shape.length], 'int32'));
      return callOp(ops, 'collapse_sum_to', [x as Expr, sizes]);
    },
  },
  'nn.softmax': { as: softmax },
  'nn.fast_softmax': { as: softmax },
  'nn.log_softmax': { as: (ops, args, attrs) => callOp(ops, 'log', [softmax(ops, args, attrs)]) },
};

/** The type of a variable of the prover, which is known. */
function typeIn(expr: Expr | undefined): Pick<Tensor, 'dtype' | 'shape'> {
  const type = expr?._tag === 'Var' ? expr.typeAnnotation : undefined;
  const known = type && staticTensor(type);
  if (known === undefined) throw new NoMeaning('no meaning of an unknown type');
  return known;
}

/** The attributes of an operator that fills a tensor like this one. */
function filling(like: Expr | undefined): Attrs {
  const { shape, dtype } = typeIn(like);
  return { shape, dtype };
}

function softmax(ops: OpTable, args: ReadonlyArray<Expr>, { axis }: Attrs): Expr {
  const powers = callOp(ops, 'exp', args);
  const sum = callOp(ops, 'sum', [powers], { axis: axis ?? -1, keepdims: true });
  return callOp(ops, 'divide', [powers, sum]);
}

/** The value of a call of an operator that has no scalar expression. */
export function applyOperator(call: TermCall): TermValue {
  const numbers = call.args.map(concrete);
  if (!numbers.includes(undefined)) {
    return knownValue(call.terms, resultOf(call, numbers as ReadonlyArray<OpValue>));
  }
  const way = WAYS[call.name] ?? KINDS[call.ops.read(kindColumn, call.name) ?? 'other'];
  const isText = Array.isArray(call.ops.read(definitionColumn, call.name));
  if (isText && WAYS[call.name] === undefined) return spelled(call);
  if (way === 'moved') return moved(call, numbers);
  if (way === 'sums') return sums(call);
  if (way === 'products') return products(call);
  if (way === undefined && call.ops.read(kindColumn, call.name) === 'elementwise')
    return opaque(call);
  if (way === undefined) return spelled(call);
  if ('fold' in way) return folded(call, way.fold, way.over ?? 'sum');
  const variables = call.args.map((arg) => variable('x', typeOfValue(placeholder(arg))));
  const body = way.as(call.ops, variables, call.attrs);
  return call.evaluate(body, new Map(variables.map((v, i) => [v, call.args[i] as TermValue])));
}

const KINDS: Readonly<Partial<Record<string, Way>>> = { movement: 'moved', product: 'products' };

/** An elementwise operator without further facts: a function of each element. */
function opaque({ terms, ops, name, attrs, args }: TermCall): TermValue {
  const [x] = args;
  if (x === undefined || !isTerms(x) || args.length !== 1)
    throw new NoMeaning(`no meaning of ${name}`);
  const result = resultOf({ terms, ops, name, attrs, args } as TermCall, [zeros(x.shape, x.dtype)]);
  if (!isTensor(result) || String(result.shape) !== String(x.shape)) {
    throw new NoMeaning(`no meaning of ${name}`);
  }
  const of = `${name} ${attributeText(attrs)}`;
  const elements = x.elements.map((element) => terms.node('opaque', result.dtype, [element], of));
  return { ...x, dtype: result.dtype, elements };
}

const placeholder = (value: TermValue): OpValue =>
  mapTensors(value, ({ shape, dtype }) => zeros(shape, dtype));

/**
 * What is moved are arguments that are not known, and of them the floats, if there are any. Known
 * numbers stay as they are: they may be indices.
 */
function moved(call: TermCall, numbers: ReadonlyArray<OpValue | undefined>): TermValue {
  const { terms, args, name } = call;
  const tensors = args.flatMap(tensorsIn);
  const hasFloats = tensors.some(({ dtype }) => isFloat(dtype));
  const places = args.map((arg, i) => {
    if (numbers[i] !== undefined) return numbers[i];
    const isPlaces = hasFloats && tensorsIn(arg).every(({ dtype }) => !isFloat(dtype));
    if (isPlaces) throw new NoMeaning(`${name} at places that are not known`);
    return undefined;
  });
  const all = args.filter((_, i) => places[i] === undefined).flatMap(tensorsIn);
  const elements = all.flatMap((tensor) => tensor.elements);
  const dtype = all.find((tensor) => isFloat(tensor.dtype) === hasFloats)?.dtype ?? 'float32';
  const named = (origins: Origins): TermValue => {
    if (!('_tag' in origins)) return origins.map(named);
    const found = origins.elements.map((origin) =>
      'at' in origin ? (elements[origin.at] as Term) : terms.number(origin.number, dtype),
    );
    return { _tag: 'Terms', shape: origins.shape, dtype, elements: found };
  };
  return named(originsOf(call, { args, places }));
}

/** The first argument, a tensor; the others are known. */
function only({ name, args, attrs }: TermCall): TermTensor {
  const [x, ...others] = args;
  if (x === undefined || !isTerms(x) || others.map(concrete).includes(undefined))
    throw new NoMeaning(`no meaning of ${name}`);
  const isOther = isDType(attrs.dtype) && attrs.dtype !== x.dtype;
  if (x.dtype === 'bool' || isOther) throw new NoMeaning(`no meaning of ${name} in another type`);
  return x;
}

/** For each element of the result, the coefficients and elements of its sum. */
function coefficients(call: TermCall, x: TermTensor) {
  const others = call.args.slice(1).map((arg) => concrete(arg) as OpValue);
  const { shape, elements } = sumsOf(call, { x, others });
  const rows = elements.map((row) =>
    row.map(({ coefficient, at }) => ({ coefficient, term: x.elements[at] as Term })),
  );
  return { shape, rows };
}

/** `coefficient * term`, where the coefficient is a fraction. */
function scaled(terms: Terms, coefficient: number, term: Term): Term {
  if (coefficient === 1) return term;
  const { over, under } = exactly(coefficient, 'float64');
  const top = terms.number(Number(over), term.dtype);
  const factor =
    under === 1n
      ? top
      : terms.node('div', term.dtype, [top, terms.number(Number(under), term.dtype)]);
  return terms.node('mul', term.dtype, [factor, term]);
}

const total = (terms: Terms, { dtype }: TermTensor, parts: ReadonlyArray<Term>): Term =>
  parts.length === 0 ? terms.number(0, dtype) : terms.node('sum', dtype, parts);

function sums(call: TermCall): TermValue {
  const x = only(call);
  const { shape, rows } = coefficients(call, x);
  const elements = rows.map((row) =>
    total(
      call.terms,
      x,
      row.map(({ coefficient, term }) => scaled(call.terms, coefficient, term)),
    ),
  );
  return { ...x, shape, elements };
}

function folded(call: TermCall, kind: Kind, over: string): TermValue {
  const [x] = call.args;
  if (x === undefined || !isTerms(x)) throw new NoMeaning(`no meaning of ${call.name}`);
  const { shape, rows } = coefficients({ ...call, name: over }, x);
  if (x.elements.length === 0) throw new NoMeaning(`no meaning of ${call.name} of nothing`);
  const elements = rows.map((row, at) => {
    // What is made of no element is a number of the operator's own: a window that is all padding.
    if (row.length === 0) return ownNumber(call, x, at);
    return row.map(({ term }) => term).reduce((a, b) => call.terms.node(kind, x.dtype, [a, b]));
  });
  return { ...x, shape, elements };
}

/** An element of a result that no element of the argument is in. */
function ownNumber(call: TermCall, { shape, dtype }: TermTensor, at: number): Term {
  const result = resultOf(call, [zeros(shape, dtype)]) as Tensor;
  return call.terms.number(toNumbers(result)[at] as number, dtype);
}

function products({ attrs: given, ...rest }: TermCall): TermValue {
  // The kernel counts in doubles, whatever the element type of the result.
  const { out_dtype: stated, ...others } = given;
  const call = { ...rest, attrs: stated === undefined ? given : { ...others, out_dtype: '' } };
  const { terms, args, name } = call;
  const [x, w] = args;
  if (x === undefined || w === undefined || !isTerms(x) || !isTerms(w) || args.length !== 2) {
    throw new NoMeaning(`no meaning of ${name}`);
  }
  const { shape, elements } = pairsOf(call, [x, w]);
  const dtype = isDType(stated) ? stated : x.dtype;
  const sums = elements.map((pairs) => {
    const row = pairs.map(([i, j]) =>
      terms.node('mul', x.dtype, [x.elements[i] as Term, w.elements[j] as Term]),
    );
    return stored(terms, total(terms, x, row), row, dtype);
  });
  return { _tag: 'Terms', shape, dtype, elements: sums };
}

/** A sum in the element type of a result, in which it may be added up. */
function stored(terms: Terms, sum: Term, parts: ReadonlyArray<Term>, dtype: DType): Term {
  if (sum.dtype === dtype) return sum;
  const inner = terms.node('cast', dtype, [sum]);
  return terms.node('operator', dtype, [inner, ...parts], 'sum');
}

/** The value of the call spelled out in simpler operators, as its definition says. */
function spelled(call: TermCall): TermValue {
  const { ops, name, attrs } = call;
  const placeholders = call.args.map(placeholder);
  const types = placeholders.map(typeOfValue);
  const args = types.map((type) => variable('x', type));
  const type = typeOfValue(resultOf(call, placeholders));
  const body = definitionOf(ops, { name, attrs, args, types, type, span: undefined });
  if (body === undefined || isLeft(body)) throw new NoMeaning(`no meaning of ${name}`);
  const values = new Map(args.map((arg, i) => [arg, call.args[i] as TermValue]));
  return call.evaluate(body.right, values);
}
