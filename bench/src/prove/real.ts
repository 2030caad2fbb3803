/** Laws of functions of real numbers that the solver does not know, as a normal form of terms. */
import { isFloat } from '@baton/tensor';
import { type NodeTerm, subterms, type Term, type Terms } from './terms.ts';

/** The largest power that is written as a product. */
const MAX_POWER = 8;

type Law = (args: ReadonlyArray<Term>, node: NodeTerm, b: Build) => Term | undefined;

/**
 * An equal term in fewer functions: exponentials of sums are products, hyperbolic functions are
 * exponentials, powers with a known exponent are products and roots.
 */
export function realForm(root: Term, terms: Terms): Term {
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
        ),
      );
  }
  return made.get(root) ?? root;
}

function formOf(node: NodeTerm, args: ReadonlyArray<Term>, terms: Terms): Term {
  const law = isFloat(node.dtype) ? LAWS[node.kind] : undefined;
  return (
    law?.(args, node, builder(node, terms)) ?? terms.node(node.kind, node.dtype, args, node.name)
  );
}

/** Makes real nodes beside a node. */
interface Build {
  readonly number: (value: number) => Term;
  readonly op: (
    kind: 'add' | 'sub' | 'mul' | 'div' | 'exp' | 'sqrt',
    ...args: ReadonlyArray<Term>
  ) => Term;
  readonly exp: (arg: Term) => Term;
}

function builder({ dtype }: NodeTerm, terms: Terms): Build {
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
  return { number, op, exp };
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
  log: ([x]) => (x?._tag === 'Node' && x.kind === 'exp' ? x.args[0] : undefined),
  sinh: half('sub'),
  cosh: half('add'),
  tanh: ([x], _node, { op, number, exp }) => {
    const square = op('mul', exp(x as Term), exp(x as Term));
    return op('div', op('sub', square, number(1)), op('add', square, number(1)));
  },
  pow: ([x, y], _node, { op, number }) => {
    if (x === undefined || y?._tag !== 'Number') return undefined;
    if (y.value === 0.5) return op('sqrt', x);
    if (y.value === -0.5) return op('div', number(1), op('sqrt', x));
    if (!Number.isInteger(y.value) || Math.abs(y.value) > MAX_POWER) return undefined;
    const factors = Array.from({ length: Math.abs(y.value) }, () => x);
    const power = factors.reduce<Term>((made, factor) => op('mul', made, factor), number(1));
    return y.value < 0 ? op('div', number(1), power) : power;
  },
  operator: ([inner]) => inner,
};
