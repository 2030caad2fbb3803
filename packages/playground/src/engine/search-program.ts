/** Equality saturation of a program, round by round. */
import { isLeft, type Limits, type Result, right } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { runPass } from '@baton/pass-manager';
import * as rewrites from '@baton/rewrites';
import { saturate } from '@baton/rewrites';
import { printModule } from '@baton/text';
import type { Moment, ProofLine, Search } from '../protocol.ts';
import { setsOf } from './catalogue.ts';
import { egraphPicture } from './egraph-picture.ts';
import { estimatedMs } from './estimate.ts';

/** The most nodes of an e-graph that is shown. */
const NODE_LIMIT = 3_000;

/**
 * Saturates the regions of a program under the common rules and those of the user. The moments are those
 * of the region with the most nodes; the steps are those by which the greedy engine comes from the program
 * to its own result.
 */
export function searchProgram(m: IRModule, own: string, limits: Limits): Result<Search> {
  const sets = [
    ...(setsOf('common', '') ?? []),
    ...(own.trim() === '' ? [] : (setsOf('own', own) ?? [])),
  ];
  const regions = new Map<unknown, Moment[]>();
  const pass = saturate(sets, {
    nodeLimit: NODE_LIMIT,
    onRound: ({ graph, label, report }) => {
      const moments = regions.get(graph) ?? [];
      regions.set(graph, moments);
      moments.push({
        title: `round ${moments.length + 1}`,
        ...egraphPicture({ graph, roots: [], label, chosen: () => undefined }),
        nodes: report.nodes,
        classes: report.classes,
        rules: report.rules
          .filter(({ applied }) => applied > 0)
          .map(({ name, matches, applied }) => ({ name, matches, applied })),
      });
    },
  });
  const ran = runPass(pass, { limits })(m);
  if (isLeft(ran)) return ran;
  const { module, report } = ran.right;
  const explained = rewrites.explain(rewrites.greedy, sets, m);
  const steps = isLeft(explained) ? [] : proofOf(explained.right);
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
    proof: steps,
  });
}

function proofOf(explanation: rewrites.Explanation): ReadonlyArray<ProofLine> {
  return rewrites
    .printExplanation(explanation)
    .split(/\n(?=\d+\. )/)
    .filter((text) => text !== '')
    .map((text) => {
      const [head = '', ...lines] = text.split('\n');
      return { term: lines.join('\n'), by: head, direction: 'forward' };
    });
}
