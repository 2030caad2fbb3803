/** Reduction of a case to the smallest graph on which the same path has the same kind of fault. */
import {
  elementNumber,
  type GraphProto,
  type ModelProto,
  type NodeProto,
  type ValueInfoProto,
} from '@baton/onnx';
import { sameShape, type Tensor } from '@baton/tensor';
import type { Runtime } from '../onnxruntime/installed.ts';
import { checkCase, type Finding, observed } from './check.ts';
import { type Case, type Feeds, graphOf, readsOf, tensorProto } from './model.ts';
import type { Path } from './paths.ts';

export interface Reduced {
  readonly subject: Case;
  readonly finding: Finding;
}

export interface ReduceOptions {
  readonly paths: ReadonlyArray<Path>;
  readonly runtime: Runtime;
  readonly now: () => number;
  /** **Units** milliseconds. */
  readonly limitMs: number;
}

export async function reduce(
  subject: Case,
  finding: Finding,
  { paths, runtime, now, limitMs }: ReduceOptions,
): Promise<Reduced> {
  const end = now() + limitMs;
  const asked = withBases(finding.path, paths).map((path) => ({
    ...path,
    share: 1,
    nodes: Number.POSITIVE_INFINITY,
  }));
  const only = finding.isSized ? sized(subject) : subject;
  const stillFails = async (candidate: Case): Promise<Finding | undefined> => {
    const checked = await checkCase(candidate, asked, runtime);
    if (checked._tag === 'Skipped') return undefined;
    return checked.findings.find((one) => isSameFault(one, finding));
  };
  const start = await stillFails(only);
  let best: Reduced =
    start === undefined ? { subject, finding } : { subject: only, finding: start };
  for (let isSmaller = true; isSmaller && now() < end; ) {
    isSmaller = false;
    for (const step of STEPS) {
      for (let from = 0; now() < end; ) {
        const candidates = await step(best, runtime);
        const found = await firstFailing(candidates, from, stillFails, () => now() < end);
        if (found === undefined) break;
        best = found.reduced;
        from = found.at;
        isSmaller = true;
      }
    }
  }
  return best;
}

/** A path, after those that it builds on. */
export function withBases(name: string, paths: ReadonlyArray<Path>): ReadonlyArray<Path> {
  const path = paths.find((one) => one.name === name);
  if (path === undefined) return [];
  return [...(path.base === undefined ? [] : withBases(path.base, paths)), path];
}

const isSameFault = (a: Finding, b: Finding): boolean =>
  a.path === b.path &&
  a.isSized === b.isSized &&
  a.kind === b.kind &&
  (a.kind === 'values' || a.kind === 'type' || shapeOfText(a.detail) === shapeOfText(b.detail));

/** A message without numbers and names, which a reduction changes. */
export const shapeOfText = (text: string): string =>
  text
    .replace(/^((in|out)put [a-z ]+|number of \w+): .*/, '$1')
    .replaceAll(/\b[A-Za-z]+_\d+\w*|'[^']*'|`[^`]*`|\d+/g, '·')
    .slice(0, 60);

type Step = (best: Reduced, runtime: Runtime) => Promise<ReadonlyArray<() => Case | undefined>>;

async function firstFailing(
  candidates: ReadonlyArray<() => Case | undefined>,
  from: number,
  stillFails: (candidate: Case) => Promise<Finding | undefined>,
  isOn: () => boolean,
): Promise<{ readonly reduced: Reduced; readonly at: number } | undefined> {
  for (let at = from; at < candidates.length && isOn(); at++) {
    const subject = candidates[at]?.();
    if (subject === undefined || graphOf(subject.model).nodes.length === 0) continue;
    const finding = await stillFails(subject);
    if (finding !== undefined) return { reduced: { subject, finding }, at };
  }
  return undefined;
}

/** The values of the first sample by name, and those of the others. */
async function valuesOf({ subject }: Reduced, runtime: Runtime): Promise<ReadonlyArray<Feeds>> {
  try {
    return await Promise.all(
      subject.samples.map((feeds) => observed(subject.model, feeds, runtime)),
    );
  } catch {
    return [];
  }
}

