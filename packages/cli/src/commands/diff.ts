/** `baton diff`: whether two models compute the same, and where they first differ. */
import { isLeft, type Result, right } from '@baton/base';
import { misstatedOutputs, portDifferences, portsOf } from '@baton/onnx';
import { scientific } from '@baton/report';
import { check, checkEquivalent, type Equivalence, type IRModule, passes, runPass } from 'batonjs';
import { type Command, JSON_OPTION, MODEL_OPTIONS, type Session } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { ROUNDING } from '../file-check.ts';
import { nameOf, openModel } from '../model-file.ts';
import { runtimeOption, sameInRuntime } from '../onnxruntime.ts';
import { showRegimes } from '../stages.ts';

export const diff: Command = {
  name: 'diff',
  doc: 'checks whether two models compute the same, and which node differs first',
  operands: ['MODEL', 'OTHER'],
  options: {
    ...MODEL_OPTIONS,
    strict: {
      type: 'boolean',
      doc: 'also count differences in rounding and in the signs of zeros',
    },
    with: runtimeOption(
      'run both ONNX files in onnxruntime too, if `onnxruntime-node` is installed',
    ),
    ...JSON_OPTION,
  },
  isConfigured: true,
  run: difference,
};

async function difference(session: Session): Promise<Result<ExitCode>> {
  const { host, operands } = session;
  const [path = '-', otherPath = '-'] = operands;
  const a = await openModel(session, path);
  if (isLeft(a)) return a;
  const b = await openModel(session, otherPath);
  if (isLeft(b)) return b;
  const found = checkEquivalent(a.right, b.right, {
    needs: session.has('strict') ? [] : ROUNDING,
    shouldStop: session.limits.shouldStop,
    onRegime: showRegimes(host),
  });
  if (isLeft(found)) return found;
  const first = firstOf(a.right, b.right, found.right);
  if (isLeft(first)) return first;
  const outside = await aroundPrograms(session, a.right, b.right);
  if (isLeft(outside)) return outside;
  const { ports, problems } = outside.right;
  host.progress.done();
  const { verdict, equivalent, regimes } = found.right;
  const node = first.right;
  if (session.has('json')) {
    const named = node && { node: check.nameOfCall(node.call), closest: closestName(node) };
    const result = {
      schema: SCHEMA,
      verdict,
      regimes: applied(regimes),
      ports,
      problems,
      ...named,
    };
    host.print(JSON.stringify(result));
  } else {
    host.print(inWords(found.right));
    if (node !== undefined) host.print(whereInWords(node, nameOf(path), nameOf(otherPath)));
    for (const line of [...ports, ...problems]) host.print(line);
  }
  return right(equivalent && problems.length === 0 ? EXIT.ok : EXIT.findings);
}

interface Around {
  /** Differences in the names and types of inputs and outputs, which may be intended. */
  readonly ports: ReadonlyArray<string>;
  /** Outputs that a file declares wrongly, and differences in onnxruntime. */
  readonly problems: ReadonlyArray<string>;
}

async function aroundPrograms(session: Session, a: IRModule, b: IRModule): Promise<Result<Around>> {
  const [path = '-', otherPath = '-'] = session.operands;
  const [first, second] = [portsOf(a), portsOf(b)];
  if (isLeft(first)) return first;
  if (isLeft(second)) return second;
  const files = [
    { name: path, ports: first.right },
    { name: otherPath, ports: second.right },
  ];
  const problems: string[] = [];
  for (const { name, ports } of files) {
    if (name === '-') continue;
    const bytes = await session.host.read(name);
    if (isLeft(bytes)) return bytes;
    problems.push(
      ...misstatedOutputs(ports, bytes.right).map(({ message }) => `${name}: ${message}`),
    );
  }
  const runtime = session.text('with');
  const runnables = [
    { name: nameOf(path), source: path },
    { name: nameOf(otherPath), source: otherPath },
  ] as const;
  const ran =
    runtime === undefined
      ? right(undefined)
      : await sameInRuntime(session.host, runtime, a, runnables);
  if (isLeft(ran) && ran.left.some(({ code }) => code !== 'EQUIV_DIFFERENT')) return ran;
  if (isLeft(ran)) problems.push(...ran.left.map(({ message }) => message));
  const ports = portDifferences(first.right, second.right).map(({ message }) => message);
  return right({ ports, problems });
}

const SCHEMA = 'baton.diff/1';

/** The node at which the second model first differs, on inputs that show a difference. */
function firstOf(
  a: IRModule,
  b: IRModule,
  { regimes }: Equivalence,
): Result<check.FirstDifference | undefined> {
  for (const regime of Object.values(regimes)) {
    if (regime._tag !== 'Applied' || regime.counterexample === undefined) continue;
    return check.firstDifference(asGraph(a), asGraph(b), regime.counterexample.inputs);
  }
  return right(undefined);
}

/** The program without bindings, so that its values can be compared one by one. */
function asGraph(m: IRModule): IRModule {
  const made = runPass(passes.toGraphNormalForm({ keepsEffects: true }))(m);
  return isLeft(made) ? m : made.right.module;
}

const applied = (regimes: Equivalence['regimes']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(regimes).map(([name, regime]) => [
      name,
      regime._tag === 'NotApplied' ? `not applied: ${regime.reason}` : words(regime.equal),
    ]),
  );

const words = (equal: boolean): string => (equal ? 'equal' : 'different');

function inWords(found: Equivalence): string {
  const lines = Object.entries(applied(found.regimes)).map(([name, what]) => `  ${name}: ${what}`);
  const how = found.verdict === 'different' ? `\n${check.describeDifference(found)}` : '';
  return [`the models are ${VERDICTS[found.verdict]}${how}`, ...lines].join('\n');
}

const VERDICTS: Readonly<Record<Equivalence['verdict'], string>> = {
  equal: 'equal on inputs of every kind that applies',
  different: 'different',
  unknown: 'not comparable by running them',
};

const closestName = ({ closest }: check.FirstDifference): string | undefined =>
  closest && check.nameOfCall(closest.call);

function whereInWords(node: check.FirstDifference, first: string, second: string): string {
  const where = `the first node of ${second} that differs: ${check.nameOfCall(node.call)}`;
  return node.closest === undefined
    ? `${where}; ${first} has no value of its shape`
    : `${where}; the closest of ${first} is ${check.nameOfCall(node.closest.call)}, off by ${scientific(node.closest.error)}`;
}
