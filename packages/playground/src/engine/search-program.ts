/** Equality saturation of a program, round by round. */
import { isLeft, type Limits, type Result, right } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { runPass } from '@baton/pass-manager';
import { type SearchResult, saturate } from '@baton/rewrites';
import { printModule } from '@baton/text';
import type { Moment, ProofLine, Search } from '../protocol.ts';
import { setsOf } from './catalogue.ts';
import { egraphPicture } from './egraph-picture.ts';
import { estimatedMs, msOf } from './estimate.ts';

const NODE_LIMIT = 3_000;

/**
 * Saturates the regions of a program under the common rules and the user's. The moments are those
 * of the region with the most nodes, the last with the costs of all nodes; the proof has the steps
 * of all regions, one region after another.
 */
export function searchProgram(m: IRModule, own: string, limits: Limits): Result<Search> {
  const sets = [
    ...(setsOf('common', '') ?? []),
    ...(own.trim() === '' ? [] : (setsOf('own', own) ?? [])),
  ];
  const regions = new Map<unknown, Moment[]>();
  const momentsOf = (graph: unknown): Moment[] => {
    const moments = regions.get(graph) ?? [];
    regions.set(graph, moments);
    return moments;
  };
  const proof: ProofLine[] = [];
  const pass = saturate(sets, {
    nodeLimit: NODE_LIMIT,
    onRound: ({ graph, label, report }) => {
      const moments = momentsOf(graph);
      moments.push({
        title: `round ${moments.length + 1}`,
        ...egraphPicture({ graph, roots: [], label, isChosen: () => false }),
        nodes: report.nodes,
        classes: report.classes,
        rules: report.rules
          .filter(({ applied }) => applied > 0)
          .map(({ name, matches, applied }) => ({ name, matches, applied })),
      });
    },
    onResult: (result) => {
      momentsOf(result.graph).push(lastMoment(result));
      proof.push(...linesOf(result));
    },
  });
  const ran = runPass(pass, { limits })(m);
  if (isLeft(ran)) return ran;
  const { module, report } = ran.right;
  const largest = [...regions.values()].reduce<Moment[]>(
    (most, moments) => ((moments.at(-1)?.nodes ?? 0) > (most.at(-1)?.nodes ?? 0) ? moments : most),
    [],
  );
  const rows = report.tree.flatMap(({ counts }) => Object.keys(counts));
  const stops = rows.filter((row) => row.startsWith('stopped'));
  return right({
    moments: largest,
    stopped: stops.length === 0 ? 'saturated' : stops.join(', '),
    best: printModule(module, { meta: 'omit', showTypes: false }),
    cost: estimatedMs(module),
    unit: 'ms',
    proof,
  });
}

/** The e-graph at the end, with costs and the selected nodes. */
function lastMoment({ graph, label, costOf, isChosen }: SearchResult): Moment {
  const classes = graph.classes();
  return {
    title: 'the choice',
    ...egraphPicture({
      graph,
      roots: [],
      label,
      costOf: (node) => msOf(costOf(node)),
      isChosen,
    }),
    nodes: classes.reduce((sum, id) => sum + graph.nodes(id).length, 0),
    classes: classes.length,
    rules: [],
  };
}

function linesOf({ proof }: SearchResult): ReadonlyArray<ProofLine> {
  const steps = proof();
  if (isLeft(steps)) return [];
  return steps.right.map(({ rule, direction, before, after }) => ({
    term: `${before}\n= ${after}`,
    by: rule,
    direction,
  }));
}
