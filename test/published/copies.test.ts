/**
 * Two copies of Baton in one process: `batonjs` is one file with everything, and a user may also import a
 * single package. Each copy takes the programs, passes, rules, operators and errors of
 * the other as its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { printValue } from '@baton/executor';
import { GROUPS, type Group, inputsFor, passesOf, subjectOf } from '@baton/testing';
import * as tree from 'batonjs';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { amount } from '../tier.ts';

type Baton = typeof tree;

const folder = mkdtempSync(join(tmpdir(), 'baton-copies-'));
let copy: Baton;
beforeAll(async () => {
  const outfile = join(folder, 'copy.mjs');
  const entry = fileURLToPath(new URL('../../packages/baton/dist/index.js', import.meta.url));
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module'],
  });
  copy = (await import(pathToFileURL(outfile).href)) as Baton;
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** The text of a result, or its errors. */
const told = (result: tree.Result<tree.PassResult>): string =>
  tree.isLeft(result) ? tree.renderDiagnostics(result.left) : tree.printModule(result.right.module);

const SEED = 20_260_088;

/** A pass of either copy. */
type PassOf = (baton: Baton) => tree.Pass;

/** A pass by its name in the namespace `passes`. */
const named = (name: string): PassOf | undefined => {
  const of: PassOf = (baton) => Reflect.get(baton.passes, name);
  return of(tree) === undefined ? undefined : of;
};

/** The passes that change programs of a group, the levels, and both engines with rules of either copy. */
function passesFor(group: Group): ReadonlyArray<readonly [string, PassOf]> {
  const own = passesOf(group).flatMap(({ name }) => {
    const of = named(name);
    return of === undefined ? [] : [[name, of] as const];
  });
  return [
    ...own,
    ...([1, 2, 3] as const).map(
      (level) => [`level ${level}`, (baton: Baton) => baton.optimize({ level })] as const,
    ),
    ['greedy', (baton) => baton.greedy(baton.rewrites.commonSets, { skipUnknown: true })],
    ['rules of this copy', (baton) => baton.greedy(tree.rewrites.commonSets)],
    ['saturate', (baton) => baton.saturate(tree.rewrites.commonSets, { nodeLimit: 400 })],
  ];
}

const PROGRAMS = amount(20, { quick: 1 });

