/** The right side of a rule for a match, with everything checked that makes the step sound. */
import { mergeSpans, remember, type Span } from '@baton/base';
import {
  type AttrValue,
  call,
  constant,
  dimsEqual,
  type Expr,
  func,
  type IRModule,
  isAnyDim,
  isExpr,
  isStateful,
  isTotal,
  type Type,
  tuple,
  tupleGetItem,
  typeEqual,
  typeOf,
  type Var,
  variable,
} from '@baton/ir';
import {
  attrsFor,
  type CompositePattern,
  callOp,
  dimsOf,
  dtypeOf,
  FOLDING,
  holesOf,
  type Pattern,
  partsOf,
} from '@baton/ops';
import {
  type DType,
  dtypeInfo,
  isDType,
  isFloat,
  isTensor,
  readNumber,
  scalar,
  shapeSize,
} from '@baton/tensor';
import { constantOf, matchedValueOf } from '../rule/matched-value.ts';
import { type MatchedHoles, OPS, RESULT } from '../rule/names.ts';
import type { ComputedValue, Rule } from '../rule/rule.ts';
import type { Bindings } from './bindings.ts';
import type { CompiledRule } from './compile.ts';
import { keepsEffects } from './effects.ts';
import { type Folding, foldedCall } from './fold.ts';
import { holds, isNarrow, isOutOfRange, losesLater, losesValue } from './loss.ts';

/**
 * The reason why a match did not become a step.
 *
 * - `condition`: the rule's own condition does not hold, or it could not compute a hole; or it rounds a
 *   quotient in another place, and a rounding, a comparison or a cast to integers reads it.
 * - `cost`: the rule says of itself that it does not pay here.
 * - `type`: the right side has another type.
 * - `range`: a constant that the step computes would overflow, vanish or lose digits; or the step needs
 *   `range`, and nothing says that what it computes on the way stays in the range of its type.
 * - `effect`: the step would drop, repeat or reorder what another evaluation can notice.
 */
export type Refusal = 'condition' | 'cost' | 'type' | 'range' | 'effect';

/** A use of a rule. */
export interface Step {
  /** For each matched expression, one of the same type and value. */
  readonly results: ReadonlyArray<Expr>;
  /** The expressions that the holes of the left side stand for. */
  readonly matched: ReadonlyArray<Expr>;
}

/** The steps that an engine allows. */
export interface Allowance extends Folding {
  /**
   * What a step may leave out: only what cannot fail; or whatever no other evaluation notices,
   * where what they do notice keeps its order.
   */
  readonly dropping: 'total' | 'stateless';
  /** Whether a result may tell more of the type than what it replaces. */
  readonly refining: boolean;
  /** Whether a quotient may be rounded in another place: not before an operator with steps. */
  readonly dividing: boolean;
}

const plainly: Folding['computing'] = (work) => work();

/** The greedy engine sees each place, and computes a constant once. */
export const IN_PLACE: Allowance = {
  dropping: 'stateless',
  refining: true,
  dividing: true,
  constantSize: Number.POSITIVE_INFINITY,
  computing: plainly,
};

/**
 * All members of a class have one type, and are evaluated wherever one is. Large constants are computed
 * at the end.
 */
export const IN_CLASSES: Allowance = {
  dropping: 'total',
  refining: false,
  dividing: true,
  constantSize: FOLDING.searches.resultElements,
  computing: plainly,
};

/**
 * The step by a rule for a match of all its left sides, or a refusal. The results equal the matched
 * expressions as partial functions if the step may drop only what is total; else they may have values
 * where those fail.
 */
