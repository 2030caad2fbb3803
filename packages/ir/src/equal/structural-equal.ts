/**
 * Structural equality: up to the names of variables, sharing included
 * ([language §12](https://batonjs.github.io/baton/spec/language#12)). Spans, checked types and the
 * mark of literals are ignored.
 */
import { hashText, mixHash } from '@baton/base';
import { sortOf } from '../expr/children.ts';
import type { Expr } from '../expr/expr.ts';
import { postOrderExprs } from '../expr/walks.ts';
import type { IRModule } from '../module/module.ts';
import type { OpTable } from '../ops/op-table.ts';
import { type Attrs, noAttrs } from '../types/attrs.ts';
import type { Type, TypeData } from '../types/type.ts';
import { makePairSet } from './pair-set.ts';
import { makeRenaming, type Renaming } from './renaming.ts';
import type { Comparison } from './same-field.ts';
import { sameFields } from './same-fields.ts';
import { pairTypeParams, type TypeRenaming, typeEqual } from './type-equal.ts';

export interface EqualOptions {
  /**
   * Whether a node that is used twice must correspond to one that is used twice. Constants and
   * names are always compared by value, since text does not show whether they are shared.
   * @defaultValue true
   */
  readonly compareSharing?: boolean;
  /**
   * Whether free variables may be renamed one to one; otherwise they must be the same objects.
   * @defaultValue false
   */
  readonly mapFreeVars?: boolean;
  /**
   * Operators with default attributes, which their calls may leave out. Default: a module's own.
   * Without it, a call without attributes equals only one without attributes.
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
  if (a._tag === 'IRModule') {
    return b._tag === 'IRModule' && modulesEqual(a, b, { ops: a.ops, ...options });
  }
  return b._tag !== 'IRModule' && expressionsEqual(a, b, options);
}

function expressionsEqual(a: Expr, b: Expr, options: EqualOptions): boolean {
  if (makeComparison(options, true)(a, b)) return true;
  // Hashes distinguish missing attributes from written ones, so they cannot guide this comparison.
  // It is necessary only for a call with missing attributes.
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

/** A hash shared by equal expressions and modules, if calls of operators have all attributes. */
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
      if (!sameFields(a, b, comparison)) return false;
    }
    return true;
  };
}

/** Whether comparing two such nodes costs less than remembering it. */
const isSmall = (e: Expr): boolean =>
  e._tag === 'Constant' ? e.data.shape.length === 0 : isByValue(e);

/** An operator's default attributes; none if defaults are not allowed. */
function defaultAttrs(name: string, ops: OpTable | undefined): Attrs {
  const decoded = ops?.get(name)?.attrs.decode(noAttrs);
  return decoded?._tag === 'Right' ? decoded.right : noAttrs;
}

const isByValue = (e: Expr): boolean => sortOf(e) === 'value';
