/** The graph of a program's `@main`, with the names of its inputs and outputs. */
import { run as nested, type Span, type Steps } from '@baton/base';
import { type Func, type Type, typeOf } from '@baton/ir';
import { notExportable } from '../diagnostics.ts';
import type { Operand } from '../operator-api/exporter.ts';
import { signatureOf } from '../signature.ts';
import { leavesOf, ownResults } from './branches.ts';
import { withContainers } from './containers.ts';
import { type BorderNames, dimensionNames } from './file.ts';
import { graphBuilder, type InnerGraph, operand } from './graph-builder.ts';
import { type ExportRun, needElementType, type Site } from './run.ts';
import { activation, evaluated, spanOf } from './trace.ts';
import { tupleOf, UNKNOWN, type Value } from './values.ts';

/** A graph with the names of its border. */
export interface MainGraph {
  readonly graph: InnerGraph;
  readonly border: BorderNames;
}

/** The graph of `@main`; problems are reported to the run. */
export function* mainGraph(run: ExportRun, main: Func): Steps<MainGraph> {
  const args: Value[] = [];
  for (const param of main.params) {
    const type = typeOf(run.module, param);
    args.push(yield* nested(inputOf(run, type, param.nameHint, spanOf(run, param))));
  }
  const inputs = (yield* nested(leavesOf(tupleOf(args)))) ?? [];
  const draft = graphBuilder(0, inputs);
  const frame = activation(main, args, { outer: undefined, draft, depth: 0 });
  const value = yield* nested(evaluated(main.body, frame, run));
  const span = spanOf(run, main);
  const site = { run, draft, span, origin: undefined };
  const signature = signatureOf(main.attrs);
  const contained = yield* nested(withContainers(site, value, signature));
  const tensors = contained ?? (yield* nested(leavesOf(value)));
  const isSilent = value !== UNKNOWN || run.problems.all() === undefined;
  if (tensors === undefined && isSilent) run.problems.add(notExportable(NO_TENSORS, span));
  const names = outputNames(main, tensors?.length ?? 0);
  const outputs = ownOutputs(site, tensors ?? [], names);
  return {
    graph: { draft, outputs },
    border: {
      inputs: inputs.map((input) => input.hint ?? ''),
      outputs: names,
      containers: contained === undefined ? [] : signature.containers,
      dims: dimensionNames(signature, inputs),
      defaults: signature.defaults,
      statesShapes: signature.statesShapes,
    },
  };
}

/**
 * The outputs with an `Identity` after those that the graph does not make, or gives twice. An input
 * that is an output under its own name is one in ONNX too.
 */
function ownOutputs(
  site: Site,
  tensors: ReadonlyArray<Operand>,
  names: ReadonlyArray<string>,
): ReadonlyArray<Operand> {
  const { inputs } = site.draft;
  const isSame = (tensor: Operand, i: number): boolean =>
    inputs.includes(tensor) && tensor.hint === names[i];
  const others = ownResults(
    site,
    tensors.filter((tensor, i) => !isSame(tensor, i)),
  );
  let next = 0;
  return tensors.map((tensor, i) => (isSame(tensor, i) ? tensor : (others[next++] ?? tensor)));
}

const NO_TENSORS = 'a result that is not a tensor or a tuple of tensors';

/** The value of a parameter: a tensor, or a tuple of tensors. */
function* inputOf(run: ExportRun, type: Type | undefined, name: string, span: Span): Steps<Value> {
  if (type?._tag === 'TensorType') {
    needElementType(run, type, span);
    return operand(type, { hint: name });
  }
  if (type?._tag !== 'TupleType') {
    run.problems.add(notExportable('a parameter that is not a tensor', span));
    return UNKNOWN;
  }
  const fields: Value[] = [];
  for (const [i, field] of type.fields.entries()) {
    fields.push(yield* nested(inputOf(run, field, `${name}.${i}`, span)));
  }
  return tupleOf(fields);
}

/**
 * The names of the `count` results of a function: those that its attribute `output_tensor_names`
 * states, else `output`, `output_1` and so on.
 */
export function outputNames(main: Func, count: number): ReadonlyArray<string> {
  const stated = signatureOf(main.attrs).outputNames;
  if (stated.length === count) return stated;
  return Array.from({ length: count }, (_, i) => (i === 0 ? 'output' : `output_${i}`));
}