export function applyRule(
  m: IRModule,
  { rule, rights, kept }: CompiledRule,
  roots: ReadonlyArray<Expr>,
  bindings: Bindings,
  allows: Allowance,
): Step | Refusal {
  const [first] = roots as readonly [Expr, ...Expr[]];
  const asks =
    rule.when.length + rule.profitable.length + rule.within.length + rule.computed.size > 0;
  const holes = asks ? holesIn(m, first, bindings, rule) : {};
  if (!rule.when.every((holds) => holds(holes))) return 'condition';
  if (!rule.profitable.every((holds) => holds(holes))) return 'cost';
  const hasEffects = roots.some((root) => isStateful(m, root));
  if (allows.dropping === 'total' && (hasEffects || dropsPartial(m, kept, bindings)))
    return 'effect';
  if (!allows.dividing && dividesOtherwise(rule)) return 'condition';
  if (rule.needs.includes('range') && !staysInRange(m, rule, first, bindings, holes))
    return 'range';
  const matched = [...bindings.terms.values()];
  const span = originOf(roots, bindings);
  for (const [name, compute] of rule.computed) {
    const value = compute(holes);
    if (isTensor(value) && isOutOfRange(value, matched)) return 'range';
    if (!bindComputed(name, value, bindings, span)) return 'condition';
  }
  const results: Expr[] = [];
  const made: Made = new Map();
  for (const [i, root] of roots.entries()) {
    const type = typeOf(m, root);
    const result = rightSide(m, rights[i] as Pattern, root, bindings, span, allows, made);
    if (result === undefined) return 'range';
    const own = typeOf(m, result);
    if (type === undefined || own === undefined) return 'type';
    const mayRefine = rule.refines && allows.refining;
    if (!typeEqual(type, own) && !(mayRefine && isRefined(type, own))) return 'type';
    results.push(result);
  }
  return hasEffects && !keepsEffects(m, roots, results, matched) ? 'effect' : { results, matched };
}

/**
 * Whether what a step computes on the way stays in the range of its type. In narrow floats the rule has
 * to say so; in others it is enough that no number of the match is extreme: what it is multiplied with
 * has other exponents to spare.
 */
function staysInRange(
  m: IRModule,
  { within }: Rule,
  root: Expr,
  { terms }: Bindings,
  holes: MatchedHoles,
): boolean {
  const dtype = dtypeOf(typeOf(m, root));
  if (!isDType(dtype) || !isFloat(dtype)) return true;
  if (isNarrow(dtype)) return within.length > 0 && within.every((holds) => holds(holes));
  return [...terms.values()].every((term) => {
    const data = constantOf(term);
    return (
      data === undefined || shapeSize(data.shape) !== 1 || isModerate(readNumber(data, 0), dtype)
    );
  });
}

/** Whether a rule computes a quotient by a reciprocal, which rounds twice. */
const dividesOtherwise = ({ needs, equations }: Rule): boolean =>
  needs.includes('arcp') &&
  equations.some(({ left }) => left._tag === 'Call' && left.op === 'divide');

/** Whether a number takes less than a quarter of the exponents of a type. */
function isModerate(value: number, dtype: DType): boolean {
  const size = Math.abs(value);
  const most = Number(dtypeInfo(dtype).max) ** (1 / 4);
  return size === 0 || (size >= 1 / most && size <= most);
}

/** The places of what a step replaces, and of the constants that it may merge. */
function originOf(roots: ReadonlyArray<Expr>, { nodes, terms }: Bindings): Span | undefined {
  const constants = [...terms.values()].filter(({ _tag }) => _tag === 'Constant');
  return mergeSpans(...[...roots, ...nodes, ...constants].map((part) => part.span));
}

/** Whether a tensor type tells all that another tells, and sizes that this leaves open. */
function isRefined(type: Type, own: Type): boolean {
  const [dims, told] = [dimsOf(type), dimsOf(own)];
  if (dims === undefined || dims.length !== told?.length) return false;
  if (dtypeOf(type) !== dtypeOf(own)) return false;
  return dims.every((dim, i) => isAnyDim(dim) || dimsEqual(dim, told[i] ?? dim));
}

/** What has been made of patterns, by the element type of numbers without one. */
type Made = Map<DType | undefined, Map<Pattern, Expr>>;

/** The right side for a match; `undefined` if a constant in it loses a value. */
export function rightSide(
  m: IRModule,
  p: Pattern,
  root: Expr,
  bindings: Bindings,
  span: Span | undefined,
  folding: Folding,
  made: Made = new Map(),
): Expr | undefined {
  const found = dtypeOf(typeOf(m, root));
  const dtype = isDType(found) ? found : undefined;
  const known = remember(made, dtype, () => new Map());
  return built(p, { m, bindings, dtype, span, folding, made: known });
}

