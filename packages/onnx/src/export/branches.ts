/** Branches whose condition is known only at run time: `If`. */
import { run as nested, type Steps } from '@baton/base';
import { anyDim, dimsEqual, isAnyDim, type TensorType, tensorType } from '@baton/ir';
import { notExportable } from '../diagnostics.ts';
import type { Operand } from '../operator-api/exporter.ts';
import {
  type GraphBuilder,
  graphBuilder,
  type InnerGraph,
  MAX_GRAPH_DEPTH,
  operand,
} from './graph-builder.ts';
import { addNode, type Site } from './run.ts';
import { type Frame, tupleOf, UNKNOWN, type Value } from './values.ts';

/** The evaluation of a branch in an activation of its own. */
export type Branch = (frame: Frame) => Steps<Value>;

/** Adds an `If`, and gives its results in the form of the branches' values. */
export function* writeBranches(
  site: Site,
  outer: Frame,
  condition: Operand,
  [yes, no]: readonly [Branch, Branch],
): Steps<Value> {
  if (site.draft.depth >= MAX_GRAPH_DEPTH) {
    site.run.problems.add(notExportable(TOO_DEEP, site.span));
    return UNKNOWN;
  }
  const one = yield* nested(written(yes, outer));
  const other = yield* nested(written(no, outer));
  const graphs = [yield* nested(graphOf(site, one)), yield* nested(graphOf(site, other))] as const;
  const [then, otherwise] = graphs;
  if (then === undefined || otherwise === undefined) return UNKNOWN;
  const outputs = then.outputs.map(({ type }, i) =>
    operand(commonType(type, otherwise.outputs[i]?.type ?? type)),
  );
  addNode(site, {
    opType: 'If',
    inputs: [condition],
    outputs,
    attributes: {},
    graphs: { then_branch: then, else_branch: otherwise },
  });
  return yield* nested(rebuilt(one.value, [...outputs]));
}

const TOO_DEEP = `a branch inside of ${MAX_GRAPH_DEPTH} others`;

interface WrittenBranch {
  readonly value: Value;
  readonly draft: GraphBuilder;
}

function* written(branch: Branch, outer: Frame): Steps<WrittenBranch> {
  const draft = graphBuilder(outer.draft.depth + 1);
  return {
    draft,
    value: yield* nested(branch({ values: new Map(), outer, draft, depth: outer.depth })),
  };
}

/** The graph of a branch whose value is made of tensors. Its results are its own, and distinct. */
export function* graphOf(
  site: Site,
  { value, draft }: WrittenBranch,
): Steps<InnerGraph | undefined> {
  const tensors = yield* nested(leavesOf(value));
  if (tensors === undefined) {
    if (value !== UNKNOWN) site.run.problems.add(notExportable(NO_TENSORS, site.span));
    return undefined;
  }
  return { draft, outputs: ownResults({ ...site, draft }, tensors) };
}

const NO_TENSORS = 'a branch whose value is not a tensor or a tuple of tensors';

/** The tensors, with an `Identity` after those that the graph does not make, or returns twice. */
export function ownResults(site: Site, tensors: ReadonlyArray<Operand>): ReadonlyArray<Operand> {
  const own = new Set(site.draft.nodes.flatMap((node) => node.outputs));
  return tensors.map((tensor) => {
    if (own.delete(tensor)) return tensor;
    const copy = operand(tensor.type);
    const parts = { opType: 'Identity', attributes: {}, graphs: {} };
    addNode(site, { ...parts, inputs: [tensor], outputs: [copy] });
    return copy;
  });
}

/** The tensors of a value from left to right; `undefined` if it has others. */
export function* leavesOf(value: Value): Steps<Operand[] | undefined> {
  if (value._tag === 'Tensor') return [value];
  if (value._tag !== 'Tuple') return undefined;
  const leaves: Operand[] = [];
  for (const field of value.fields) {
    const inner = yield* nested(leavesOf(field));
    if (inner === undefined) return undefined;
    leaves.push(...inner);
  }
  return leaves;
}

/** A value of this form, with these tensors from left to right. */
export function* rebuilt(form: Value, tensors: Operand[]): Steps<Value> {
  if (form._tag === 'Tensor') return tensors.shift() ?? UNKNOWN;
  if (form._tag !== 'Tuple') return UNKNOWN;
  const fields: Value[] = [];
  for (const field of form.fields) fields.push(yield* nested(rebuilt(field, tensors)));
  return tupleOf(fields);
}

/**
 * The type of a value that has either type, which have one rank: sizes that differ are unknown. It is
 * `a` itself if nothing differs.
 */
export function commonType(a: TensorType, b: TensorType): TensorType {
  if ('_tag' in a.shape || '_tag' in b.shape) return a;
  const { shape } = b;
  const isWider = a.shape.map((dim, axis) => !isAnyDim(dim) && !dimsEqual(dim, shape[axis] ?? dim));
  if (!isWider.includes(true)) return a;
  return tensorType(
    a.shape.map((dim, axis) => (isWider[axis] ? anyDim : dim)),
    a.dtype,
  );
}