describe('two copies of Baton in one process', () => {
  it.each(GROUPS.map((group) => [group.name, group] as const))(
    'run the passes of the other on programs with the theme %s, with the same result',
    (_, group) => {
      let changed = 0;
      for (let i = 0; i < PROGRAMS; i++) {
        const { module } = subjectOf(group, SEED, i);
        for (const [name, of] of passesFor(group)) {
          const expected = told(tree.runPass(of(tree))(module));
          if (expected !== tree.printModule(module)) changed++;
          const others = {
            'their pass': told(tree.runPass(of(copy))(module)),
            'their runner': told(copy.runPass(of(tree))(module)),
            'their pass and runner': told(copy.runPass(of(copy))(module)),
          };
          for (const [who, text] of Object.entries(others))
            expect(text, `${name}, ${who}`).toBe(expected);
        }
      }
      expect(changed).toBeGreaterThanOrEqual(PROGRAMS);
    },
  );

  it.each(GROUPS.map((group) => [group.name, group] as const))(
    'give the values of the other, with the theme %s',
    (_, group) => {
      for (let i = 0; i < PROGRAMS; i++) {
        const { module, seed } = subjectOf(group, SEED, i);
        const inputs = inputsFor(module.functions.get('main') as tree.Func, seed);
        const [mine, theirs] = [tree.evaluate(module, inputs), copy.evaluate(module, inputs)];
        if (tree.isLeft(mine) || tree.isLeft(theirs)) {
          expect(theirs).toEqual(mine);
          continue;
        }
        expect(printValue(theirs.right)).toBe(printValue(mine.right));
        expect(copy.toData(mine.right)).toEqual(tree.toData(mine.right));
      }
    },
  );

  it('compare under the freedoms that the passes of the other declared', () => {
    const of = (body: string) =>
      tree.orThrow(
        tree.parseModule(`#[version = "0.0.5"]\ndef @main(%x: Tensor[(64), float32]) { ${body} }`),
      );
    const [program, other] = [of('%x / 3f'), of('%x * 0.33333334f')];
    const loose = (baton: Baton) =>
      baton.functionPass({
        name: 'Loose',
        doc: 'Rounds otherwise.',
        level: 0,
        needs: ['reassoc', 'arcp'],
        run: () => tree.ok(other.functions.get('main') as tree.Func),
      });
    const verdicts = [tree, copy].flatMap((passed) =>
      [tree, copy].map((compared) => {
        const { module } = tree.orThrow(passed.runPass(loose(passed))(program));
        return tree.orThrow(compared.checkEquivalent(program, module)).verdict;
      }),
    );
    const without = tree.orThrow(tree.checkEquivalent(program, other)).verdict;
    expect(new Set(verdicts).size).toBe(1);
    expect(verdicts[0]).not.toBe(without);
  });

  it('know the errors of the other', () => {
    const mistake = tree.fail(tree.diagnostic('MINE', 'a mistake'));
    const fails: PassOf = (baton) =>
      baton.functionPass({
        name: 'Fails',
        doc: 'Fails.',
        level: 0,
        run: () => baton.orThrow(mistake),
      });
    const module = tree.orThrow(tree.parseModule('#[version = "0.0.5"]\ndef @main() { 1f + 2f }'));
    const expected = told(tree.runPass(fails(tree))(module));
    expect(expected).toContain('a mistake');
    expect(told(copy.runPass(fails(tree))(module))).toBe(expected);
    expect(told(tree.runPass(fails(copy))(module))).toBe(expected);
    expect(() => copy.orThrow(mistake)).toThrow(tree.DiagnosticsError);
    expect(new tree.DiagnosticsError([tree.diagnostic('A', 'b')])).toBeInstanceOf(
      copy.DiagnosticsError,
    );
    expect(new Error('another')).not.toBeInstanceOf(copy.DiagnosticsError);
  });

  it('stop at a limit of an e-graph of the other', () => {
    const { rewrite, run } = copy.egraph;
    const rules = [rewrite('grow', '(f ?x)', '(f (g ?x))'), rewrite('more', '(g ?x)', '(h ?x ?x)')];
    const reports = [tree, copy].map((baton) => {
      const graph = new baton.egraph.EGraph();
      tree.orThrow(graph.addExpr('(f a)'));
      const { stopReason } = run(graph, rules, { nodeLimit: 50, iterationLimit: 1000 });
      return stopReason;
    });
    expect(reports[0]).toEqual(reports[1]);
  });

  it('read the operators of the other, with all their facts', () => {
    const twice = (baton: Baton) =>
      baton.defineOp({
        name: 'my.twice',
        doc: 'The element and itself.',
        source: 'this test',
        inputs: ['x'],
        attrs: baton.noAttributes,
        relation: ([x]) => x,
        kernel: (args) => {
          const x = args.tensor(0);
          return baton.tensor(
            baton.tensor.toNumbers(x).map((v) => 2 * v),
            x.shape,
            x.dtype,
          );
        },
        cost: (_, result) => baton.elementCount(result),
        fusion: 'elemwise',
        kind: 'elementwise',
        numerics: 'smooth',
        domain: 'any',
        scaleAxis: 'none',
        examples: [],
      });
    for (const [defined, used] of [
      [tree, copy],
      [copy, tree],
    ] as const) {
      const ops = used.standardOps.with(twice(defined));
      const text = '#[version = "0.0.5"]\ndef @main() { my.twice(21f) }';
      const module = used.orThrow(used.parseModule(text, { ops }));
      const folded = used.orThrow(used.runPass(used.passes.foldConstant)(module)).module;
      expect(used.printModule(folded)).toContain('42f');
    }
  });
});
