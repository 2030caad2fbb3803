/** Real terms as fractions of polynomials: a normal form that needs no solver. */
import { isFloat } from '@baton/tensor';
import { exactly } from './fractions.ts';
import { type NodeTerm, subterms, type Term } from './terms.ts';

/** A sum of products of atoms with coefficients, by the text of each product. */
type Polynomial = ReadonlyMap<string, Monomial>;

interface Monomial {
  /** The numbers of the atoms, in order; one that is a factor twice is there twice. */
  readonly atoms: ReadonlyArray<number>;
  readonly over: bigint;
  readonly under: bigint;
}

interface Fraction {
  readonly over: Polynomial;
  readonly under: Polynomial;
}

/** The most products of a polynomial. */
const MAX_MONOMIALS = 400;

/** Thrown where a polynomial has too many products, a number is no fraction, or a term chooses. */
class NoForm extends Error {}

/**
 * Whether two real terms are the same fraction, and the right one divides by nothing, and takes no
 * other function of anything, that the left one does not. If it is `false` nothing is known.
 */
export function isSameFraction(left: Term, right: Term): boolean {
  const form = new Fractions();
  try {
    const [l, r] = [form.of(left), form.of(right)];
    if (!equal(times(l.over, r.under), times(r.over, l.under))) return false;
    const [known, asked] = [form.conditionsOf(left), form.conditionsOf(right)];
    return [...asked].every((condition) => known.has(condition));
  } catch (error) {
    if (error instanceof NoForm) return false;
    throw error;
  }
}

/** Fractions over atoms: symbols, and functions that are no fractions, by their arguments. */
class Fractions {
  readonly #made = new Map<Term, Fraction>();
  readonly #conditions = new Map<Term, ReadonlyArray<string>>();
  readonly #atoms = new Map<string, number>();
  /** The atoms that are above 0. */
  readonly #positive = new Set<number>();

  of(root: Term): Fraction {
    for (const term of subterms(root)) {
      if (!this.#made.has(term)) this.#made.set(term, this.#fraction(term));
    }
    return this.#get(root);
  }

  /** The conditions under which a term has a value; those of what is chosen are not known. */
  conditionsOf(root: Term): ReadonlySet<string> {
    const all = subterms(root);
    if (all.some((term) => term._tag === 'Node' && term.kind === 'select')) throw new NoForm();
    return new Set(all.flatMap((term) => this.#conditions.get(term) ?? []));
  }

  #get(term: Term | undefined): Fraction {
    return (term && this.#made.get(term)) ?? whole(NOTHING);
  }

  #fraction(term: Term): Fraction {
    if (term._tag === 'Symbol') return whole(this.#atom(`?${term.id}`));
    if (term._tag === 'Node') return this.#node(term);
    if (!Number.isFinite(term.value)) throw new NoForm();
    const { over, under, isRoot } = exactly(term.value, term.dtype);
    if (!isRoot) return whole(constant(over, under));
    return whole(this.#atom(`root ${over}/${under}`));
  }

  #node(node: NodeTerm): Fraction {
    const [x, y] = node.args.map((arg) => this.#get(arg)) as [Fraction, Fraction];
    const isReal = isFloat(node.dtype) && node.args.every(({ dtype }) => isFloat(dtype));
    if (!isReal) return this.#unknown(node);
    switch (node.kind) {
      case 'add':
        return plus(x, y);
      case 'sub':
        return plus(x, { ...y, over: times(y.over, constant(-1n)) });
      case 'neg':
        return { ...x, over: times(x.over, constant(-1n)) };
      case 'mul':
        return { over: times(x.over, y.over), under: times(x.under, y.under) };
      case 'sum':
        return node.args.map((arg) => this.#get(arg)).reduce(plus);
      case 'div':
        this.#conditions.set(node, this.#factors(y.over));
        return { over: times(x.over, y.under), under: times(x.under, y.over) };
      case 'cast':
      case 'operator':
      case 'wrap':
        return x;
      default:
        return this.#unknown(node);
    }
  }

  /** The parts of a polynomial that must not be 0. */
  #factors(under: Polynomial): ReadonlyArray<string> {
    const [first, ...others] = under.values();
    if (first === undefined || others.length > 0) return [`${textOf(under)} is not 0`];
    const atoms = first.atoms.filter((atom) => !this.#positive.has(atom));
    return atoms.map((atom) => `${atom} is not 0`);
  }

  /** A function of which only its name is known. */
  #unknown(node: NodeTerm): Fraction {
    const args = node.args.map((arg) => {
      const { over, under } = this.#get(arg);
      return `${textOf(over)}/${textOf(under)}`;
    });
    this.#conditions.set(node, [`${node.kind} of ${args}`]);
    const made = this.#atom(`${node.kind} ${node.dtype} ${node.name} ${args.join(' ; ')}`);
    const [atom] = [...made.values()].flatMap(({ atoms }) => atoms);
    if (node.kind === 'exp' && atom !== undefined) this.#positive.add(atom);
    return whole(made);
  }

  #atom(text: string): Polynomial {
    const number = this.#atoms.get(text) ?? this.#atoms.size;
    this.#atoms.set(text, number);
    return new Map([[`${number}`, { atoms: [number], over: 1n, under: 1n }]]);
  }
}

const NOTHING: Polynomial = new Map();

const constant = (over: bigint, under = 1n): Polynomial =>
  over === 0n ? NOTHING : new Map([['', { atoms: [], over, under }]]);

const ONE = constant(1n);

const whole = (over: Polynomial): Fraction => ({ over, under: ONE });

const textOf = (p: Polynomial): string =>
  [...p.entries()]
    .map(([key, { over, under }]) => `${over}/${under}*${key}`)
    .sort()
    .join('+');

const equal = (a: Polynomial, b: Polynomial): boolean => textOf(a) === textOf(b);

/** The sum of products, each once and none with the coefficient 0. */
function collected(parts: Iterable<Monomial>): Polynomial {
  const found = new Map<string, Monomial>();
  for (const { atoms, over, under } of parts) {
    const key = atoms.join(' ');
    const old = found.get(key) ?? { over: 0n, under: 1n };
    const sum = reduced(old.over * under + over * old.under, old.under * under);
    if (sum.over === 0n) found.delete(key);
    else found.set(key, { atoms, ...sum });
    if (found.size > MAX_MONOMIALS) throw new NoForm();
  }
  return found;
}

function reduced(over: bigint, under: bigint): Pick<Monomial, 'over' | 'under'> {
  let [a, b] = [over < 0n ? -over : over, under];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? { over: 0n, under: 1n } : { over: over / a, under: under / a };
}

function times(a: Polynomial, b: Polynomial): Polynomial {
  if (a === ONE) return b;
  if (b === ONE) return a;
  if (a.size * b.size > MAX_MONOMIALS ** 2) throw new NoForm();
  return collected(
    [...a.values()].flatMap((x) =>
      [...b.values()].map((y) => ({
        atoms: [...x.atoms, ...y.atoms].sort((p, q) => p - q),
        over: x.over * y.over,
        under: x.under * y.under,
      })),
    ),
  );
}

function plus(a: Fraction, b: Fraction): Fraction {
  if (equal(a.under, b.under)) {
    return { over: collected([...a.over.values(), ...b.over.values()]), under: a.under };
  }
  const parts = [times(a.over, b.under), times(b.over, a.under)];
  return {
    over: collected(parts.flatMap((part) => [...part.values()])),
    under: times(a.under, b.under),
  };
}
