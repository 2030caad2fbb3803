/** Runs a pipeline, keeping the program after each pass. */
import { isLeft, type Limits } from '@baton/base';
import { diffCalls, makeTextTable } from '@baton/drawing';
import type { IRModule } from '@baton/ir';
import { type PassReportEntry, runPass } from '@baton/pass-manager';
import * as rewrites from '@baton/rewrites';
import type { Fired, Step, StepResult, StepView, Trail } from '../protocol.ts';
import { aligned } from './aligned.ts';
import { passOf } from './catalogue.ts';
import { estimatedFigures } from './estimate.ts';
import { findingOf } from './findings.ts';
import type { EngineHost } from './host.ts';
import { textOf } from './programs.ts';
import { RULE_STATES } from './rule-states.ts';

export interface Ran {
  readonly trail: Trail;
  readonly modules: ReadonlyArray<IRModule>;
  readonly entries: ReadonlyArray<PassReportEntry | undefined>;
}

/** Allows passes of all levels: the list selects them. */
const LEVEL = 99;

export function runSteps(
  m: IRModule,
  steps: ReadonlyArray<Step>,
  limits: Limits,
  { now, progress }: Pick<EngineHost, 'now' | 'progress'>,
): Ran {
  const modules = [m];
  const results: StepResult[] = [];
  const entries: Array<PassReportEntry | undefined> = [];
  let before = estimatedFigures(m);
  const end = (left: Parameters<typeof findingOf>[0] | undefined): Ran => ({
    trail: { steps: results, findings: left === undefined ? [] : [findingOf(left)] },
    modules,
    entries,
  });
  const on = steps.filter(({ isOn }) => isOn);
  for (const [i, step] of on.entries()) {
    const pass = passOf(step);
    if (isLeft(pass)) return end(pass.left[0]);
    progress(`${pass.right.name} (${i + 1} of ${on.length})`);
    const given = modules.at(-1) ?? m;
    const ran = runPass(pass.right, { level: LEVEL, limits, now })(given);
    if (isLeft(ran)) return end(ran.left[0]);
    const { module, report } = ran.right;
    const after = module === given ? before : estimatedFigures(module);
    results.push({
      name: pass.right.name,
      doc: pass.right.doc,
      ms: report.ms,
      isChanged: module !== given,
      before,
      after,
    });
    modules.push(module);
    entries.push(report.tree.find(({ name }) => name === pass.right.name) ?? report.tree[0]);
    before = after;
  }
  return end(undefined);
}

export function stepView({ modules, entries }: Ran, index: number): StepView | undefined {
  const [before, after] = [modules[index], modules[index + 1]];
  if (before === undefined || after === undefined) return undefined;
  const texts = makeTextTable();
  const diff = diffCalls(before, after, texts);
  return {
    graphs: aligned(before, after, true).graphs,
    textBefore: textOf(before),
    textAfter: textOf(after),
    ...diff,
    texts: texts.all(),
    fired: firedIn(entries[index]),
  };
}

/** The counters of a pass and of those that it ran. */
function firedIn(entry: PassReportEntry | undefined): ReadonlyArray<Fired> {
  const counts = new Map<string, number>();
  const pending = entry === undefined ? [] : [entry];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [row, count] of Object.entries(next.counts)) {
      counts.set(row, (counts.get(row) ?? 0) + count);
    }
    pending.push(...next.children);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([row, count]) => ({ row, count, equation: EQUATIONS.get(row), state: RULE_STATES[row] }));
}

const EQUATIONS: ReadonlyMap<string, string> = new Map(
  rewrites.ruleSets.flatMap((set) =>
    isLeft(set) ? [] : set.right.rules.map(({ name, text }) => [name, text] as const),
  ),
);
