/**
 * Structural equality: up to the names of variables, sharing included
 * ([language §12](https://batonjs.github.io/baton/spec/language#12)). Spans, checked types and the
 * mark of literals are ignored.
 */
import { hashText, mixHash } from '@baton/base';
import { isBig, readNumber, type Tensor, tensorsEqual } from '@baton/tensor';
import { postOrderExprs } from '../expr/children.ts';
import type { Call, Clause, Expr, Func, Match, Pattern, Var } from '../expr/expr.ts';
import type { IRModule } from '../module/module.ts';
import type { OpTable } from '../ops/op-table.ts';
import { type Attrs, attrsEqual, noAttrs } from '../types/attrs.ts';
import type { Type, TypeArg, TypeData } from '../types/type.ts';
import { makePairSet } from './pair-set.ts';
import { makeRenaming, type Renaming } from './renaming.ts';
import {
  pairTypeParams,
  sameRelations,
  sameTypeArg,
  type TypeRenaming,
  typeEqual,
} from './type-equal.ts';

/** What counts as equal. */
export interface EqualOptions {
  /**
   * Whether a node that is used twice must correspond to one that is used twice. Constants and
   * names are compared by value in any case, since text does not show whether they are shared.
   * @defaultValue true
   */
  readonly compareSharing?: boolean;
  /**
   * Whether free variables may be renamed one to one; otherwise they must be the same objects.
   * @defaultValue false
   */
  readonly mapFreeVars?: boolean;
  /**
   * Operators whose calls may leave out attributes that have their default; for modules, their own.
   * Without it, a call without attributes equals one without attributes only.
   */
  readonly ops?: OpTable;
}

/**
 * Whether two expressions, or two modules, are equal up to the names of variables.
 *
 * **Complexity** linear in the distinct nodes.
 */
export function structuralEqual(
  a: Expr | IRModule,
  b: Expr | IRModule,
  options: EqualOptions = {},
): boolean {
  if (a._tag === 'IRModule' || b._tag === 'IRModule') {
    if (a._tag !== 'IRModule' || b._tag !== 'IRModule') return false;
    return modulesEqual(a, b, { ops: a.ops, ...options });
  }
  return expressionsEqual(a, b, options);
}

function expressionsEqual(a: Expr, b: Expr, options: EqualOptions): boolean {
  if (makeComparison(options, true)(a, b)) return true;
  // Hashes tell attributes that are left out from those that are written, so that they cannot
  // guide this comparison. It is made only where a call leaves attributes out.
  const { ops } = options;
  if (ops === undefined || !(hasBareCall(a, ops) || hasBareCall(b, ops))) return false;
  return makeComparison(options, false)(a, b);
}

/** Whether an operator with attributes is called without any. */
const hasBareCall = (root: Expr, ops: OpTable): boolean =>
  postOrderExprs([root]).some(
    (e) =>
      e._tag === 'Call' &&
      e.attrs === undefined &&
      e.op._tag === 'Op' &&
      (ops.get(e.op.name)?.attrs.fields.length ?? 0) > 0,
  );

/**
 * A hash that equal expressions, and equal modules, share, if calls of operators have all their
 * attributes, as the parser and the builders make them.
 */
export function structuralHash(of: Expr | IRModule): number {
  if (of._tag !== 'IRModule') return of.hash;
  let sum = of.functions.size;
  for (const [name, f] of of.functions) sum = (sum + mixHash(hashText(name), f.hash)) | 0;
  return sum;
}

function modulesEqual(a: IRModule, b: IRModule, options: EqualOptions): boolean {
  if (a.functions.size !== b.functions.size) return false;
  if (a.typeDefinitions.size !== b.typeDefinitions.size) return false;
  for (const [name, data] of a.typeDefinitions) {
    const other = b.typeDefinitions.get(name);
    if (other === undefined || !typeDataEqual(data, other)) return false;
  }
  for (const [name, f] of a.functions) {
    const other = b.functions.get(name);
    if (other === undefined || !expressionsEqual(f, other, options)) return false;
  }
  return true;
}

/** Whether two type definitions are equal: parameters up to their names, all else by name. */
export function typeDataEqual(a: TypeData, b: TypeData): boolean {
  const renaming: TypeRenaming = makeRenaming();
  return (
    a.extern === b.extern &&
    pairTypeParams(a.typeVars, b.typeVars, renaming) !== undefined &&
    a.constructors.length === b.constructors.length &&
    a.constructors.every((ctor, i) => {
      const other = b.constructors[i];
      return (
        other?.name === ctor.name &&
        other.inputs.length === ctor.inputs.length &&
        ctor.inputs.every((input, j) => typeEqual(input, other.inputs[j] as Type, renaming))
      );
    })
  );
}

