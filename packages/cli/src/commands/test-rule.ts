/** `baton test-rule`: tries the user's own rules on random instances of their left sides. */
import {
  type Diagnostics,
  isLeft,
  type Result,
  renderDiagnostics,
  right,
  table,
} from '@baton/base';
import type { Rule } from 'batonjs';
import { type Command, JSON_OPTION, type Session } from '../command.ts';
import { misuse } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Testing, Trial } from '../host.ts';
import { namedRules, ruleOption } from '../named-rules.ts';

export const testRule: Command = {
  name: 'test-rule',
  doc: 'runs your own rules on random programs, and reports those that change results',
  operands: ['FILE.mjs'],
  options: {
    ...ruleOption('test'),
    count: { type: 'string', value: 'N', doc: 'the number of instances of each rule. Default: 50' },
    seed: { type: 'string', value: 'N', doc: 'the seed of the random instances. Default: 0' },
    ...JSON_OPTION,
  },
  isConfigured: false,
  run: tested,
};

const SCHEMA = 'baton.test-rule/1';

interface Tried {
  readonly name: string;
  readonly found: Result<Trial>;
}

async function tested(session: Session): Promise<Result<ExitCode>> {
  const { host, operands } = session;
  const [path = ''] = operands;
  const numbers = numbersOf(session);
  if (isLeft(numbers)) return numbers;
  const rules = await namedRules(session, path);
  if (isLeft(rules)) return rules;
  const testing = await host.testing();
  if (isLeft(testing)) return testing;
  const tried = triedRules(session, testing.right, rules.right, numbers.right);
  host.progress.done();
  const isJson = session.has('json');
  if (isJson) host.print(JSON.stringify({ schema: SCHEMA, rules: tried.map(brief) }));
  else host.print(table(['rule', 'instances', 'programs', 'result'], tried.map(rowOf)));
  const problems = tried.flatMap(({ found }) => (isLeft(found) ? found.left : []));
  if (problems.length > 0) host.tell(renderDiagnostics(problems));
  return right(problems.length > 0 ? EXIT.findings : EXIT.ok);
}

function triedRules(
  { host }: Session,
  { testRule }: Testing,
  rules: ReadonlyArray<Rule>,
  numbers: Readonly<Record<string, number>>,
): ReadonlyArray<Tried> {
  return rules.map((rule, i) => {
    host.progress.step(`testing ${rule.name} (${i + 1} of ${rules.length})`);
    return { name: rule.name, found: testRule(rule, numbers) };
  });
}

function numbersOf({ text }: Session): Result<Readonly<Record<string, number>>> {
  const numbers: Record<string, number> = {};
  for (const option of ['count', 'seed']) {
    const given = text(option);
    if (given === undefined) continue;
    if (!/^\d+$/.test(given)) return misuse(`--${option} expects a number, found ${given}`);
    numbers[option] = Number(given);
  }
  return right(numbers);
}

const rowOf = ({ name, found }: Tried): ReadonlyArray<string> =>
  isLeft(found)
    ? [name, '', '', verdictOf(found.left)]
    : [name, String(found.right.instances), String(found.right.programs), 'same results'];

const brief = ({ name, found }: Tried) =>
  isLeft(found)
    ? { name, result: verdictOf(found.left), problem: found.left[0].message }
    : { name, result: 'same results', ...found.right };

const verdictOf = ([{ code }]: Diagnostics): string =>
  code === 'TESTING_RULE_DIFFERENT'
    ? 'other results'
    : code === 'TESTING_RULE_NEVER_FIRED'
      ? 'too few instances'
      : 'not tested';
