/** The types of operator calls whose arguments have closed types, at import and at export. */
import { type Attrs, isStaticDim, type OpTable, type RelationContext, type Type } from '@baton/ir';
import { meetDTypes, solvedContext } from '@baton/ops';
import type { Tensor } from '@baton/tensor';

/** Reports the type error of a call. */
export type Report = (code: string, message: string, hint?: string) => undefined;

/** The arguments of a call, as far as its type relation reads them. */
export interface TypedArguments {
  readonly types: ReadonlyArray<Type>;
  /** The value of the argument at `index`, if it is known. */
  readonly constant: (index: number) => Tensor | undefined;
}

/**
 * The type of an operator call; `undefined` after `report`, or if too little is known. The
 * arguments have no holes, so relations are plain functions here and nothing needs solving.
 */
export const typeOfCall = (
  ops: OpTable,
  name: string,
  args: TypedArguments,
  attrs: Attrs,
  report: Report,
): Type | undefined => ops.get(name)?.relation(args.types, attrs, relationContext(args, report));

const relationContext = ({ constant }: TypedArguments, report: Report): RelationContext =>
  solvedContext({
    constant,
    unify: (a, b) => {
      if (mayBeEqual(a, b)) return true;
      report('ONNX_TYPE', 'the types of the inputs do not match');
      return false;
    },
    fail: report,
  });

/** Whether two types may be equal. Holes come only from relations that leave something open. */
function mayBeEqual(a: Type, b: Type): boolean {
  if (a._tag === 'IncompleteType' || b._tag === 'IncompleteType') return true;
  if (a._tag !== 'TensorType' || b._tag !== 'TensorType') return a._tag === b._tag;
  if (meetDTypes(a.dtype, b.dtype) === undefined) return false;
  const [left, right] = [a.shape, b.shape];
  if ('_tag' in left || '_tag' in right) return true;
  return (
    left.length === right.length &&
    left.every((dim, axis) => {
      const other = right[axis] as typeof dim;
      return !isStaticDim(dim) || !isStaticDim(other) || dim === other;
    })
  );
}
