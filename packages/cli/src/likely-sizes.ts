/**
 * Likely sizes of the open dimensions of a model. Many graphs run only with few sizes, which are
 * hard to find: a list of rows of 2,520 elements, made of 24 channels, has 105 rows.
 */
import { isLeft } from '@baton/base';
import {
  bareAtom,
  type Call,
  type Dim,
  type Expr,
  isAnyDim,
  isStaticDim,
  postOrderExprs,
  type TypeVar,
  typeOf,
} from '@baton/ir';
import { kindColumn, type OpKind } from '@baton/ops';
import { type IRModule, inferTypes } from 'batonjs';

export interface LikelySizes {
  /** The first size that its calls suggest. */
  readonly likely: ReadonlyMap<TypeVar, number>;
  /** The least size with which no axis is empty. */
  readonly least: ReadonlyMap<TypeVar, number>;
}

export function likelySizes(m: IRModule): LikelySizes {
  const likely = new Map<TypeVar, number>();
  const least = new Map<TypeVar, number>();
  const typed = inferTypes(m);
  if (isLeft(typed)) return { likely, least };
  const dimsOf = (given: Expr): ReadonlyArray<Dim> => {
    // A broadcast widens types to one without names.
    const type = typeOf(typed.right, given._tag === 'Let' ? given.value : given);
    return type?._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape : [];
  };
  for (const expr of postOrderExprs([...typed.right.functions.values()])) {
    if (expr._tag !== 'Call') continue;
    const kind = expr.op._tag === 'Op' ? m.ops.read(kindColumn, expr.op.name) : undefined;
    for (const [variable, size] of sizesAt(expr, kind, dimsOf)) {
      if (!likely.has(variable)) likely.set(variable, size);
    }
    for (const dim of dimsOf(expr)) {
      const [variable, size] = placeOf(dim, 1) ?? [];
      if (variable === undefined || size === undefined) continue;
      least.set(variable, Math.max(least.get(variable) ?? 1, Math.ceil(size)));
    }
  }
  return { likely, least };
}

type Sizes = ReadonlyArray<readonly [TypeVar, number]>;

/** The sizes that a call suggests: of operands that broadcast, or of rows processed together. */
function sizesAt(
  call: Call,
  kind: OpKind | undefined,
  dimsOf: (expr: Expr) => ReadonlyArray<Dim>,
): Sizes {
  const [a = [], b = []] = call.args.map(dimsOf);
  const result = dimsOf(call);
  if (kind === 'elementwise') return besideEachOther(a, b, result);
  return kind === 'movement' && call.args.length === 1 ? ofRows(a, result) : [];
}

/** Names on axes, counted from the end, on which the other operand has a known size. */
function besideEachOther(
  a: ReadonlyArray<Dim>,
  b: ReadonlyArray<Dim>,
  result: ReadonlyArray<Dim>,
): Sizes {
  return result.flatMap((size, axis) => {
    const [one, other] = [a, b].map((dims) => dims[axis - result.length + dims.length]);
    const open = typeof one === 'number' ? other : one;
    const atom = open === undefined || isStaticDim(open) ? undefined : bareAtom(open);
    const isSize = typeof size === 'number' && size > 1;
    return atom?._tag === 'TypeVar' && isSize ? [[atom, size] as const] : [];
  });
}

function ofRows(from: ReadonlyArray<Dim>, to: ReadonlyArray<Dim>): Sizes {
  const [, ...row] = to;
  const length = row.filter(isStaticDim).reduce((x, y) => x * y, 1);
  if (row.length === 0 || !row.every(isStaticDim) || length < 2) return [];
  const each = from.filter(isStaticDim).reduce((x, y) => x * y, 1);
  // The first open axis counts the rows.
  const [, ...open] = from.filter((dim) => !isStaticDim(dim));
  return open.flatMap((dim) => {
    const [variable, size = 0] = placeOf(dim, length / each) ?? [];
    return variable !== undefined && Number.isInteger(size) && size > 0
      ? [[variable, size] as const]
      : [];
  });
}

/** The value of a dimension's only name with which the dimension becomes a number. */
function placeOf(dim: Dim, wanted: number): Sizes[number] | undefined {
  if (isStaticDim(dim) || isAnyDim(dim) || dim.terms.length !== 1) return undefined;
  const [{ coefficient, atoms } = { coefficient: 0, atoms: [] }] = dim.terms;
  const [atom, ...others] = atoms;
  const isName = atom?._tag === 'TypeVar' && others.length === 0 && coefficient > 0;
  return isName ? [atom, (wanted - dim.constant) / coefficient] : undefined;
}