/** Whether the right side leaves out something that may fail. */
function dropsPartial(m: IRModule, kept: ReadonlySet<string>, { terms }: Bindings): boolean {
  return [...terms].some(([name, expr]) => !kept.has(name) && !isTotal(m, expr));
}

/** The values of a match that conditions and computed holes are given. */
export function holesIn(
  m: IRModule,
  root: Expr,
  { terms, attrs }: Bindings,
  { chosen }: Rule,
): MatchedHoles {
  const holes: Record<string, MatchedHoles[string]> = {
    [RESULT]: matchedValueOf(m, root),
    [OPS]: m.ops,
  };
  for (const [name, expr] of terms) holes[name] = matchedValueOf(m, expr);
  for (const [name, value] of [...attrs, ...chosen]) holes[name] = value;
  return holes;
}

function bindComputed(
  name: string,
  value: ComputedValue,
  { terms, attrs }: Bindings,
  span: Span | undefined,
): boolean {
  if (value === undefined) return false;
  if (isTensor(value)) terms.set(name, constant(value, span));
  else if (isExpr(value)) terms.set(name, value);
  else attrs.set(name, value as AttrValue);
  return true;
}

/** The surroundings of the expressions that a step makes. */
interface Site {
  readonly m: IRModule;
  readonly bindings: Bindings;
  /** The element type of numbers without one. */
  readonly dtype: DType | undefined;
  readonly span: Span | undefined;
  readonly folding: Folding;
  /** What has been made: a pattern that a right side shares is one expression. */
  readonly made: Map<Pattern, Expr>;
}

/** The expression of a pattern; `undefined` if a constant in it loses a value. */
function built(p: Pattern, site: Site): Expr | undefined {
  const { m, bindings, dtype, span, made } = site;
  if (p._tag === 'Hole') return bindings.terms.get(p.name);
  if (p._tag === 'Number') {
    const of = p.dtype ?? dtype ?? 'float32';
    return holds(of, p.value) ? constant(scalar(p.value, of), span) : undefined;
  }
  if (p._tag === 'Composite') return compositeOf(p, site);
  const known = made.get(p);
  if (known !== undefined) return known;
  const parts: Expr[] = [];
  for (const inner of partsOf(p)) {
    const part = built(inner, site);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  if (p._tag === 'Tuple') return tuple(parts, span);
  if (p._tag === 'Field') return tupleGetItem(parts[0] as Expr, p.index, span);
  const result = computed(
    callOp(m.ops, p.op, parts, attrsFor(p, bindings.attrs), span),
    parts,
    site,
  );
  if (result !== undefined) made.set(p, result);
  return result;
}

/** The call, or its value if its arguments are constants; `undefined` if that loses a value. */
function computed(made: Expr, args: ReadonlyArray<Expr>, { m, folding }: Site): Expr | undefined {
  const value = foldedCall(m, made, args, folding);
  const isLost = (): boolean =>
    value === undefined ? losesLater(m, made) : losesValue(m, value, made, args);
  return folding.computing(isLost) ? undefined : (value ?? made);
}

/** A call of a function with the body of the pattern, whose parameters are its holes but for constants. */
function compositeOf({ attrs, body }: CompositePattern, site: Site): Expr | undefined {
  const { m, bindings, span } = site;
  const inner = new Map(bindings.terms);
  const params: Var[] = [];
  const args: Expr[] = [];
  for (const name of holesOf(body).terms) {
    const arg = bindings.terms.get(name) as Expr;
    if (constantOf(arg) !== undefined) continue;
    const param = variable(name, typeOf(m, arg));
    inner.set(name, param);
    params.push(param);
    args.push(arg);
  }
  const parts = { ...bindings, terms: inner };
  const value = built(body, { ...site, bindings: parts, made: new Map() });
  return value && call(func(params, value, { attrs, span }), args, { span });
}