/** One value as the only output: first the failing outputs, then values inside, from the start. */
const singleOutput: Step = async (best, runtime) => {
  const { subject, finding } = best;
  const { outputs } = graphOf(subject.model);
  const kept = outputs.map(
    (output) => () => (outputs.length > 1 ? withGraph(subject, { outputs: [output] }) : undefined),
  );
  const failing = outputs.flatMap((output, i) =>
    finding.outputs.includes(output.name) ? [kept[i]] : [],
  );
  const runs = await valuesOf(best, runtime);
  const inside = graphOf(subject.model)
    .nodes.slice(0, -1)
    .flatMap((node) => node.outputs)
    .filter((name) => name !== '' && !outputs.some((o) => o.name === name));
  const early = inside.map((name) => () => {
    const info = infoOf(name, runs, () => undefined);
    return info && withGraph(subject, { outputs: [info] });
  });
  return [...failing.filter((one) => one !== undefined), ...kept, ...early];
};

const fewerOutputs: Step = async ({ subject }) => {
  const { outputs } = graphOf(subject.model);
  return outputs.map((output) => () => {
    const others = outputs.filter((one) => one !== output);
    return others.length === 0 ? undefined : withGraph(subject, { outputs: others });
  });
};

/** Turns a value into an input with the same elements, and drops the nodes that computed it. */
const cutAbove: Step = async (best, runtime) => {
  const { subject } = best;
  const runs = await valuesOf(best, runtime);
  const { nodes, outputs } = graphOf(subject.model);
  const read = new Set(nodes.flatMap(readsOf));
  for (const { name } of outputs) read.delete(name);
  return nodes
    .toReversed()
    .flatMap((node) =>
      node.outputs
        .filter((name) => read.has(name))
        .map((name) => () => asInput(subject, node, name, runs)),
    );
};

function asInput(
  subject: Case,
  node: NodeProto,
  name: string,
  runs: ReadonlyArray<Feeds>,
): Case | undefined {
  const graph = graphOf(subject.model);
  const info = infoOf(name, runs);
  const values = runs.map((run) => run.get(name));
  const [first] = values;
  if (info === undefined || first === undefined || values.includes(undefined)) return undefined;
  const hidden = node.outputs.map((output) => (output === name ? `${name}_old` : output));
  const nodes = graph.nodes.map((one) => (one === node ? { ...node, outputs: hidden } : one));
  // A constant stays a constant.
  if (!dependsOnInputs(graph, node)) {
    return withGraph(subject, {
      nodes,
      initializers: [...graph.initializers, tensorProto(name, first)],
    });
  }
  const cut = withGraph(
    {
      ...subject,
      samples: subject.samples.map((feeds, i) => new Map([...feeds, [name, values[i] as Tensor]])),
    },
    { nodes, inputs: [...graph.inputs, info] },
  );
  return cut;
}

function dependsOnInputs(graph: GraphProto, node: NodeProto): boolean {
  const reached = new Set(graph.inputs.map(({ name }) => name));
  for (const one of graph.nodes) {
    if (!readsOf(one).some((name) => reached.has(name))) continue;
    if (one === node) return true;
    for (const name of one.outputs) reached.add(name);
  }
  return false;
}

/** A node left out: its result is one of its operands of the same type. */
const bypass: Step = async (best, runtime) => {
  const { subject } = best;
  const graph = graphOf(subject.model);
  const runs = await valuesOf(best, runtime);
  const constants = new Set(graph.initializers.map(({ name }) => name));
  return graph.nodes.flatMap((node) =>
    node.inputs
      .filter((input) => input !== '' && !constants.has(input))
      .map((input) => () => {
        const [result] = node.outputs;
        if (result === undefined || node.outputs.length > 1 || !isAlike(runs, input, result))
          return undefined;
        const isOutput = graph.outputs.some(({ name }) => name === result);
        if (isOutput && graph.inputs.some(({ name }) => name === input)) return undefined;
        const rename = (name: string): string => (name === result ? input : name);
        const nodes = graph.nodes
          .filter((one) => one !== node)
          .map((one) => renamedReads(one, rename));
        const outputs = graph.outputs.map((output) => ({ ...output, name: rename(output.name) }));
        if (new Set(outputs.map(({ name }) => name)).size < outputs.length) return undefined;
        return withGraph(subject, { nodes, outputs });
      }),
  );
};

const isAlike = (runs: ReadonlyArray<Feeds>, a: string, b: string): boolean =>
  runs.length > 0 &&
  runs.every((run) => {
    const [x, y] = [run.get(a), run.get(b)];
    return x !== undefined && y !== undefined && x.dtype === y.dtype && sameShape(x.shape, y.shape);
  });