interface Comparison {
  readonly vars: Renaming<Var>;
  readonly types: TypeRenaming;
  readonly mapFreeVars: boolean;
  /** The attributes of a call, with those that it leaves out. */
  readonly attrsOf: (call: Call) => Attrs;
  /** What is still to be compared: the two sides of a pair one after the other, the next one last. */
  readonly pending: Expr[];
}

function makeComparison(
  options: EqualOptions,
  readsHashes: boolean,
): (a: Expr, b: Expr) => boolean {
  const { compareSharing = true, mapFreeVars = false, ops } = options;
  return (rootA, rootB) => {
    const pending: Expr[] = [rootA, rootB];
    const shared: Renaming<Expr> = makeRenaming();
    const compared = makePairSet<Expr>();
    const comparison: Comparison = {
      vars: makeRenaming(),
      types: makeRenaming(),
      mapFreeVars,
      attrsOf: ({ attrs, op }) =>
        attrs ?? (op._tag === 'Op' ? defaultAttrs(op.name, ops) : noAttrs),
      pending,
    };
    const isNew = (a: Expr, b: Expr): boolean => isSmall(a) || compared.add(a, b);
    for (let b = pending.pop(); b !== undefined; b = pending.pop()) {
      const a = pending.pop() as Expr;
      if (a._tag !== b._tag || (readsHashes && a.hash !== b.hash)) return false;
      if (compareSharing && !isByValue(a)) {
        // Two nodes that are each other's only partners were compared when they first met.
        const meeting = shared.meet(a, b);
        if (meeting === 'known') continue;
        if (meeting === 'clash') return false;
      } else if (!isNew(a, b)) continue;
      if (!sameNode(a, b, comparison)) return false;
    }
    return true;
  };
}

function later({ pending }: Comparison, a: Expr, b: Expr): boolean {
  pending.push(a, b);
  return true;
}

/** Compares two lists, the first pair next. */
function allLater(
  { pending }: Comparison,
  as: ReadonlyArray<Expr>,
  bs: ReadonlyArray<Expr>,
): boolean {
  if (as.length !== bs.length) return false;
  for (let i = as.length - 1; i >= 0; i--) pending.push(as[i] as Expr, bs[i] as Expr);
  return true;
}

/** Whether comparing two of these costs less than remembering that it was done. */
const isSmall = (e: Expr): boolean =>
  e._tag === 'Constant' ? e.data.shape.length === 0 : isByValue(e);

/** What an operator's attributes are when none is written; none if that is not allowed. */
function defaultAttrs(name: string, ops: OpTable | undefined): Attrs {
  const decoded = ops?.get(name)?.attrs.decode(noAttrs);
  return decoded?._tag === 'Right' ? decoded.right : noAttrs;
}

const isByValue = (e: Expr): boolean =>
  e._tag === 'Constant' || e._tag === 'Op' || e._tag === 'GlobalVar' || e._tag === 'Constructor';

function sameNode(a: Expr, b: Expr, c: Comparison): boolean {
  switch (a._tag) {
    case 'Var':
      return b._tag === a._tag && sameVar(a, b, c);
    case 'GlobalVar':
    case 'Constructor':
      return b._tag === a._tag && a.nameHint === b.nameHint;
    case 'Constant':
      return b._tag === a._tag && sameTensor(a.data, b.data);
    case 'Op':
      return b._tag === a._tag && a.name === b.name;
    case 'Tuple':
      return b._tag === a._tag && allLater(c, a.fields, b.fields);
    case 'TupleGetItem':
      return b._tag === a._tag && a.index === b.index && later(c, a.tuple, b.tuple);
    case 'Function':
      return b._tag === a._tag && sameFunction(a, b, c);
    case 'Call':
      return (
        b._tag === a._tag &&
        attrsEqual(c.attrsOf(a), c.attrsOf(b)) &&
        a.attrsTypeKey === b.attrsTypeKey &&
        sameTypeArgs(a.typeArgs, b.typeArgs, c) &&
        later(c, a.op, b.op) &&
        allLater(c, a.args, b.args)
      );
    case 'Let':
      return (
        b._tag === a._tag &&
        pairBinders([a.variable], [b.variable], c) &&
        later(c, a.body, b.body) &&
        later(c, a.value, b.value)
      );
    case 'If':
      return (
        b._tag === a._tag &&
        allLater(c, [a.cond, a.trueBranch, a.falseBranch], [b.cond, b.trueBranch, b.falseBranch])
      );
    case 'Match':
      return b._tag === a._tag && sameMatch(a, b, c);
    case 'RefCreate':
      return b._tag === a._tag && later(c, a.value, b.value);
    case 'RefRead':
      return b._tag === a._tag && later(c, a.ref, b.ref);
    case 'RefWrite':
      return b._tag === a._tag && later(c, a.value, b.value) && later(c, a.ref, b.ref);
    case 'TempExpr':
      return a === b;
  }
}

