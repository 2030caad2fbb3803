/** The conditions and computed holes of a rule, run on an instance. */
import {
  type Attrs,
  type AttrValue,
  constant,
  type Expr,
  type IRModule,
  isExpr,
  isTotal,
  typeOf,
} from '@baton/ir';
import { dimsOf, dtypeOf, staticTensor } from '@baton/ops';
import type { MatchedHoles, Rule, Term } from '@baton/rewrites';
import {
  type DType,
  fromNumbers,
  isDType,
  isFloat,
  isTensor,
  shapeSize,
  type Tensor,
  tensor,
} from '@baton/tensor';
import type { Instance } from './instances.ts';

/** An instance for which the conditions of its rule hold. */
export interface Match {
  readonly instance: Instance;
  /** The expressions of all holes: variables, constants, and what the rule computed. */
  readonly terms: ReadonlyMap<string, Expr>;
  readonly attrs: ReadonlyMap<string, AttrValue | Attrs>;
  /** What the conditions looked at. */
  readonly reads: ReadonlySet<Read>;
}

/** A fact that a condition looks at. */
export type Read = 'attributes' | 'constant' | 'dtype' | 'type' | 'values';

/** Thrown where a condition reads the values of a constant that stands for all values. */
class ReadsValues extends Error {
  readonly hole: string;
  constructor(hole: string) {
    super('the values of a constant are read');
    this.hole = hole;
  }
}

/** Thrown where a condition or a computed hole throws. */
export class RuleThrows extends Error {}

/**
 * The matches of an instance. A hole is a constant if the conditions ask for one: of any values, and
 * of a few typical ones if they look at the values.
 */
export function matchesOf(m: IRModule, rule: Rule, instance: Instance): ReadonlyArray<Match> {
  if (rule.when.length === 0 && rule.computed.size === 0) {
    return [{ instance, terms: instance.terms, attrs: instance.attrs, reads: new Set() }];
  }
  const any = new Set<string>();
  const valued = new Set<string>();
  for (let round = 0; round < 2 * instance.terms.size + 1; round++) {
    const reads = new Set<Read>();
    const asked = new Set<string>();
    const found: Match[] = [];
    try {
      for (const values of choicesOf(m, instance, valued)) {
        const match = tried(m, rule, instance, any, values, reads, asked);
        if (match !== undefined) found.push(match);
      }
    } catch (error) {
      if (!(error instanceof ReadsValues)) throw new RuleThrows(String(error));
      any.delete(error.hole);
      valued.add(error.hole);
      continue;
    }
    const more = [...asked].filter((name) => !any.has(name) && !valued.has(name));
    if (found.length > 0 || more.length === 0) return found;
    for (const name of more) any.add(name);
  }
  return [];
}

function tried(
  m: IRModule,
  rule: Rule,
  instance: Instance,
  any: ReadonlySet<string>,
  values: ReadonlyMap<string, Expr>,
  reads: Set<Read>,
  asked: Set<string>,
): Match | undefined {
  const { attrs } = instance;
  const terms = new Map([...instance.terms, ...values]);
  const holes: Record<string, unknown> = {};
  for (const [name, expr] of terms)
    holes[name] = watched(m, name, expr, any.has(name), reads, asked);
  for (const [name, value] of attrs) {
    Object.defineProperty(holes, name, {
      enumerable: true,
      get: () => {
        reads.add('attributes');
        return value;
      },
    });
  }
  holes.result = watched(m, 'result', instance.roots[0] as Expr, false, reads, asked);
  const given = holes as MatchedHoles;
  if (!rule.when.every((holds) => holds(given))) return undefined;
  const newAttrs = new Map(attrs);
  for (const [name, compute] of rule.computed) {
    const value = compute(given);
    if (value === undefined) return undefined;
    if (isTensor(value)) terms.set(name, constant(value));
    else if (isExpr(value)) terms.set(name, value);
    else newAttrs.set(name, value);
  }
  return { instance, terms, attrs: newAttrs, reads: new Set(reads) };
}

/** The facts about a hole, which note what is read. */
function watched(
  m: IRModule,
  name: string,
  expr: Expr,
  isAny: boolean,
  reads: Set<Read>,
  asked: Set<string>,
): Term {
  const noting = <T>(read: Read, get: () => T): T => {
    reads.add(read);
    return get();
  };
  return {
    get expr() {
      return noting('type', () => expr);
    },
    get type() {
      return noting('type', () => typeOf(m, expr));
    },
    // Operators give ranges: no hole that stands for anything has one.
    range: undefined,
    get dims() {
      return noting('type', () => dimsOf(typeOf(m, expr)));
    },
    get dtype(): DType | undefined {
      return noting('dtype', () => {
        const dtype = dtypeOf(typeOf(m, expr));
        return isDType(dtype) ? dtype : undefined;
      });
    },
    get constant(): Tensor | undefined {
      asked.add(name);
      if (expr._tag === 'Constant') return noting('values', () => expr.data);
      return isAny ? noting('constant', () => anyTensor(m, name, expr)) : undefined;
    },
    get isTotal() {
      return noting('type', () => isTotal(m, expr));
    },
  };
}

/** A tensor that may not be looked into. */
function anyTensor(m: IRModule, name: string, expr: Expr): Tensor | undefined {
  const type = typeOf(m, expr);
  const known = type && staticTensor(type);
  if (known === undefined) return undefined;
  return new Proxy(tensor(new Array(shapeSize(known.shape)).fill(0), known.shape, known.dtype), {
    get: (target, key) => {
      if (key === 'shape' || key === 'dtype') return target[key];
      throw new ReadsValues(name);
    },
  });
}

/** The numbers that constants are filled with. */
const FILLS = [0, 1, -1, 2, 0.5, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** Each choice of constants for the holes whose values are read. */
function choicesOf(
  m: IRModule,
  { terms }: Instance,
  valued: ReadonlySet<string>,
): ReadonlyArray<ReadonlyMap<string, Expr>> {
  let all: ReadonlyArray<ReadonlyMap<string, Expr>> = [new Map()];
  for (const name of valued) {
    const expr = terms.get(name);
    const type = expr && typeOf(m, expr);
    const known = type && staticTensor(type);
    if (known === undefined) return [];
    const { shape, dtype } = known;
    const count = shapeSize(shape);
    const fills = isFloat(dtype) ? FILLS : FILLS.filter(Number.isInteger);
    const filled = fills.map((value) => new Array<number>(count).fill(value));
    const mixed = Array.from({ length: count }, (_, i) => i + 2);
    const constants = [...filled, mixed].map((values) =>
      constant(fromNumbers(values, shape, dtype)),
    );
    all = all.flatMap((made) => constants.map((value) => new Map([...made, [name, value]])));
  }
  return all;
}
