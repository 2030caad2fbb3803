/** `baton prove`: proves the user's own rules over all shapes and values, or refutes them. */
import { isLeft, type Result, renderDiagnostics, right } from '@baton/base';
import type { Rule } from 'batonjs';
import { type Command, JSON_OPTION, type Session } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Proofs, Proved } from '../host.ts';
import { namedRules, ruleOption } from '../named-rules.ts';

export const prove: Command = {
  name: 'prove',
  doc: 'proves your own rules, refutes them, or prints why neither is known',
  operands: ['FILE.mjs'],
  options: { ...ruleOption('prove'), ...JSON_OPTION },
  isConfigured: false,
  run: proved,
};

const SCHEMA = 'baton.prove/1';

interface Row {
  readonly name: string;
  readonly found: Result<Proved>;
}

async function proved(session: Session): Promise<Result<ExitCode>> {
  const { host, operands } = session;
  const rules = await namedRules(session, operands[0] ?? '');
  if (isLeft(rules)) return rules;
  const proofs = await host.proofs();
  if (isLeft(proofs)) return proofs;
  const rows = await verdictsOf(session, proofs.right, rules.right);
  host.progress.done();
  if (session.has('json')) host.print(JSON.stringify({ schema: SCHEMA, rules: rows.map(brief) }));
  else for (const row of rows) host.print(lineOf(row));
  const problems = rows.flatMap(({ found }) => (isLeft(found) ? found.left : []));
  if (problems.length > 0) host.tell(renderDiagnostics(problems));
  const isSound = rows.every(({ found }) => !isLeft(found) && found.right.state !== 'refuted');
  return right(isSound ? EXIT.ok : EXIT.findings);
}

async function verdictsOf(
  { host }: Session,
  { prove: proveRule, close }: Proofs,
  rules: ReadonlyArray<Rule>,
): Promise<ReadonlyArray<Row>> {
  const rows: Row[] = [];
  try {
    for (const [i, rule] of rules.entries()) {
      host.progress.step(`proving ${rule.name} (${i + 1} of ${rules.length})`);
      rows.push({ name: rule.name, found: await proveRule(rule) });
    }
  } finally {
    await close();
  }
  return rows;
}

const UNKNOWN = 'not understood';

function lineOf({ name, found }: Row): string {
  if (isLeft(found)) return `${name}: ${UNKNOWN}`;
  const { state, reason, range } = found.right;
  return `${name}: ${state}: ${reason}${range === undefined ? '' : `; range: ${range}`}`;
}

const brief = ({ name, found }: Row) =>
  isLeft(found)
    ? { name, state: UNKNOWN, reason: found.left[0].message }
    : { name, ...found.right };
