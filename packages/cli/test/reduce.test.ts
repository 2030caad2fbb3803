/** `baton reduce` on passes and rules of the user's own. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diagnostic } from '@baton/base';
import { fail, ok, parseModule, pass, passes, postOrderExprs, rule, ruleSet } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../src/exit-codes.ts';
import { baton } from './memory-host.ts';
import { wrong } from './wrong-pass.ts';

const RELAY = `#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]) {
  let %a = nn.relu(%x * 2f + %y);
  let %b = exp(%a) - tanh(%y);
  sigmoid(%b) * %a + sqrt(abs(%b))
}
`;
const files = { 'm.relay': RELAY };

/** Fails on programs that have a hyperbolic tangent, with their place in the message. */
const broken = pass({
  name: 'Broken',
  doc: 'Fails.',
  level: 0,
  run: (m) => {
    const exprs = [...postOrderExprs([...m.functions.values()])];
    const at = exprs.findIndex((e) => e._tag === 'Op' && e.name === 'tanh');
    return at < 0 ? ok(m) : fail(diagnostic('MINE', `no tanh, please: node ${at}`));
  },
});

const thrower = pass({
  name: 'Thrower',
  doc: 'Throws.',
  level: 0,
  run: (m) => {
    const exprs = [...postOrderExprs([...m.functions.values()])];
    if (exprs.some((e) => e._tag === 'Op' && e.name === 'exp')) throw new TypeError('a mistake');
    return ok(m);
  },
});

const reduceWith = (own: unknown, ...options: ReadonlyArray<string>) =>
  baton(['reduce', 'm.relay', '--pass', 'own.mjs', ...options], files, {
    modules: { 'own.mjs': { own } },
  });

const operatorsIn = (text: string): ReadonlyArray<string> =>
  text.match(/\b(?:exp|tanh|sigmoid|sqrt|abs|nn\.relu|multiply|add|subtract)(?=\()/g) ?? [];

describe('reduce', () => {
  it.each([
    ['fails', broken, ['tanh'], 'Broken fails: 1 operator call is left'],
    ['throws', thrower, ['exp'], 'Thrower fails: 1 operator call is left'],
  ])('shrinks a program on which a pass %s', async (_, own, operators, message) => {
    const { code, out, log } = await reduceWith(own, '--json');
    expect([code, log]).toEqual([EXIT.findings, expect.stringContaining(message)]);
    const { program, stop, schema } = JSON.parse(out);
    expect([schema, stop, operatorsIn(program)]).toEqual(['baton.reduce/1', 'minimal', operators]);
  });

  it('shrinks a program of which a pass changes the values, and prints it as Relay text', async () => {
    const { code, out, log, text } = await reduceWith(
      wrong,
      '-o',
      'small.relay',
      '--test',
      't.mjs',
    );
    expect([code, out]).toEqual([EXIT.findings, '']);
    expect(log).toContain('Wrong changes what the model computes');
    expect(operatorsIn(text('small.relay')).length).toBeLessThanOrEqual(1);
    expect(parseModule(text('small.relay'))._tag).toBe('Right');
    expect(text('t.mjs')).toContain("from './own.mjs'");
    const printed = await reduceWith(wrong);
    expect(printed.out).toContain(text('small.relay').trim());
    expect(printed.out).toContain('test("Wrong keeps what the program computes"');
  });

  it('the test fails with the pass, and holds without its fault', async () => {
    const { text } = await reduceWith(broken, '--test', 'test/small.test.mjs');
    const folder = mkdtempSync(fileURLToPath(new URL('../dist/reduce-', import.meta.url)));
    try {
      const outcome = (source: string): string => {
        writeFileSync(join(folder, 'own.mjs'), source);
        writeFileSync(
          join(folder, 'small.test.mjs'),
          text('test/small.test.mjs').replace('../own', './own'),
        );
        try {
          return execFileSync(process.execPath, ['--test', folder], { encoding: 'utf8', env: {} });
        } catch (error) {
          return String((error as { readonly stdout?: string }).stdout);
        }
      };
      const own = (result: string): string => `import { diagnostic, fail, ok, pass } from 'batonjs';
        export const own = pass({ name: 'Own', doc: 'Own.', level: 0, run: (m) => ${result} });`;
      expect(outcome(own("fail(diagnostic('MINE', 'broken'))"))).toMatch(/# fail 1|fail 1/);
      expect(outcome(own('ok(m)'))).toMatch(/# pass 1|pass 1/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('takes rules and the passes of the settings', async () => {
    const mine = ruleSet('mine', [rule('lie', 'sqrt(abs(?a))', 'abs(?a)')]);
    const argv = ['reduce', 'm.relay', '--level', '0', '--rules', 'mine.mjs', '--json'];
    const ruled = await baton(argv, files, { modules: { 'mine.mjs': { mine } } });
    expect(ruled.code).toBe(EXIT.findings);
    const left = new Set(operatorsIn(JSON.parse(ruled.out).program));
    expect(left).toEqual(new Set(['abs', 'sqrt']));
    const config = { passes: [passes.deadCodeElimination, broken] };
    const settled = await baton(['reduce', 'm.relay', '--json'], files, { config });
    expect(operatorsIn(JSON.parse(settled.out).program)).toEqual(['tanh']);
    expect(JSON.parse(settled.out).test).toBe(null);
  });

  it('says that nothing is wrong', async () => {
    const { code, out } = await reduceWith(passes.foldConstant);
    expect([code, out]).toEqual([
      EXIT.ok,
      expect.stringContaining('changes nothing that the model'),
    ]);
  });

  it.each([
    [['--pass', 'no.mjs'], EXIT.input, 'no.mjs cannot be read'],
    [['--pass', 'none.mjs'], EXIT.input, 'it exports no pass'],
    [['--test', 't.mjs'], EXIT.usage, '--test needs --pass'],
    [['--pass', 'own.mjs', '--attempts', '0'], EXIT.usage, '--attempts expects a number'],
  ])('refuses %j', async (argv, exit, message) => {
    const modules = { 'none.mjs': { none: 1 }, 'own.mjs': { own: wrong } };
    const { code, log } = await baton(['reduce', 'm.relay', ...argv], files, { modules });
    expect([code, log]).toEqual([exit, expect.stringContaining(message)]);
  });

  it('stops where the attempts run out', async () => {
    const { out } = await reduceWith(broken, '--attempts', '1', '--json');
    expect(JSON.parse(out)).toMatchObject({ stop: 'budget', attempts: 1 });
  });
});
