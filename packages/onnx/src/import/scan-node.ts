/** `Scan`: a step for each slice of its last inputs. */
import { constant, type Expr } from '@baton/ir';
import { scalar } from '@baton/tensor';
import type { AttributeProto, GraphProto, NodeProto } from '../protobuf/messages.ts';
import { LATEST_OPSET } from './coverage.ts';
import {
  deliver,
  type Frame,
  graphOf,
  inputsOf,
  type Results,
  type Site,
  toolsOf,
} from './frames.ts';
import { type Around, type Iteration, iteration } from './unroll.ts';

/** Before this operator set, states and slices have a batch axis in front. */
const WITHOUT_BATCH = 9;

/** The frame of the first step. */
export function enterScan(site: Site): Frame | undefined {
  const body = graphOf(site, 'body');
  const inputs = inputsOf(site);
  if (body === undefined || inputs === undefined) return deliver(site, undefined);
  const opset = site.run.versions.get('') ?? LATEST_OPSET;
  const hasBatch = opset < WITHOUT_BATCH && !site.node.attributes.some(({ name }) => name === AXES);
  if (hasBatch && inputs[0] !== undefined) {
    const { context, checked } = toolsOf(site, inputs);
    const message = 'Scan with lengths of its own is not imported';
    const hint = 'write the node for operator set 9 or later, with a mask in its body';
    checked(() => context.fail('ONNX_UNSUPPORTED', message, hint));
    return deliver(site, undefined);
  }
  const present = inputs.filter((value) => value !== undefined);
  const { node, graph } = hasBatch ? overBatch(site.node, body) : { node: site.node, graph: body };
  return scan({ ...site, node }, graph, present, (results) => deliver(site, results));
}

/** An attribute that nodes with a batch axis do not have. */
const AXES = 'scan_input_axes';

/** A scan over the batch, with the same scan of each entry as its body. */
function overBatch(
  node: NodeProto,
  body: GraphProto,
): { readonly node: NodeProto; readonly graph: GraphProto } {
  const [, ...inputs] = node.inputs;
  const attributes = node.attributes.map((one) =>
    one.name === 'directions' ? { ...one, name: 'scan_input_directions' } : one,
  );
  const axes = (count: number): AttributeProto => ({
    name: AXES,
    value: { kind: 'ints', value: new Array<bigint>(count).fill(0n) },
  });
  const entry = { ...node, inputs, attributes: [...attributes, axes(inputs.length)] };
  const values = (names: ReadonlyArray<string>) => names.map((name) => ({ name, type: undefined }));
  const count = { kind: 'int', value: BigInt(inputs.length) } as const;
  return {
    node: { ...node, inputs, attributes: [{ name: 'num_scan_inputs', value: count }] },
    graph: {
      ...body,
      nodes: [entry],
      inputs: values(inputs),
      outputs: values(node.outputs),
      initializers: [],
      sparseInitializers: [],
    },
  };
}

/** A scan of states and slices without a batch axis. */
function scan(
  site: Site,
  body: GraphProto,
  inputs: ReadonlyArray<Expr>,
  done: Frame['next'],
): Frame | undefined {
  const { context, checked } = toolsOf(site, inputs);
  const { attributes } = context;
  const count = attributes.int('num_scan_inputs', 1);
  const states = inputs.slice(0, inputs.length - count);
  const columns = body.outputs.length - states.length;
  const list = (name: string): ReadonlyArray<number> => attributes.ints(name) ?? [];
  const scanned = inputs.slice(states.length).map((value, i) => {
    const axis = list('scan_input_axes')[i] ?? 0;
    const rank = context.dimsOf(value).length;
    const isBackwards = list('scan_input_directions')[i] === 1;
    return { value, axis: context.axis(axis, rank), isBackwards };
  });
  const length = checked(() => scanned[0] && lengthOf(site, scanned[0].value, scanned[0].axis));
  if (length === undefined) return done(undefined);
  const loop: Iteration = {
    body,
    first: () => states,
    hidden: 0,
    columns,
    goesOn: (place, _, around) => context.call('less', [place, around(length)]),
    inputs: (place, carried, around) => [
      ...carried,
      ...scanned.map(({ value, axis, isBackwards }) => {
        const at = isBackwards ? fromEnd(site, place, length, around) : place;
        return context.call('take', [around(value), at], { axis });
      }),
    ],
  };
  /** Rows are in front, in the order of the steps. */
  const placed = (results: ReadonlyArray<Expr>): ReadonlyArray<Expr> =>
    results.map((result, at) => {
      const i = at - states.length;
      if (i < 0) return result;
      const rank = context.dimsOf(result).length;
      const axis = context.axis(list('scan_output_axes')[i] ?? 0, rank);
      const isBackwards = list('scan_output_directions')[i] === 1;
      const ordered = isBackwards ? context.call('reverse', [result], { axis: 0 }) : result;
      if (axis === 0) return ordered;
      const others = Array.from({ length: rank - 1 }, (_, k) => k + 1);
      const axes = [...others.slice(0, axis), 0, ...others.slice(axis)];
      return context.call('transpose', [ordered], { axes });
    });
  return iteration(site, loop, (results: Results) =>
    done(results && checked(() => placed(results))),
  );
}

/** The number of slices. */
function lengthOf(site: Site, value: Expr, axis: number): Expr {
  const { context } = toolsOf(site, []);
  const shape = context.call('shape_of', [value], { dtype: 'int64' });
  return context.call('take', [shape, constant(scalar(axis, 'int64'), site.span)], { axis: 0 });
}

/** The place of a slice counted from the last. */
function fromEnd(site: Site, place: Expr, length: Expr, around: Around): Expr {
  const { context } = toolsOf(site, []);
  const last = context.call('subtract', [around(length), constant(scalar(1, 'int64'), site.span)]);
  return context.call('subtract', [last, place]);
}
