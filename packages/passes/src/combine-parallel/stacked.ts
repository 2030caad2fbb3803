/** Parallel calls as one batch, with their results stacked along a new first axis. */
import { type Expr, type IRModule, tuple, tupleGetItem, typeEqual, typeOf } from '@baton/ir';
import { callOp, dimsOf, formOf, type OpCall, operandOf } from '@baton/ops';
import { type Combination, type Joined, spanOf } from './joined.ts';

/** Dense layers of one size as a `nn.batch_matmul` of stacked data and stacked weights. */
export const stackedDense: Combination = {
  isHead: (m, call) => rankOf(m, operandOf(call, 0)) === 2,
  areAlike: (m, a, b) =>
    a.attrs.out_dtype === b.attrs.out_dtype && haveOneType(m, [operandOf(a, 1), operandOf(b, 1)]),
  heads: (m, calls) => {
    const [first] = calls;
    if (first === undefined) return undefined;
    const operands = [0, 1].map((at) =>
      stacked(
        m,
        calls.map((call) => operandOf(call, at)),
      ),
    );
    const attrs = { out_dtype: first.attrs.out_dtype ?? '', transpose_b: true };
    return joined(m, calls, callOp(m.ops, 'nn.batch_matmul', operands, attrs, spanOf(calls)));
  },
  followers: (m, calls, before) => {
    const [first] = calls;
    if (first === undefined) return undefined;
    const scalar = formOf(m.ops, first.op.name, 'Map');
    // An attribute that names an axis means another one in the batch.
    if (scalar === undefined || scalar.vectorAlong !== undefined) return undefined;
    const rank = rankOf(m, before.members[0] as Expr) ?? 0;
    const args = first.args.map((arg, at) => {
      if (arg === before.members[0]) return before.whole;
      const fields = calls.map((call) => operandOf(call, at));
      return haveOneType(m, fields) ? stackedOfRank(m, fields, rank) : undefined;
    });
    const known = args.filter((arg) => arg !== undefined);
    if (known.length < args.length) return undefined;
    return joined(m, calls, callOp(m.ops, first.op.name, known, first.attrs, spanOf(calls)));
  },
  parts: (m, { members, whole, axis }) => {
    const attrs = { indices_or_sections: members.length, axis };
    const all = callOp(m.ops, 'split', [whole], attrs, spanOf(members));
    return members.map(({ span }, i) =>
      callOp(m.ops, 'squeeze', [tupleGetItem(all, i, span)], { axis: [axis] }, span),
    );
  },
};

/** The calls as a batch, if it has the type of their results stacked. */
function joined(m: IRModule, members: ReadonlyArray<OpCall>, whole: Expr): Joined | undefined {
  const wanted = stacked(m, members);
  return haveOneType(m, [whole, wanted]) ? { members, whole, axis: 0 } : undefined;
}

/** Tensors along a new first axis, each with axes of size 1 in front up to this rank. */
function stackedOfRank(m: IRModule, fields: ReadonlyArray<Expr>, rank: number): Expr | undefined {
  const missing = rank - (rankOf(m, fields[0] as Expr) ?? rank + 1);
  if (missing < 0) return undefined;
  if (missing === 0) return stacked(m, fields);
  const attrs = { axis: 0, num_newaxis: missing };
  return stacked(
    m,
    fields.map((field) => callOp(m.ops, 'expand_dims', [field], attrs, field.span)),
  );
}

const stacked = (m: IRModule, fields: ReadonlyArray<Expr>): Expr =>
  callOp(m.ops, 'stack', [tuple(fields)], { axis: 0 }, spanOf(fields));

const rankOf = (m: IRModule, node: Expr): number | undefined => dimsOf(typeOf(m, node))?.length;

function haveOneType(m: IRModule, nodes: ReadonlyArray<Expr>): boolean {
  const [first, ...others] = nodes.map((node) => typeOf(m, node));
  return (
    first !== undefined && others.every((type) => type !== undefined && typeEqual(first, type))
  );
}
