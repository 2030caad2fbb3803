/** Functions that call themselves until a value says stop: `Loop`. */
import { run as nested, type Steps } from '@baton/base';
import { tensorType } from '@baton/ir';
import { notExportable } from '../diagnostics.ts';
import type { Operand } from '../operator-api/exporter.ts';
import { commonType, leavesOf, ownResults, rebuilt } from './branches.ts';
import { type GraphBuilder, graphBuilder, MAX_GRAPH_DEPTH, operand } from './graph-builder.ts';
import { addNode, type Site } from './run.ts';
import { type Frame, tupleOf, UNKNOWN, type Value } from './values.ts';

/** The evaluation of a loop's parts in activations of its function. */
export interface LoopParts {
  /** The arguments of the first call. */
  readonly start: ReadonlyArray<Value>;
  readonly enter: (args: ReadonlyArray<Value>, draft: GraphBuilder) => Frame;
  /** Whether the loop goes on. */
  readonly goesOn: (frame: Frame) => Steps<Value>;
  /** The arguments of the next call. */
  readonly next: (frame: Frame) => Steps<ReadonlyArray<Value>>;
  readonly exit: (frame: Frame) => Steps<Value>;
}

/** Adds a `Loop`, and gives the value of its exit after the last step. */
export function* writeLoop(site: Site, goesOn: Operand, parts: LoopParts): Steps<Value> {
  const carried = yield* nested(leavesOf(tupleOf(parts.start)));
  const isTooDeep = site.draft.depth >= MAX_GRAPH_DEPTH;
  if (carried === undefined || isTooDeep) {
    site.run.problems.add(notExportable(isTooDeep ? TOO_DEEP : NO_TENSORS, site.span));
    return UNKNOWN;
  }
  let types = carried.map(({ type }) => type);
  for (;;) {
    const step = yield* nested(stepOf(site, parts, types));
    if (step === undefined) return UNKNOWN;
    const found = step.next.map(({ type }) => type);
    const wider = types.map((type, i) => commonType(type, found[i] ?? type));
    if (wider.every((type, i) => type === types[i])) {
      const outputs = types.map((type) => operand(type));
      const results = ownResults({ ...site, draft: step.draft }, [step.goesOn, ...step.next]);
      addNode(site, {
        opType: 'Loop',
        inputs: [undefined, goesOn, ...carried],
        outputs,
        attributes: {},
        graphs: { body: { draft: step.draft, outputs: results } },
      });
      const last = yield* nested(argsLike(parts.start, outputs));
      return yield* nested(parts.exit(parts.enter(last, site.draft)));
    }
    types = wider;
  }
}

const TOO_DEEP = `a loop inside of ${MAX_GRAPH_DEPTH} others`;
const NO_TENSORS = 'a loop that carries a value that is not a tensor or a tuple of tensors';

interface WrittenStep {
  readonly draft: GraphBuilder;
  readonly goesOn: Operand;
  readonly next: ReadonlyArray<Operand>;
}

/** A step as a graph, on carried tensors of these types. */
function* stepOf(
  site: Site,
  parts: LoopParts,
  types: ReadonlyArray<Operand['type']>,
): Steps<WrittenStep | undefined> {
  const carried = types.map((type) => operand(type));
  const count = operand(tensorType([], 'int64'), { hint: 'step' });
  const condition = operand(tensorType([], 'bool'), { hint: 'goes_on' });
  const draft = graphBuilder(site.draft.depth + 1, [count, condition, ...carried]);
  const args = yield* nested(argsLike(parts.start, carried));
  const next = yield* nested(parts.next(parts.enter(args, draft)));
  const goesOn = yield* nested(parts.goesOn(parts.enter(next, draft)));
  const leaves = yield* nested(leavesOf(tupleOf(next)));
  if (leaves === undefined || goesOn._tag !== 'Tensor') return undefined;
  return { draft, goesOn, next: leaves };
}

/** Arguments of the form of the first ones, made of these tensors. */
function* argsLike(
  start: ReadonlyArray<Value>,
  tensors: ReadonlyArray<Operand>,
): Steps<ReadonlyArray<Value>> {
  const value = yield* nested(rebuilt(tupleOf(start), [...tensors]));
  return value._tag === 'Tuple' ? value.fields : start;
}
