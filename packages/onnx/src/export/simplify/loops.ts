/**
 * Loops: Relay has a function that calls itself under a condition, and carries all that it makes. `Loop`
 * counts its own steps, keeps what does not change outside, and joins a result of each step itself.
 */
import { fromNumbers, shapeSize } from '@baton/tensor';
import type { Operand } from '../../operator-api/exporter.ts';
import { constantOperand, type DraftNode, type InnerGraph, operand } from '../graph-builder.ts';
import { useCounts } from '../needed.ts';
import { knownSizes, numberAttribute, numbersOf, type Step, type Surroundings } from './steps.ts';

/** A tensor that a loop carries, or makes one part of in each step. */
interface Carried {
  readonly start: Operand | undefined;
  /** What the body sees of it. */
  readonly param: Operand;
  /** What the body makes of it. */
  readonly next: Operand;
  readonly output: Operand;
}

/** A loop whose carried tensors are taken apart. */
interface Parts {
  readonly node: DraftNode;
  readonly trips: Operand | undefined;
  readonly condition: Operand | undefined;
  readonly count: Operand;
  readonly goesOn: Operand;
  readonly goesOnNext: Operand;
  readonly carried: ReadonlyArray<Carried>;
  readonly nodes: ReadonlyArray<DraftNode>;
  readonly depth: number;
}

/** Sizes that a body reads of tensors around it are read once. */
export const hoisted: Step = (node) => {
  const body = node.opType === 'Loop' ? node.graphs.body : undefined;
  if (body === undefined) return undefined;
  const out = new Set<Operand>();
  const inside = new Set(body.draft.inputs);
  const kept: DraftNode[] = [];
  const moved: DraftNode[] = [];
  for (const one of body.draft.nodes) {
    const isOfOutside = one.inputs.every((input) => input === undefined || !inside.has(input));
    const reads =
      one.opType === 'Shape' || one.inputs.some((input) => input !== undefined && out.has(input));
    const isKnown = one.inputs.every(
      (input) => input?.constant !== undefined || input === undefined || out.has(input),
    );
    const isSize = SIZES.has(one.opType) && reads && (one.opType === 'Shape' || isKnown);
    const isResult = one.outputs.some((output) => body.outputs.includes(output));
    if (isOfOutside && isSize && !isResult) {
      moved.push(one);
      for (const output of one.outputs) out.add(output);
    } else {
      kept.push(one);
      for (const output of one.outputs) inside.add(output);
    }
  }
  if (moved.length === 0) return undefined;
  const graphs = { ...node.graphs, body: { ...body, draft: { ...body.draft, nodes: kept } } };
  return [...moved, { ...node, graphs }];
};

/** Nodes between a shape and a size of it. */
const SIZES: ReadonlySet<string> = new Set([
  'Add',
  'Cast',
  'Gather',
  'Reshape',
  'Shape',
  'Slice',
  'Squeeze',
  'Sub',
  'Unsqueeze',
]);

export const loops: Step = (node, graph) => {
  const given = partsOf(node);
  if (given === undefined) return undefined;
  let parts = counted(given, graph);
  parts = parts.carried.reduce((at, one) => withoutInvariant(at, one), parts);
  const scanned = parts.carried.filter((one) => partOfStep(parts, one) !== undefined);
  if (parts === given && scanned.length === 0) return undefined;
  return written(given, parts, scanned, graph);
};

function partsOf(node: DraftNode): Parts | undefined {
  const body = node.opType === 'Loop' ? node.graphs.body : undefined;
  const [count, goesOn, ...params] = body?.draft.inputs ?? [];
  const [goesOnNext, ...next] = body?.outputs ?? [];
  if (body === undefined || count === undefined || goesOn === undefined) return undefined;
  const [trips, condition, ...starts] = node.inputs;
  const carried = params.flatMap((param, i) => {
    const [made, output] = [next[i], node.outputs[i]];
    return made && output ? [{ start: starts[i], param, next: made, output }] : [];
  });
  // Results of steps are joined already.
  const isWhole = carried.length === params.length && next.length === params.length;
  if (!isWhole || goesOnNext === undefined) return undefined;
  const { nodes, depth } = body.draft;
  return { node, trips, condition, count, goesOn, goesOnNext, carried, nodes, depth };
}

