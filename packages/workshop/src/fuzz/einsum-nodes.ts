/** ONNX's rules of shapes for `Einsum`: onnxruntime may crash at a node that breaks them. */
import { isLeft } from '@baton/base';
import {
  type IRModule,
  inferTypes,
  isStaticDim,
  postOrderExprs,
  type Type,
  typeOf,
} from '@baton/ir';
import { isCallOf } from '@baton/ops';

/** The fault of the first `Einsum` that is no node of ONNX. */
export function misshapenEinsum(m: IRModule): string | undefined {
  const typed = inferTypes(m);
  if (isLeft(typed)) return undefined;
  for (const node of postOrderExprs([...typed.right.functions.values()])) {
    const [operands] = isCallOf(node, 'einsum') ? node.args : [];
    const type = operands && typeOf(typed.right, operands);
    if (!isCallOf(node, 'einsum') || type?._tag !== 'TupleType') continue;
    const equation = String(node.attrs?.equation);
    const problem = misshapen(equation, type.fields);
    if (problem !== undefined) return `Einsum ${equation}: ${problem}`;
  }
  return undefined;
}

/** Ellipses have one rank, and a letter has one size; only axes of an ellipsis are stretched. */
function misshapen(equation: string, types: ReadonlyArray<Type>): string | undefined {
  const [terms = ''] = equation.replaceAll(' ', '').split('->');
  const ranks = new Set<number>();
  const sizes = new Map<string, number>();
  for (const [i, term] of terms.split(',').entries()) {
    const type = types[i];
    if (type?._tag !== 'TensorType' || '_tag' in type.shape) continue;
    const { shape } = type;
    const [before = '', after] = term.split('...');
    const rank = shape.length - before.length - (after?.length ?? 0);
    if (after === undefined ? rank !== 0 : rank < 0) return `operand ${i} has ${shape.length} axes`;
    if (after !== undefined) ranks.add(rank);
    for (const [at, letter] of [...before, ...(after ?? '')].entries()) {
      const dim = shape[at < before.length ? at : at + rank];
      if (dim === undefined || !isStaticDim(dim)) continue;
      if ((sizes.get(letter) ?? dim) !== dim)
        return `${letter} has sizes ${sizes.get(letter)} and ${dim}`;
      sizes.set(letter, dim);
    }
  }
  return ranks.size > 1 ? `ellipses of ranks ${[...ranks].join(' and ')}` : undefined;
}
