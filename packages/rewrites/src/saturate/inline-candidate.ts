/** Functions whose bodies stand in the places of calls, and copies of them. */
import { remember } from '@baton/base';
import type { ClassId } from '@baton/egraph';
import {
  type Call,
  callGraph,
  copyExpr,
  type Expr,
  type Func,
  type IRModule,
  letIn,
  replaceTypeVars,
  type Type,
  type TypeArgs,
  typeEqual,
  typeOf,
  type Var,
  variable,
} from '@baton/ir';
import { isOpaque, placesOfParams, visibleIn } from '@baton/pass-manager';
import { inPlaceOf, typeArgsAt, withoutNames } from './aliases.ts';
import { isEverywhere, standIn } from './language.ts';
import type { Region } from './region.ts';

/** A function whose body may stand in the place of a call. */
export interface InlineCandidate {
  readonly f: Func;
  /** The number of nodes of a copy. */
  readonly size: number;
  /** The number of nodes of a copy in which copies stand in the places of all calls. */
  readonly wholeSize: number;
  /** For each parameter, whether only inner functions use it. */
  readonly isInside: ReadonlyArray<boolean>;
  /** The variables that kernels take from outside. */
  readonly captured: ReadonlySet<Var>;
}

/**
 * The functions of a module that may stand in the places of calls: they are not recursive.
 *
 * **Complexity** linear in the functions, over all questions about a module.
 */
export const inlineCandidates = (m: IRModule): ((name: string) => InlineCandidate | undefined) =>
  remember(finders, m, () => {
    const known = new Map<string, InlineCandidate | undefined>();
    let whole: WholeSizes | undefined;
    const made = (name: string): InlineCandidate | undefined => {
      const f = m.functions.get(name);
      if (f === undefined || isOpaque(f)) return undefined;
      whole ??= wholeSizes(m);
      const wholeSize = whole.get(name);
      if (wholeSize === undefined) return undefined;
      const plain = withoutNames(f, m);
      const { order, captured } = visibleIn(plain.body, m);
      const isInside = placesOfParams(plain);
      return { f: plain, size: order.length, wholeSize, isInside, captured };
    };
    return (name) => remember(known, name, () => made(name));
  });

const finders = new WeakMap<IRModule, (name: string) => InlineCandidate | undefined>();

/** The numbers of nodes of functions with copies of all that they call; none for recursive ones. */
type WholeSizes = ReadonlyMap<string, number>;

function wholeSizes(m: IRModule): WholeSizes {
  const { groups, recursive } = callGraph(m.functions);
  const sizes = new Map<string, number>();
  for (const name of groups.flat()) {
    const f = m.functions.get(name);
    if (f === undefined || recursive.has(name)) continue;
    const { order } = visibleIn(f.body, m);
    const called = order.flatMap((node) => (node._tag === 'Call' ? node.op : []));
    const inner = called.map((op) => (op._tag === 'GlobalVar' ? sizes.get(op.nameHint) : 0) ?? 0);
    sizes.set(
      name,
      inner.reduce((sum, size) => sum + size, order.length),
    );
  }
  return sizes;
}

/** An expression for a block, and the classes of what stands in it for values of the block. */
export interface Instance {
  readonly expr: Expr;
  readonly given: ReadonlyMap<Expr, ClassId>;
}

/**
 * A copy of a function's body for a call in a region, of the type of the call. A name, a constant and
 * what only gives a value stand where the parameter stood. Any other argument is bound in front of the
 * body, and so is one of another type, one that each call of a function inside would compute, and a
 * constant that a relation refuses. `undefined` if a type is not known.
 */
export function instanceOf(
  callee: InlineCandidate,
  call: Call,
  args: ReadonlyArray<ClassId>,
  region: Region,
): Instance | undefined {
  const { m, tellsMore } = region;
  const types = typeArgsAt(m, callee.f, call);
  if (types === undefined || args.length < callee.f.params.length) return undefined;
  for (const showsConstants of tellsMore ? [true, false] : [false]) {
    const given = args.map((id) => argumentOf(id, region, showsConstants));
    const known = given.filter((arg) => arg !== undefined);
    if (known.length < args.length) return undefined;
    const { bindings, values } = boundIn(callee, known, types);
    const copy = copyExpr(callee.f.body, { values, types });
    if (typeOf(m, copy) === undefined && showsConstants) continue;
    const expr = bindings.reduceRight(
      (rest, [bound, value]) => letIn(bound, value, rest, call.span),
      inPlaceOf(call, copy, region),
    );
    const leaves = known.flatMap(({ value, isAtom, id }) => (isAtom ? [] : [[value, id] as const]));
    return { expr, given: new Map(leaves) };
  }
  return undefined;
}

/** What stands for the parameters of a function, and which of it is bound in front of the body. */
function boundIn(
  { f, isInside, captured }: InlineCandidate,
  args: ReadonlyArray<Argument>,
  types: TypeArgs,
): { readonly bindings: ReadonlyArray<readonly [Var, Expr]>; readonly values: Map<Var, Expr> } {
  const { type: typed } = replaceTypeVars(types);
  const values = new Map<Var, Expr>();
  const bindings: (readonly [Var, Expr])[] = [];
  for (const [i, param] of f.params.entries()) {
    const { value, type, isAtom, isTotal, isSeen, isFree } = args[i] as Argument;
    const wanted = param.typeAnnotation && typed(param.typeAnnotation);
    const isSame = wanted === undefined || typeEqual(type, wanted);
    // A kernel takes variables and constants.
    const fits = isTotal && isSeen && isSame && (isAtom || !captured.has(param));
    if (fits && (isFree || isInside[i] !== true)) values.set(param, value);
    else {
      const bound = variable(param.nameHint, wanted, param.span);
      bindings.push([bound, value]);
      values.set(param, bound);
    }
  }
  return { bindings, values };
}

/** What stands for an argument in a copy. */
interface Argument {
  readonly id: ClassId;
  readonly value: Expr;
  readonly type: Type;
  /** Whether it is the same in every block. */
  readonly isAtom: boolean;
  readonly isTotal: boolean;
  /** Whether relations may read its value. */
  readonly isSeen: boolean;
  /** Whether it costs nothing to compute again. */
  readonly isFree: boolean;
}

function argumentOf(id: ClassId, region: Region, showsConstants: boolean): Argument | undefined {
  const term = region.termOf(id);
  const type = typeOf(region.m, term);
  if (type === undefined) return undefined;
  const isTotal = region.isTotal(id);
  const isAtom = isEverywhere(term);
  const isSeen = showsConstants || term._tag !== 'Constant';
  return {
    id,
    value: isAtom ? term : standIn(type, isTotal),
    type,
    isAtom,
    isTotal,
    isSeen,
    isFree: isAtom || (isTotal && term._tag === 'Function'),
  };
}
