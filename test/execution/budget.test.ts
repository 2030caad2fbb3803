/** Limits of work: what folding, preparing, compiling and running may take. */
import { isLeft, orThrow } from '@baton/base';
import { checkEquivalent, verify } from '@baton/equivalence';
import { interpreter, oracle } from '@baton/executor';
import { type IRModule, inferTypes, postOrderExprs } from '@baton/ir';
import { exportOnnx } from '@baton/onnx';
import { prepareCall, standardOps } from '@baton/ops';
import { type PassContextParts, runPass } from '@baton/pass-manager';
import { type ConfigurablePass, optimize, passes } from '@baton/passes';
import { greedy, ruleSets, saturate } from '@baton/rewrites';
import { dtypeInfo, shapeSize, splat } from '@baton/tensor';
import { compileToModule, makeWasm, wasm } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { codes, evaluate, parse } from './support.ts';

const HUGE = 2 ** 40;

/** Each line joins the tensor before with itself. */
const doublings = (count: number, join: (x: string) => string): string => {
  const lines = Array.from({ length: count }, (_, i) => `let %x${i + 1} = ${join(`%x${i}`)};`);
  return `def @main() { let %x0 = broadcast_to(1f, shape=[64]); ${lines.join(' ')} %x${count} }`;
};

const passed = (m: IRModule, pass = optimize({ level: 3 }), parts: PassContextParts = {}) =>
  orThrow(runPass(pass, parts)(m)).module;

/** The bytes of all constants of a program. */
const constantBytes = (m: IRModule): number =>
  postOrderExprs([...m.functions.values()]).reduce(
    (sum, e) =>
      e._tag === 'Constant' ? sum + shapeSize(e.data.shape) * dtypeInfo(e.data.dtype).bytes : sum,
    0,
  );

const sizeOf = (m: IRModule): number => postOrderExprs([...m.functions.values()]).length;

describe('S11: folding has a budget', () => {
  const joins: ReadonlyArray<readonly [string, (x: string) => string]> = [
    ['concatenate', (x) => `concatenate((${x}, ${x}))`],
    ['of two values', (x) => `concatenate((${x}, negative(${x})))`],
    ['stack', (x) => `reshape(stack((${x}, ${x}), axis=0), newshape=[-1])`],
    ['three parts', (x) => `concatenate((${x}, ${x}, ${x}))`],
  ];
  it.each(joins)('%s: what is beyond it stays a call', (_, join) => {
    const m = parse(doublings(20, join));
    const bytes = 2 ** 16;
    const folded = passed(m, passes.foldConstant, { limits: { bytes } });
    expect(constantBytes(folded)).toBeLessThanOrEqual(bytes);
    expect(sizeOf(folded)).toBeGreaterThan(10);
  });

  it.each([
    ['level 3', optimize({ level: 3 })],
    ['FoldConstant', passes.foldConstant],
    ['PartialEval', passes.partialEvaluate],
    ['DynamicToStatic', passes.dynamicToStatic],
    ['greedy', greedy(ruleSets)],
    ['saturate', saturate(ruleSets)],
  ])('60 concatenations on %s keep within a quarter of a gigabyte', (_, pass) => {
    const m = parse(doublings(60, (x) => `concatenate((${x}, ${x}))`));
    expect(constantBytes(passed(m, pass))).toBeLessThanOrEqual(2 ** 28);
  });

  it('folds what is within the default, as before', () => {
    const m = parse(doublings(10, (x) => `concatenate((${x}, ${x}))`));
    expect(sizeOf(passed(m, passes.foldConstant))).toBe(2);
  });

  it('stops between passes when its host asks', () => {
    const m = parse('def @main(%x: float32) { %x + 1f }');
    const result = runPass(optimize({ level: 3 }), { limits: { shouldStop: () => true } })(m);
    expect(isLeft(result) && result.left.map(({ code }) => code)).toEqual(['LIMIT_TIME']);
  });

  /** A host that asks to stop after this number of questions. */
  const afterQuestions = (most: number) => {
    let asked = 0;
    return { shouldStop: () => asked++ >= most, asked: () => asked };
  };

  const layers = parse(`def @main(%x: Tensor[(2, 4), float32], %w: Tensor[(4, 4), float32]) {
    let %a = nn.relu(nn.dense(%x, %w)); let %b = nn.relu(nn.dense(%a, %w)); tanh(%a + %b)
  }`);

  it('stops a comparison, and the program that runs in it', () => {
    const { asked, shouldStop } = afterQuestions(Number.POSITIVE_INFINITY);
    expect(orThrow(checkEquivalent(layers, layers, { shouldStop })).verdict).toBe('equal');
    expect(asked()).toBeGreaterThan(4);
    for (const most of [0, 1, Math.floor(asked() / 2), asked() - 1]) {
      const { shouldStop } = afterQuestions(most);
      const result = checkEquivalent(layers, layers, { shouldStop });
      expect(isLeft(result) && result.left.map(({ code }) => code)).toEqual(['LIMIT_TIME']);
    }
  });

  it('stops the comparison of `verify`', () => {
    const shouldStop = () => true;
    const run = runPass(optimize({ level: 3 }), { instruments: [verify({ shouldStop })] });
    const result = run(parse('def @main(%x: float32) { %x + 0f }'));
    expect(isLeft(result) && result.left.map(({ code }) => code)).toEqual(['LIMIT_TIME']);
  });

  it('stops saturation, which then chooses among what it has found', () => {
    const { shouldStop } = afterQuestions(4);
    const result = runPass(saturate(ruleSets), { limits: { shouldStop } })(layers);
    const entry = isLeft(result) ? undefined : result.right.report.passes[0];
    expect(JSON.stringify(entry)).toContain('stopped: by the host');
  });
});

