/** Steps that make a graph smaller: what Relay says with several calls, ONNX says with one node. */
import type { OpTable } from '@baton/ir';
import type { Operand } from '../../operator-api/exporter.ts';
import type { InnerGraph } from '../graph-builder.ts';
import { needed } from '../needed.ts';
import type { ExportTarget } from '../options.ts';
import { batches, operands } from './batches.ts';
import { biases, gemms, shifts } from './biases.ts';
import { blocks } from './blocks.ts';
import { concats } from './concats.ts';
import { derivedIdioms } from './derived.ts';
import { expansions } from './expansions.ts';
import { withFills } from './fills.ts';
import { fusible, gelus } from './fusible.ts';
import { halves } from './halves.ts';
import { ALONE, BASIC, idioms, LARGER, WITHOUT_SCALE, WITHOUT_SHIFT } from './idioms.ts';
import { hoisted, loops } from './loops.ts';
import { narrowed } from './narrowed.ts';
import { paddedConvolutions } from './padded-convolutions.ts';
import { reductions } from './reductions.ts';
import { casts, stated, transposes } from './redundant.ts';
import { regrouped } from './regrouped.ts';
import { sinking } from './sinking.ts';
import { shapes, slices } from './slices.ts';
import { states } from './states.ts';
import type { Step } from './steps.ts';
import { stepped } from './steps.ts';
import { targets } from './targets.ts';
import { twins } from './twins.ts';
import { views } from './views.ts';
import { wholes } from './wholes.ts';

/** The steps that bring a graph into the form in which formulas are looked for. */
const FIRST: ReadonlyArray<Step> = [
  batches,
  operands,
  casts,
  transposes,
  views,
  idioms(BASIC),
  idioms(LARGER),
  idioms(WITHOUT_SHIFT),
  halves,
];

/** The steps after that. */
const LAST: ReadonlyArray<Step> = [
  idioms(WITHOUT_SCALE),
  idioms(ALONE),
  shifts,
  narrowed,
  reductions,
  wholes,
  states,
  stated,
  regrouped,
  sinking,
  paddedConvolutions,
  operands,
  gemms,
  biases,
  views,
  transposes,
  slices,
  shapes,
  expansions,
  targets,
  blocks,
  concats,
  gelus,
  fusible,
];

/** The steps that make no graph smaller, for the forms that onnxruntime fuses. */
const FOR_FUSION: ReadonlySet<Step> = new Set([halves, gelus, fusible]);

const NONE: ReadonlySet<Step> = new Set();

/** The graph after all steps, without nodes that nothing uses. */
export function simplified(
  graph: InnerGraph,
  ops: OpTable,
  { opset, target }: { readonly opset: number; readonly target: ExportTarget },
): InnerGraph {
  const skips = target === 'onnxruntime' ? NONE : FOR_FUSION;
  const wanted = (steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
    steps.filter((step) => !skips.has(step));
  const after = (before: InnerGraph, steps: ReadonlyArray<Step>): InnerGraph =>
    steps.reduce((at, step) => {
      const made = stepped(at, step, opset);
      return made === at ? at : needed(made);
    }, needed(before));
  const normalize = (of: InnerGraph): InnerGraph => after(of, FIRST);
  const derived = idioms(derivedIdioms(ops, opset, normalize));
  const formulas = stepped(after(graph, wanted(FIRST)), derived, opset, { asGiven: true });
  return withFills(
    needed(uncopied(after(formulas, [...wanted(LAST), hoisted, twins(), loops]))),
    opset,
  );
}

/** The graph with results in place of their copies. Recursion is as deep as graphs nest. */
function uncopied({ draft, outputs }: InnerGraph): InnerGraph {
  const nodes = draft.nodes.map((node) => {
    const graphs = Object.entries(node.graphs).map(([name, inner]) => [name, uncopied(inner)]);
    return graphs.length === 0 ? node : { ...node, graphs: Object.fromEntries(graphs) };
  });
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((result) => [result, node])));
  const taken = new Set(outputs);
  const direct = (output: Operand): Operand => {
    const made = makers.get(output);
    const [source] = made?.opType === 'Identity' ? made.inputs : [];
    if (source === undefined || !makers.has(source) || taken.has(source)) return output;
    taken.add(source);
    return source;
  };
  return { draft: { ...draft, nodes }, outputs: outputs.map(direct) };
}
