/** The page of the documentation that lists the rules, and the verdicts in it. */
import { RANGE_STATES, STATES, type State, type Verdict } from '@baton/proofs';
import type { Rule, RuleSet } from '@baton/rewrites';

/** Verdicts by the name of a set and of a rule. */
export type Verdicts = ReadonlyMap<string, Verdict>;

export const keyOf = (set: RuleSet, rule: Rule): string => `${set.name}: ${rule.name}`;

/** The page: each set as a table of its rules. */
export function pageOf(sets: ReadonlyArray<RuleSet>, verdicts: Verdicts): string {
  const all = sets.flatMap((set) => set.rules.map((rule) => verdicts.get(keyOf(set, rule))?.state));
  return [
    INTRODUCTION,
    `Of ${all.length} rules ${countsOf(all)}.`,
    ...sets.map((set) => tableOf(set, verdicts)),
  ]
    .join('\n\n')
    .concat('\n');
}

const INTRODUCTION = `# The rules

The rules that ship with Baton, and what is known of each. \`pnpm prove --write\` proves the rules and writes this page; [Write a rule](writing-rules.md#prove-it) says how to read it.`;

function tableOf(set: RuleSet, verdicts: Verdicts): string {
  const rows = set.rules.map((rule) => {
    const verdict = verdicts.get(keyOf(set, rule));
    return `${rowOf(rule, verdict)} ${verdict?.range ?? ''} |`;
  });
  return [`## ${set.name}`, '', HEAD_WITH_RANGE, ...rows].join('\n');
}

const HEAD = `| rule | equation | needs | orient | state | how it is known |
|---|---|---|---|---|---|`;

/** The head of a table that also says what is known of ranges. */
const HEAD_WITH_RANGE = `| rule | equation | needs | orient | state | how it is known | range |
|---|---|---|---|---|---|---|`;

const rowOf = ({ name, text, needs, orient }: Rule, verdict: Verdict | undefined): string =>
  `| ${cell(name)} | \`${cell(text)}\` | ${needs.join(' ')} | ${orient} | ${verdict?.state ?? ''} | ${cell(verdict?.reason ?? '')} |`;

/** A bar would end the cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

/** The page of XLA's rules in Relay's operators. */
export function xlaPageOf(rows: ReadonlyArray<XlaRow>, set: RuleSet, verdicts: Verdicts): string {
  const all = set.rules.map((rule) => verdicts.get(keyOf(set, rule))?.state);
  const lines = rows.map(({ name, reason }) => {
    const rule = set.rules.find((one) => one.name === name);
    if (rule !== undefined) return rowOf(rule, verdicts.get(keyOf(set, rule)));
    return `| ${name} | | | | not said | ${cell(reason ?? '')} |`;
  });
  const counts = `Of ${rows.length} rules Relay's operators say ${set.rules.length}: ${countsOf(all)}.`;
  return [XLA_INTRODUCTION, counts, [`## ${set.name}`, '', HEAD, ...lines].join('\n'), '']
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

/** A rule of XLA; with the reason if it is not stated. */
export interface XlaRow {
  readonly name: string;
  readonly reason: string | undefined;
}

const countsOf = (all: ReadonlyArray<State | undefined>): string =>
  STATES.map((state) => `${all.filter((s) => s === state).length} ${state}`).join(', ');

const XLA_INTRODUCTION = `# Rules of XLA

The rewrites of XLA's algebraic simplifier that [TensorRight](https://doi.org/10.1145/3704865) states and mostly proves for all ranks and sizes, in Relay's operators. A name is a file of TensorRight's repository and the position of a rule in it. \`pnpm prove --xla --write\` writes this page. Unless the page shows otherwise, a rule along one axis is stated along the first, and convolutions are one-dimensional.

\`divmod 8\` is refuted in this form: TensorRight requires that the sum has the sign of \`x\`, and a rule's conditions cannot express signs.`;

export function verdictsIn(page: string): Verdicts {
  const found = new Map<string, Verdict>();
  let set = '';
  for (const line of page.split('\n')) {
    if (line.startsWith('## ')) set = line.slice(3);
    const cells = line.split(/(?<!\\)\|/).map((part) => part.trim().replaceAll('\\|', '|'));
    const state = STATES.find((s) => s === cells[5]);
    const range = RANGE_STATES.find((s) => s === cells[7]);
    if (state === undefined) continue;
    const known = range === undefined ? {} : { range };
    found.set(`${set}: ${cells[1]}`, { state, reason: cells[6] ?? '', ...known });
  }
  return found;
}

/** The rules of which a page says more than is proved. */
export function overstated(page: string, verdicts: Verdicts): ReadonlyArray<string> {
  const said = verdictsIn(page);
  const rank = (verdict: Verdict | undefined): number =>
    verdict === undefined ? STATES.length : STATES.indexOf(verdict.state);
  return [...verdicts].flatMap(([key, verdict]) =>
    rank(said.get(key)) < rank(verdict) ? [key] : [],
  );
}