describe('S11: nodes have a limit', () => {
  const chain = (count: number, attrs: string): string => {
    const type = 'Tensor[(2), float32]';
    const f = (i: number, body: string) => `def @f${i}(%x: ${type}${attrs}) -> ${type} { ${body} }`;
    const rest = Array.from({ length: count - 1 }, (_, i) => f(i + 1, `@f${i}(@f${i}(%x))`));
    return `${[f(0, '%x + 1f'), ...rest].join('\n')}
      def @main(%x: ${type}) -> ${type} { @f${count - 1}(%x) }`;
  };

  it.each([12, 20])('inline of %i doubling functions', (count) => {
    const m = parse(chain(count, ', Inline=1'));
    const inline: ConfigurablePass<object> = passes.inline;
    expect(sizeOf(passed(m, inline))).toBeLessThanOrEqual(sizeOf(m) * 21 + 100_000);
    expect(sizeOf(passed(m, inline, { limits: { nodes: 100 } }))).toBeLessThan(sizeOf(m) + 100);
  });

  it('export of 22 doubling functions says how many nodes are too many', () => {
    const result = exportOnnx(parse(chain(22, '')), { limits: { nodes: 1000 } });
    const problem =
      isLeft(result) && result.left.find(({ hint }) => hint?.includes('limits.nodes'));
    expect((problem || undefined)?.message).toContain('more than 1000 nodes');
  });
});

