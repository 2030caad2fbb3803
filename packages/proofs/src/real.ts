/** Laws of functions of real numbers that the solver does not know, as a normal form of terms. */
import { isFloat } from '@baton/tensor';
import { MEANINGS, type Meaning } from './meaning.ts';
import type { Freedoms } from './smt.ts';
import { type NodeTerm, subterms, type Term, type Terms } from './terms.ts';

/** The largest power that is written as a product. */
const MAX_POWER = 8;

/** Whether logarithms of products and quotients are sums. */
export type Logs = 'whole' | 'parts';

type Law = (args: ReadonlyArray<Term>, node: NodeTerm, b: Build) => Term | undefined;

/**
 * An equal term in fewer functions: exponentials of sums are products, hyperbolic functions are
 * exponentials, powers with a known exponent are products and roots.
 */
export function realForm(root: Term, terms: Terms, logs: Logs): Term {
  const made = new Map<Term, Term>();
  for (const term of subterms(root)) {
    if (term._tag !== 'Node') made.set(term, term);
    else
      made.set(
        term,
        formOf(
          term,
          term.args.map((arg) => made.get(arg) ?? arg),
          terms,
          logs,
        ),
      );
  }
  return made.get(root) ?? root;
}

function formOf(node: NodeTerm, args: ReadonlyArray<Term>, terms: Terms, logs: Logs): Term {
  const law = isFloat(node.dtype) || node.kind === 'pow' ? LAWS[node.kind] : undefined;
  return (
    law?.(args, node, builder(node, terms, logs)) ??
    terms.node(node.kind, node.dtype, args, node.name)
  );
}

/** Makes real nodes for a node. */
interface Build {
  readonly number: (value: number) => Term;
  readonly op: (
    kind: 'add' | 'sub' | 'mul' | 'div' | 'exp' | 'log' | 'sqrt',
    ...args: ReadonlyArray<Term>
  ) => Term;
  readonly exp: (arg: Term) => Term;
  readonly log: (arg: Term) => Term;
}

function builder({ dtype }: NodeTerm, terms: Terms, logs: Logs): Build {
  const op: Build['op'] = (kind, ...args) => terms.node(kind, dtype, args);
  const number = (value: number): Term => terms.number(value, dtype);
  const exp = (arg: Term): Term => {
    if (arg._tag === 'Number' && arg.value === 0) return number(1);
    if (arg._tag !== 'Node') return op('exp', arg);
    const [first, second] = arg.args as [Term, Term];
    if (arg.kind === 'add') return op('mul', exp(first), exp(second));
    if (arg.kind === 'sub') return op('div', exp(first), exp(second));
    if (arg.kind === 'neg') return op('div', number(1), exp(first));
    if (arg.kind === 'log') return first;
    const doubled =
      arg.kind === 'mul' ? (doubledOf(first, second) ?? doubledOf(second, first)) : undefined;
    return doubled === undefined ? op('exp', arg) : op('mul', exp(doubled), exp(doubled));
  };
  const log = (arg: Term): Term => {
    if (arg._tag !== 'Node') return op('log', arg);
    const [first, second] = arg.args as [Term, Term];
    if (arg.kind === 'exp') return first;
    if (logs === 'whole') return op('log', arg);
    if (arg.kind === 'mul' && arg.args.every(isPositive)) return op('add', log(first), log(second));
    if (arg.kind === 'div' && arg.args.every(isPositive)) return op('sub', log(first), log(second));
    return op('log', arg);
  };
  return { number, op, exp, log };
}

/** Whether a real term is above 0 for all values of its symbols. */
function isPositive(term: Term): boolean {
  if (term._tag !== 'Node') return term._tag === 'Number' && term.value > 0;
  const isSum = ['add', 'mul', 'div', 'sum'].includes(term.kind);
  return term.kind === 'exp' || (isSum && term.args.every(isPositive));
}

const doubledOf = (two: Term, other: Term): Term | undefined =>
  two._tag === 'Number' && two.value === 2 ? other : undefined;

/** `(e^x + s·e^-x)`, over 2. */
const half =
  (kind: 'add' | 'sub'): Law =>
  ([x], _node, { op, number, exp }) => {
    const up = exp(x as Term);
    return op('div', op(kind, up, op('div', number(1), up)), number(2));
  };

const LAWS: Readonly<Partial<Record<NodeTerm['kind'], Law>>> = {
  exp: ([x], _node, { exp }) => exp(x as Term),
  log: ([x], _node, { log }) => log(x as Term),
  sinh: half('sub'),
  cosh: half('add'),
  tanh: ([x], _node, { op, number, exp }) => {
    const square = op('mul', exp(x as Term), exp(x as Term));
    return op('div', op('sub', square, number(1)), op('add', square, number(1)));
  },
  pow: ([x, y], { dtype }, { op, number }) => {
    if (x === undefined || y?._tag !== 'Number') return undefined;
    if (!isFloat(dtype) && y.value < 0) return undefined;
    if (y.value === 0.5) return op('sqrt', x);
    if (y.value === -0.5) return op('div', number(1), op('sqrt', x));
    if (!Number.isInteger(y.value) || Math.abs(y.value) > MAX_POWER) return undefined;
    const factors = Array.from({ length: Math.abs(y.value) }, () => x);
    const power = factors.reduce<Term>((made, factor) => op('mul', made, factor), number(1));
    return y.value < 0 ? op('div', number(1), power) : power;
  },
  operator: ([inner]) => inner,
};

/** A term equal bit for bit: a sum with 0, which may only change the sign of a zero, is left out. */
export function bitForm(root: Term, terms: Terms, freedoms: Freedoms): Term {
  const made = new Map<Term, Term>();
  for (const term of subterms(root)) {
    if (term._tag !== 'Node') {
      made.set(term, term);
      continue;
    }
    const args = term.args.map((arg) => made.get(arg) ?? arg);
    const given = joinsZeros(term) ? args.map(withoutZero) : withoutZeros(term, args, freedoms);
    const isEmpty = args.length > 0 && given.length === 0;
    const { kind, dtype, name } = term;
    made.set(term, isEmpty ? terms.number(0, dtype) : terms.node(kind, dtype, given, name));
  }
  return made.get(root) ?? root;
}

/** A sum without what is 0, or 0 times a number: a sum with 0 is the other number. */
function withoutZeros(
  { kind, name }: NodeTerm,
  args: ReadonlyArray<Term>,
  { zeros, noNaN, noInfinity }: Freedoms,
): ReadonlyArray<Term> {
  const adds = kind === 'sum' || (kind === 'operator' && name === 'sum');
  if (!adds || !zeros || !noNaN || !noInfinity) return args;
  return args.filter((arg) => !isZero(arg) && !isZeroProduct(arg));
}

const isZero = (term: Term): boolean => term._tag === 'Number' && term.value === 0;

const isZeroProduct = (term: Term): boolean =>
  term._tag === 'Node' && term.kind === 'mul' && term.args.some(isZero);

const joinsZeros = ({ kind }: NodeTerm): boolean => {
  const meaning: Meaning | undefined = Object.hasOwn(MEANINGS, kind)
    ? MEANINGS[kind as keyof typeof MEANINGS]
    : undefined;
  return meaning?.joinsZeros === true;
};

function withoutZero(term: Term): Term {
  if (term._tag !== 'Node' || (term.kind !== 'add' && term.kind !== 'sub')) return term;
  const [first, second] = term.args;
  return second?._tag === 'Number' && second.value === 0 ? withoutZero(first as Term) : term;
}