/** Numbers are told apart without a view of their tensors. */
function sameTensor(a: Tensor, b: Tensor): boolean {
  if (a === b) return true;
  if (a.shape.length > 0 || b.shape.length > 0 || isBig(a.dtype)) return tensorsEqual(a, b);
  return a.dtype === b.dtype && Object.is(readNumber(a, 0), readNumber(b, 0));
}

function sameVar(a: Var, b: Var, { vars, types, mapFreeVars }: Comparison): boolean {
  const known = vars.arePaired(a, b);
  if (known !== undefined) return known;
  if (!mapFreeVars) return a === b;
  return vars.meet(a, b) !== 'clash' && sameAnnotation(a.typeAnnotation, b.typeAnnotation, types);
}

const sameAnnotation = (a: Type | undefined, b: Type | undefined, types: TypeRenaming): boolean =>
  a === undefined || b === undefined ? a === b : typeEqual(a, b, types);

const pairBinders = (as: ReadonlyArray<Var>, bs: ReadonlyArray<Var>, c: Comparison): boolean =>
  as.length === bs.length &&
  as.every((v, i) => {
    const w = bs[i] as Var;
    c.vars.bind(v, w);
    return sameAnnotation(v.typeAnnotation, w.typeAnnotation, c.types);
  });

const typesNow =
  (types: TypeRenaming) =>
  (as: ReadonlyArray<Type>, bs: ReadonlyArray<Type>): boolean =>
    as.length === bs.length && as.every((t, i) => typeEqual(t, bs[i] as Type, types));

const sameFunction = (a: Func, b: Func, c: Comparison): boolean =>
  pairTypeParams(a.typeParams, b.typeParams, c.types) !== undefined &&
  pairBinders(a.params, b.params, c) &&
  sameAnnotation(a.retType, b.retType, c.types) &&
  attrsEqual(a.attrs, b.attrs) &&
  sameRelations(a.constraints, b.constraints, typesNow(c.types)) &&
  later(c, a.body, b.body);

const sameTypeArgs = (
  a: ReadonlyArray<TypeArg>,
  b: ReadonlyArray<TypeArg>,
  c: Comparison,
): boolean =>
  a.length === b.length &&
  a.every((arg, i) => sameTypeArg(arg, b[i] as TypeArg, c.types, typesNow(c.types)));

const sameMatch = (a: Match, b: Match, c: Comparison): boolean =>
  a.complete === b.complete &&
  a.clauses.length === b.clauses.length &&
  a.clauses.every(({ pattern }, i) => samePattern(pattern, (b.clauses[i] as Clause).pattern, c)) &&
  allLater(
    c,
    a.clauses.map((x) => x.body),
    b.clauses.map((x) => x.body),
  ) &&
  later(c, a.data, b.data);

function samePattern(left: Pattern, right: Pattern, c: Comparison): boolean {
  const pending: [Pattern, Pattern][] = [[left, right]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [a, b] = next;
    if (a._tag === 'PatternWildcard' && b._tag === 'PatternWildcard') continue;
    if (a._tag === 'PatternVar' && b._tag === 'PatternVar') {
      if (!pairBinders([a.variable], [b.variable], c)) return false;
      continue;
    }
    const subs = subPatterns(a, b);
    if (subs === undefined) return false;
    pending.push(...subs);
  }
  return true;
}

/** The parts of two patterns of the same form, pairwise, or `undefined` if their forms differ. */
function subPatterns(a: Pattern, b: Pattern): [Pattern, Pattern][] | undefined {
  const parts =
    a._tag === 'PatternConstructor' && b._tag === 'PatternConstructor'
      ? a.ctor.nameHint === b.ctor.nameHint
      : a._tag === 'PatternTuple' && b._tag === 'PatternTuple';
  if (!parts || !('patterns' in a) || !('patterns' in b)) return undefined;
  if (a.patterns.length !== b.patterns.length) return undefined;
  return a.patterns.map((p, i): [Pattern, Pattern] => [p, b.patterns[i] as Pattern]);
}