describe('S10: wasm prepares what the interpreter runs or refuses', () => {
  const image = 'Tensor[(1, 4, 8, 8), float32]';
  it.each([
    ['LRN of 2^40', `(%x: ${image}) { nn.lrn(%x, size=${HUGE}) }`],
    ['LRN of a million', `(%x: ${image}) { nn.lrn(%x, size=1000001) }`],
    ['LRN inside of more', `(%x: ${image}) { tanh(nn.lrn(tanh(%x), size=${HUGE})) }`],
  ])('%s gives the same values', (_, main) => {
    const m = parse(`def @main${main}`);
    const x = splat([1, 4, 8, 8], 'float32', 0.5);
    expect(codes(evaluate(m, [x], { executor: wasm }))).toEqual([]);
    expect(codes(evaluate(m, [x]))).toEqual([]);
  });

  const large = 'broadcast_to(%x, shape=[2147483647])';
  it.each([
    ['a result over 4 GiB', `(%x: Tensor[(1), float32]) { ${large} + 1f }`],
    ['in a tuple', `(%x: Tensor[(1), float32]) { (tanh(%x), ${large} * 2f) }`],
    ['of small elements', `(%x: Tensor[(1), int8]) { ${large} + 1i8 }`],
    ['of doubles', `(%x: Tensor[(1), float64]) { tanh(${large}) }`],
    ['over 1 GiB', '(%x: Tensor[(1), float32]) { broadcast_to(%x, shape=[300000000]) + 1f }'],
  ])('%s is refused when it runs', (_, main) => {
    const m = parse(`def @main${main}`);
    const prepared = orThrow(wasm.prepare(m));
    const [param] = orThrow(inferTypes(m)).functions.get('main')?.params ?? [];
    const dtype = String((param?.typeAnnotation as { dtype?: unknown } | undefined)?.dtype);
    const ran = prepared.run([splat([1], dtype as 'float32', 1)]);
    expect(isLeft(ran) && ran.left.map(({ code }) => code)).toEqual(['OP_MEMORY']);
  });

  it('a module of its own has at most 4 GiB', () => {
    const m = parse(`def @main(%x: Tensor[(1), float32]) { ${large} + 1f }`);
    const made = compileToModule(m, { name: 'large' });
    expect(isLeft(made) && made.left.map(({ code }) => code)).toEqual(['WASM_MEMORY']);
  });
});

describe('S10: kernels have room by what goes in and out', () => {
  const size = 40_001;
  const half = 20_000;
  it.each([
    [
      'avg_pool2d',
      `(%x: Tensor[(1, 1, 1, 1), float32]) { nn.avg_pool2d(%x, pool_size=[${size}, ${size}], padding=[${half}, ${half}, ${half}, ${half}]) }`,
      [1, 1, 1, 1],
    ],
    [
      'max_pool2d',
      `(%x: Tensor[(1, 1, 1, 1), float32]) { nn.max_pool2d(%x, pool_size=[${size}, ${size}], padding=[${half}, ${half}, ${half}, ${half}]) }`,
      [1, 1, 1, 1],
    ],
    [
      'max_pool1d',
      '(%x: Tensor[(1, 1, 1), float32]) { nn.max_pool1d(%x, pool_size=[2000000001], padding=[1000000000, 1000000000]) }',
      [1, 1, 1],
    ],
  ] as const)('%s of a giant window is a diagnostic', (_, main, shape) => {
    const m = parse(`def @main${main}`);
    expect(codes(evaluate(m, [splat(shape, 'float32', 1)]))).toEqual(['OP_MEMORY']);
  });

  const far = 2 ** 28;
  const wide = `padding=[${far}, ${far}], dilation=[${far}, ${far}]`;
  it.each([
    [
      'nn.max_pool2d',
      `(%x: Tensor[(1, 1, 4, 4), float32]) { nn.max_pool2d(%x, pool_size=[3, 3], ${wide}) }`,
    ],
    [
      'nn.avg_pool2d',
      `(%x: Tensor[(1, 1, 4, 4), float32]) { nn.avg_pool2d(%x, pool_size=[3, 3], ${wide}) }`,
    ],
    [
      'nn.conv2d',
      `(%x: Tensor[(1, 1, 4, 4), float32]) { nn.conv2d(%x, ones(shape=[1, 1, 3, 3], dtype="float32"), ${wide}, channels=1, kernel_size=[3, 3]) }`,
    ],
  ])('%s whose window is far wider than its data is a diagnostic on each executor', (_, main) => {
    const m = parse(`def @main${main}`);
    for (const executor of [interpreter, wasm, makeWasm({ leastElements: 1 })]) {
      const found = codes(evaluate(m, [splat([1, 1, 4, 4], 'float32', 1)], { executor }));
      expect(found).toEqual(['OP_MEMORY']);
    }
  });
});