/** The node of these that makes a tensor. */
const makerIn = (nodes: ReadonlyArray<DraftNode>, of: Operand | undefined): DraftNode | undefined =>
  of && nodes.find(({ outputs }) => outputs.includes(of));

const usesIn = ({ nodes, goesOnNext, carried, depth }: Parts): ReadonlyMap<Operand, number> =>
  useCounts({
    draft: { inputs: [], nodes: [...nodes], depth },
    outputs: [goesOnNext, ...carried.map(({ next }) => next)],
  });

/** The loop by the number of its steps, if it carries a counter and ends by it. */
function counted(parts: Parts, graph: Surroundings): Parts {
  const { nodes, carried, condition, goesOnNext } = parts;
  if (parts.trips !== undefined) return parts;
  const uses = usesIn(parts);
  for (const counter of carried) {
    const { start, param, next, output } = counter;
    const isFromZero = start?.constant !== undefined && String(numbersOf(start)) === '0';
    const isCounter = isFromZero && param.type.dtype === 'int64' && isNext(parts, counter);
    if (!isCounter || graph.uses(output) > 0 || uses.get(next) !== 2) continue;
    const last = bounded(makerIn(nodes, goesOnNext), next, (of) => makerIn(nodes, of));
    const first = bounded(graph.maker(condition), start, graph.maker);
    const isSame = last !== undefined && first !== undefined && last.bound === first.bound;
    if (!isSame || isInside(parts, last.bound)) continue;
    const others = carried.filter((one) => one !== counter);
    const rest = last.rest ?? parts.goesOn;
    const made = { ...parts, trips: last.bound, condition: first.rest, goesOnNext: rest };
    return replaced({ ...made, carried: others }, param, parts.count);
  }
  return parts;
}

/** Whether the next value of a carried tensor is one more. */
function isNext({ nodes }: Parts, { param, next }: Carried): boolean {
  const made = makerIn(nodes, next);
  const others = made?.inputs.filter((input) => input !== param) ?? [];
  return made?.opType === 'Add' && others.length === 1 && String(numbersOf(others[0])) === '1';
}

interface Bounded {
  readonly bound: Operand;
  /** What else must hold. */
  readonly rest: Operand | undefined;
}

/** The bound that a condition sets a tensor, and the rest of the condition. */
function bounded(
  made: DraftNode | undefined,
  of: Operand | undefined,
  maker: Surroundings['maker'],
): Bounded | undefined {
  const [a, b] = made?.inputs ?? [];
  if (made?.opType === 'Less') {
    const isOf =
      a === of ||
      (a?.constant !== undefined &&
        of?.constant !== undefined &&
        String(numbersOf(a)) === String(numbersOf(of)));
    return isOf && b !== undefined ? { bound: b, rest: undefined } : undefined;
  }
  if (made?.opType !== 'And') return undefined;
  for (const [less, rest] of [
    [a, b],
    [b, a],
  ]) {
    const inner = maker(less);
    const found = inner?.opType === 'Less' ? bounded(inner, of, maker) : undefined;
    if (found !== undefined) return { ...found, rest };
  }
  return undefined;
}

const isInside = ({ nodes, count, goesOn, carried }: Parts, of: Operand): boolean =>
  of === count ||
  of === goesOn ||
  carried.some(({ param }) => param === of) ||
  makerIn(nodes, of) !== undefined;

/** The loop without a tensor that each step leaves as it is. */
function withoutInvariant(parts: Parts, one: Carried): Parts {
  const { nodes, carried } = parts;
  const { start, param, next } = one;
  const made = makerIn(nodes, next);
  const source = made?.opType === 'Identity' ? made.inputs[0] : next;
  if (source !== param || start === undefined) return parts;
  const others = carried.filter((other) => other.output !== one.output);
  return replaced({ ...parts, carried: others }, param, start);
}

/** The loop with another tensor in place of one. */
function replaced(parts: Parts, from: Operand, to: Operand): Parts {
  const present = (of: Operand): Operand => (of === from ? to : of);
  return {
    ...parts,
    goesOnNext: present(parts.goesOnNext),
    carried: parts.carried.map((one) => ({ ...one, next: present(one.next) })),
    nodes: parts.nodes.map((node) => reading(node, present)),
  };
}

