import * as baton from 'batonjs';
import { expect, it } from 'vitest';
import { expectFile } from '../blessed.ts';

/**
 * Messages, through `orThrow`, for mistakes with options, passes and built calls. They are mistakes
 * of JavaScript programs: TypeScript refuses most of them.
 */

const {
  checkEquivalent,
  evaluate,
  functionPass,
  optimize,
  orThrow,
  parseModule,
  passes,
  runPass,
  sequential,
  verify,
} = baton;
const ops: Loose = baton.ops;

// biome-ignore lint/suspicious/noExplicitAny: these are programs without types
type Loose = any;

const m: Loose = orThrow(
  parseModule(`#[version = "0.0.5"]
def @main(%x: Tensor[(1, 4, 8, 8), float32], %w: Tensor[(8, 4, 3, 3), float32]) {
  nn.relu(nn.conv2d(%x, %w))
}`),
);
const run = (pass: Loose, context?: Loose) => orThrow(runPass(pass, context)(m));
const x: Loose = m.functions.get('main').params[0];
const w: Loose = m.functions.get('main').params[1];

const golden = new URL('mistakes.txt', import.meta.url);

const MISTAKES: ReadonlyArray<readonly [string, () => unknown]> = [
  [
    'a disabled pass that is misspelled',
    () => run(optimize({ level: 3 }), { disabledPasses: ['FoldConstnat'] }),
  ],
  ['a required pass that there is not', () => run(optimize(), { requiredPasses: ['Bogus'] })],
  ['a level below all', () => run(optimize(), { level: -3 })],
  ['a level as a text', () => run(optimize({ level: '3' } as Loose))],
  ['an option of a pass that is misspelled', () => run(passes.fuseOps({ maxdepth: 3 } as Loose))],
  [
    'a pass that is misspelled',
    () => run(sequential([passes.foldConstant, (passes as Loose).foldScaleAxes])),
  ],
  [
    'a result in the place of its module',
    () => orThrow(runPass(optimize())(runPass(optimize())(m) as Loose)),
  ],
  [
    'a pass that returns a bare function',
    () => run(functionPass({ name: 'Mine', doc: '', level: 0, run: (f) => f as Loose })),
  ],
  [
    'a regime that there is not',
    () => orThrow(checkEquivalent(m, m, { regimes: ['exact'] } as Loose)),
  ],
  [
    'an instrument with a wrong option',
    () => run(optimize(), { instruments: [verify({ when: 'ende' } as Loose)] }),
  ],
  [
    'an argument that is misspelled',
    () => orThrow(evaluate(m, { x: baton.tensor.zeros([1, 4, 8, 8], 'float32'), v: 1 })),
  ],
  ['an entry that is misspelled', () => orThrow(evaluate(m, [], { entry: 'mian' }))],
  ['an attribute that is misspelled', () => ops.nn.conv2d(x, w, { kernal_size: [3, 3] })],
  ['an attribute of another type', () => ops.nn.conv2d(x, w, { strides: 2 })],
  ['an argument that is left out', () => ops.nn.conv2d(x)],
  ['a tensor in the place of an expression', () => ops.nn.relu(baton.tensor([1], [1], 'float32'))],
];

/** A place in a file, as an error prints it. */
const PLACE = /(?:file:\/\/)?[^\s(]*\/([\w.-]+):\d+:\d+/g;

/** The text of an error. */
function said(mistake: () => unknown): string {
  try {
    mistake();
  } catch (error) {
    if (!(error instanceof baton.DiagnosticsError)) throw error;
    return error.message;
  }
  return 'accepted';
}

it('U.4 U.11 mistakes with options, passes and built calls have the messages of the golden file', () => {
  const text = MISTAKES.map(([title, mistake]) => {
    return `# ${title}\n\n${said(mistake).replaceAll(PLACE, 'FILE:LINE')}\n`;
  }).join('\n');
  expectFile(golden, text);
});

it('the place of a mistake is the line that made it', () => {
  const files = MISTAKES.flatMap(([, mistake]) =>
    [...said(mistake).matchAll(PLACE)].map(([, file]) => file),
  );
  expect(new Set(files)).toEqual(new Set(['mistakes.test.ts']));
  expect(files.length).toBeGreaterThan(10);
});