describe('S10: numbers of dimensions and of parts', () => {
  const vector = (length: number) => `%s: Tensor[(${length}), int64]`;
  it.each([
    ['expand_dims', `(%x: Tensor[(2), float32]) { expand_dims(%x, axis=0, num_newaxis=${HUGE}) }`],
    [
      'expand_dims',
      `(%x: Tensor[(2), float32]) { expand_dims(%x, axis=0, num_newaxis=${2 ** 31}) }`,
    ],
    ['split', `(%x: Tensor[(?), float32]) { split(%x, indices_or_sections=${2 ** 31}) }`],
    ['split', `(%x: Tensor[(${HUGE}), float32]) { split(%x, indices_or_sections=${2 ** 28}) }`],
    ['dyn.reshape', `(%x: Tensor[(2), float32], ${vector(HUGE)}) { dyn.reshape(%x, %s) }`],
    ['dyn.zeros', `(${vector(2 ** 31 - 1)}) { dyn.zeros(%s, dtype="float32") }`],
    ['dyn.ones', `(${vector(HUGE)}) { dyn.ones(%s, dtype="float32") }`],
    ['dyn.full', `(%x: float32, ${vector(HUGE)}) { dyn.full(%x, %s, dtype="float32") }`],
    [
      'dyn.broadcast_to',
      `(%x: Tensor[(2), float32], ${vector(HUGE)}) { dyn.broadcast_to(%x, %s) }`,
    ],
    ['dyn.tile', `(%x: Tensor[(2), float32], ${vector(HUGE)}) { dyn.tile(%x, %s) }`],
    [
      'dyn.strided_slice',
      `(%x: Tensor[(2), float32], ${vector(HUGE)}) { dyn.strided_slice(%x, %s, %s, %s) }`,
    ],
  ])('%s refuses them', (name, main) => {
    const typed = inferTypes(parse(`def @main${main}`));
    const [problem] = isLeft(typed) ? typed.left : [];
    expect(problem?.severity).toBe('error');
    expect(problem?.message).toContain(name);
  });
});

describe.each([interpreter, oracle, wasm])('S11: the fuel of $name counts work', (executor) => {
  it('a large result takes a step for each 4096 bytes and operations', () => {
    const m = parse('def @main(%x: Tensor[(4096), float32]) { tanh(%x) }');
    const x = splat([4096], 'float32', 1);
    const type = orThrow(prepareCall(standardOps, 'tanh', {}, [x], undefined));
    const fuel = 1 + type.steps;
    expect(type.steps).toBeGreaterThan(8);
    expect(codes(evaluate(m, [x], { executor, fuel }))).toEqual([]);
    expect(codes(evaluate(m, [x], { executor, fuel: fuel - 1 }))).toEqual(['EXEC_OUT_OF_FUEL']);
    expect(codes(evaluate(m, [x], { executor, steps: fuel - 1 }))).toEqual(['EXEC_OUT_OF_FUEL']);
  });

  it('a loop that copies more and more ends at its fuel', () => {
    const m = parse(`def @grow(%n: int64, %x: Tensor[(?), float32]) -> Tensor[(?), float32] {
      if (%n == 0i64) { %x } else { @grow(%n - 1i64, concatenate((%x, %x))) }
    }
    def @main(%n: int64, %x: Tensor[(?), float32]) -> Tensor[(?), float32] { @grow(%n, %x) }`);
    const args = [splat([], 'int64', 40n), splat([64], 'float32', 1)];
    expect(codes(evaluate(m, args, { executor, fuel: 1000 }))).toEqual(['EXEC_OUT_OF_FUEL']);
  });
});