/** A node that reads other tensors, also in its graphs. Recursion is as deep as graphs nest. */
function reading(node: DraftNode, present: (of: Operand) => Operand): DraftNode {
  const within = ({ draft, outputs }: InnerGraph): InnerGraph => ({
    draft: { ...draft, nodes: draft.nodes.map((one) => reading(one, present)) },
    outputs: outputs.map(present),
  });
  const graphs = Object.entries(node.graphs).map(([name, inner]) => [name, within(inner)] as const);
  const inputs = node.inputs.map((input) => input && present(input));
  return { ...node, inputs, graphs: Object.fromEntries(graphs) };
}

/** What a step adds to a tensor that only grows, from none on. */
function partOfStep(parts: Parts, { start, param, next }: Carried): Operand | undefined {
  const { nodes } = parts;
  const joined = makerIn(nodes, next);
  const [before, added, ...more] = joined?.inputs ?? [];
  const isJoined = joined?.opType === 'Concat' && before === param && more.length === 0;
  if (!isJoined || numberAttribute(joined, 'axis') !== 0 || !start?.constant) return undefined;
  const uses = usesIn(parts);
  const isOwn = uses.get(param) === 1 && uses.get(next) === 1;
  const unsqueezed = makerIn(nodes, added);
  const isPart =
    unsqueezed?.opType === 'Unsqueeze' && String(numbersOf(unsqueezed.inputs[1])) === '0';
  const [part] = unsqueezed?.inputs ?? [];
  // Of a loop without steps the runtime knows the sizes.
  const isKnown = part !== undefined && knownSizes(part) !== undefined;
  const isEmpty = shapeSize(start.constant.shape) === 0 && start.constant.shape[0] === 0;
  return isOwn && isPart && isKnown && isEmpty ? part : undefined;
}

/** The condition that always holds. It may be left out only where others follow it. */
const always = (others: number): Operand | undefined =>
  others > 0 ? undefined : constantOperand(fromNumbers(Float64Array.of(1), [], 'bool'));

/** The nodes of a loop, and of the results that it no longer has. */
function written(
  given: Parts,
  parts: Parts,
  scanned: ReadonlyArray<Carried>,
  graph: Surroundings,
): ReadonlyArray<DraftNode> {
  const { node, trips, condition, count, goesOn, depth } = parts;
  const kept = parts.carried.filter((one) => !scanned.includes(one));
  const nodes = [...parts.nodes];
  const taken = new Set<Operand>();
  // A body makes each of its results, and each once.
  const own = (result: Operand): Operand => {
    const isOwn = makerIn(parts.nodes, result) !== undefined && !taken.has(result);
    if (isOwn) {
      taken.add(result);
      return result;
    }
    const copy = operand(result.type);
    nodes.push({
      ...node,
      opType: 'Identity',
      inputs: [result],
      outputs: [copy],
      attributes: {},
      graphs: {},
    });
    return copy;
  };
  const isTrue = (of: Operand | undefined): boolean =>
    of === undefined || (of.constant !== undefined && String(numbersOf(of)) === '1');
  const isCounted = isTrue(condition) && isTrue(parts.goesOnNext);
  const outputs = [
    own(isCounted ? goesOn : parts.goesOnNext),
    ...kept.map(({ next }) => own(next)),
    ...scanned.map((one) => own(partOfStep(parts, one) ?? one.next)),
  ];
  const inputs = [count, goesOn, ...kept.map(({ param }) => param)];
  const lost = given.carried.filter(
    ({ output, start }) =>
      start !== undefined &&
      graph.uses(output) > 0 &&
      !parts.carried.some((one) => one.output === output),
  );
  return [
    ...lost.map(({ start, output }) => ({
      ...node,
      opType: 'Identity',
      inputs: [start],
      outputs: [output],
      attributes: {},
      graphs: {},
    })),
    {
      ...node,
      inputs: [
        trips,
        isCounted ? always(kept.length) : condition,
        ...kept.map(({ start }) => start),
      ],
      outputs: [...kept, ...scanned].map(({ output }) => output),
      graphs: { body: { draft: { inputs, nodes, depth }, outputs } },
    },
  ];
}