function renamedReads(node: NodeProto, rename: (name: string) => string): NodeProto {
  const attributes = node.attributes.map((attribute) => {
    const { value } = attribute;
    if (value.kind !== 'graph') return attribute;
    const nodes = value.value.nodes.map((inner) => renamedReads(inner, rename));
    return { ...attribute, value: { ...value, value: { ...value.value, nodes } } };
  });
  return { ...node, inputs: node.inputs.map(rename), attributes };
}

const plainer: Step = async ({ subject }) => {
  const graph = graphOf(subject.model);
  const changed = (node: NodeProto, parts: Partial<NodeProto>) => () =>
    withGraph(subject, {
      nodes: graph.nodes.map((one) => (one === node ? { ...node, ...parts } : one)),
    });
  return graph.nodes.flatMap((node) => [
    ...(node.inputs.length > 1 ? [changed(node, { inputs: node.inputs.slice(0, -1) })] : []),
    ...node.attributes.map((attribute) =>
      changed(node, { attributes: node.attributes.filter((one) => one !== attribute) }),
    ),
  ]);
};

const STEPS: ReadonlyArray<Step> = [singleOutput, fewerOutputs, cutAbove, bypass, plainer];

/** The case with another graph, without nodes that its outputs do not need. */
export function withGraph(subject: Case, parts: Partial<GraphProto>): Case {
  const { model, samples } = subject;
  const graph = { ...graphOf(model), ...parts };
  const needed = new Set(graph.outputs.map(({ name }) => name));
  const nodes = graph.nodes
    .toReversed()
    .filter((node) => {
      const isNeeded = node.outputs.some((name) => needed.has(name));
      if (isNeeded) for (const name of readsOf(node)) needed.add(name);
      return isNeeded;
    })
    .toReversed();
  const inputs = graph.inputs.filter(({ name }) => needed.has(name));
  const initializers = graph.initializers.filter(({ name }) => needed.has(name));
  const kept: ModelProto = { ...model, graph: { ...graph, nodes, inputs, initializers } };
  const names = new Set(inputs.map(({ name }) => name));
  const fed = samples.map((feeds) => new Map([...feeds].filter(([name]) => names.has(name))));
  return { model: kept, samples: fed, dims: dimsOf(inputs, fed) };
}

const dimsOf = (
  inputs: ReadonlyArray<ValueInfoProto>,
  [first]: ReadonlyArray<Feeds>,
): Case['dims'] =>
  Object.fromEntries(
    inputs.flatMap(({ name, type }) => {
      const sizes = type?._tag === 'Tensor' ? (type.shape ?? []) : [];
      return sizes.flatMap((dim, axis) => {
        const isOpen = dim === undefined || typeof dim === 'string';
        return isOpen ? [[dim ?? `${name}:${axis}`, first?.get(name)?.shape[axis] ?? 0]] : [];
      });
    }),
  );

function sized(subject: Case): Case {
  const { model, samples } = subject;
  const [first = new Map<string, Tensor>()] = samples;
  const inputs = graphOf(model).inputs.map((input): ValueInfoProto => {
    const t = first.get(input.name);
    const { type } = input;
    return t === undefined || type?._tag !== 'Tensor'
      ? input
      : { ...input, type: { ...type, shape: t.shape } };
  });
  const outputs = graphOf(model).outputs.map((output): ValueInfoProto => {
    const { type } = output;
    const shape =
      type?._tag === 'Tensor' && type.shape?.every((dim) => typeof dim === 'number')
        ? type.shape
        : undefined;
    return type?._tag === 'Tensor' ? { ...output, type: { ...type, shape } } : output;
  });
  return withGraph({ ...subject, samples: [first] }, { inputs, outputs });
}

/** The type of a value as the runs show it: a size that differs between them is open. */
function infoOf(
  name: string,
  runs: ReadonlyArray<Feeds>,
  nameOf: (sizes: ReadonlyArray<number | undefined>) => string | undefined = (sizes) =>
    `size_${sizes.join('_')}`,
): ValueInfoProto | undefined {
  const tensors = runs.flatMap((run) => run.get(name) ?? []);
  const [first] = tensors;
  if (first === undefined || tensors.length < runs.length) return undefined;
  const shape = first.shape.map((size, axis) => {
    const sizes = tensors.map((t) => t.shape[axis]);
    return sizes.every((one) => one === size) ? size : nameOf(sizes);
  });
  return { name, type: { _tag: 'Tensor', elemType: elementNumber(first.dtype), shape } };
}
