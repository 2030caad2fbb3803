/** The engine's answers, without a page. */
import { tensor } from '@baton/tensor';
import { writeNpy } from '@baton/tensor/npy';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeEngine } from '../src/engine/engine.ts';
import { infixToTerm } from '../src/engine/infix.ts';
import { type Answer, type Engine, MODEL_NAMES } from '../src/protocol.ts';

const PROGRAM = `def @main(%x: Tensor[(2, 3), float32]) {
  let %y = multiply(%x, add(1f, 1f));
  nn.relu(add(%y, multiply(%x, 2f)))
}`;

let engine: Engine;

beforeEach(async () => {
  engine = makeEngine({ now: () => performance.now(), progress: () => {}, limits: {} });
  value(await engine.open('a', { kind: 'text', text: PROGRAM }));
});

function value<A>(answer: Answer<A>): A {
  if (!answer.ok) throw new Error(answer.findings.map(({ message }) => message).join('\n'));
  return answer.value;
}

describe('programs', () => {
  it('have ports, figures, a drawing and a text; the version may be left out', async () => {
    const program = value(await engine.open('a', { kind: 'text', text: PROGRAM }));
    expect(program.inputs).toEqual([{ name: 'x', type: 'Tensor[(2, 3), float32]' }]);
    expect(program.figures.nodes).toBe(5);
    expect(program.picture.drawing.calls).toBe(5);
    expect(program.text).toContain('nn.relu');
  });

  it('have findings at their offsets', async () => {
    const text = 'def @main(%x: Tensor[(2), float32]) { nn.rely(%x) }';
    const refused = await engine.open('b', { kind: 'text', text });
    const [finding] = refused.ok ? [] : refused.findings;
    expect(finding?.code).toBe('NAME_OPERATOR');
    expect(text.slice(finding?.from, finding?.to)).toBe('nn.rely');
  });

  it('that cannot be read are refused, and the one before stays', async () => {
    const content = new Blob([Uint8Array.from([8, 255, 255, 255])]);
    const refused = await engine.open('a', { kind: 'files', files: [{ name: 'x.onnx', content }] });
    expect(refused.ok).toBe(false);
    expect(value(await engine.run('a', 'reference', {})).outputs).toHaveLength(1);
  });
});

describe('the gallery', () => {
  it.each(MODEL_NAMES)('has %s, which is built when it is chosen', async (name) => {
    const { form, figures } = value(await engine.open('b', { kind: 'model', name }));
    expect(form).toBe('model');
    expect(figures.nodes).toBeGreaterThan(10);
    expect(figures.paramBytes).toBeGreaterThan(100_000);
  });
});

describe('texts', () => {
  const text = 'def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }';

  it('say what a token is, at its place in a text without a version', async () => {
    const found = await engine.hover(text, text.indexOf('relu'));
    expect(text.slice(found?.from, found?.to)).toBe('nn.relu');
    expect(found?.type).toContain('Tensor[(2, 3), float32]');
    expect(found?.doc).toMatch(/./);
  });

  it('are completed, also where they break off', async () => {
    const begun = 'def @main(%x: Tensor[(2, 3), float32]) { nn.re';
    const { from, items } = await engine.complete(begun, begun.length);
    expect(begun.slice(from)).toBe('nn.re');
    expect(items.map(({ label }) => label)).toContain('nn.relu');
  });
});

describe('pipelines', () => {
  it('have the steps of each level, which do as the level does', async () => {
    const { levels, passes } = await engine.catalogue();
    expect(levels).toHaveLength(4);
    expect(passes.map(({ key }) => key)).toContain('rules:common');
    const trail = value(await engine.optimize(levels[3] ?? []));
    expect(trail.findings).toEqual([]);
    // Both products are merged, and twice that is another product: 4 x.
    expect(trail.steps.at(-1)?.after.nodes).toBe(2);
  });

  it('depend on the order of their passes', async () => {
    const on = (key: string) => ({ key, options: {}, isOn: true });
    const [fold, share] = [on('foldConstant'), on('eliminateCommonSubexpr')];
    const nodes = async (steps: Parameters<Engine['optimize']>[0]): Promise<number | undefined> =>
      value(await engine.optimize([on('toGraphNormalForm'), ...steps])).steps.at(-1)?.after.nodes;
    expect(await nodes([share, fold])).toBe(4);
    expect(await nodes([fold, share])).toBe(3);
  });

  it('show each step: what went, what applied, and both texts', async () => {
    const rules = { key: 'rules:own', options: { rules: 'twice: add(?x, ?x) = multiply(?x, 2)' } };
    const steps = [
      { key: 'level:3:5', options: {}, isOn: true },
      { ...rules, isOn: true },
    ];
    value(
      await engine.open('a', {
        kind: 'text',
        text: 'def @main(%x: Tensor[(2), float32]) { add(%x, %x) }',
      }),
    );
    value(await engine.optimize(steps));
    const view = value(await engine.step(1));
    expect(view.removed.map(({ op }) => op)).toEqual(['add']);
    expect(view.fired.find(({ row }) => row === 'twice')?.count).toBe(1);
    expect([view.textBefore, view.textAfter].map((text) => text.includes('add'))).toEqual([
      true,
      false,
    ]);
  });

  it('count as many nodes after fusion as before: a bias in a kernel is one with its product', async () => {
    value(await engine.open('a', { kind: 'model', name: 'squeezenet' }));
    const { levels } = await engine.catalogue();
    const fuse = { key: 'fuseOps', options: {}, isOn: true };
    const { steps } = value(await engine.optimize([...(levels[3] ?? []), fuse]));
    const last = steps.at(-1);
    expect(last?.after.nodes).toBe(last?.before.nodes);
    expect(last?.after.kernels).toBeLessThan(last?.before.kernels ?? 0);
  });

  it('stop at a step that is refused, and say why', async () => {
    const steps = [{ key: 'rules:own', options: { rules: 'no rule' }, isOn: true }];
    const { steps: ran, findings } = value(await engine.optimize(steps));
    expect(ran).toEqual([]);
    expect(findings[0]?.code).toBe('PLAYGROUND_RULE');
  });
});

describe('searches', () => {
  const RULES = `regroup: (?x * ?y) / ?z = ?x * (?y / ?z)
self: ?x / ?x = 1
one: ?x * 1 = ?x
shift: ?x * 2 = ?x << 1`;

  it('of a term find the smallest one, and prove it', async () => {
    const { best, stopped, proof, moments } = value(await engine.searchTerm('(a * 2) / 2', RULES));
    expect([best, stopped]).toEqual(['a', 'saturated']);
    expect(proof.map(({ by }) => by)).toEqual(['', 'regroup', 'self', 'one']);
    expect(moments.length).toBeGreaterThan(2);
    // Each class has a node that the smallest terms use.
    for (const { chosen } of moments) expect(chosen.every((row) => row !== undefined)).toBe(true);
  });

  it('of a program have its rounds, and a program of no more time', async () => {
    const { moments, best } = value(await engine.searchProgram(''));
    expect(moments.at(-1)?.nodes).toBeGreaterThan(moments[0]?.nodes ?? Number.POSITIVE_INFINITY);
    expect(best).toContain('def @main');
  });

  it('of a program prove that the chosen one equals it, and cost all ways to compute a class', async () => {
    const given =
      'twice: add(?x, ?x) = multiply(?x, 2)\nback: multiply(?x, 4) = multiply(multiply(?x, 2), 2)';
    value(
      await engine.open('a', {
        kind: 'text',
        text: 'def @main(%x: Tensor[(2), float32]) { multiply(multiply(%x, 2f), 2f) }',
      }),
    );
    const { proof, moments, unit, best } = value(await engine.searchProgram(given));
    expect(unit).toBe('ms');
    expect(best).toContain('4f');
    // The user's rule was used from right to left, or the common one that computes products.
    expect(proof.map(({ term }) => term).join()).toContain('multiply(%x, 4)');
    const last = moments.at(-1);
    const chosen = last?.chosen.flatMap((row, card) =>
      row === undefined ? [] : [last.costs?.[card]?.[row] ?? Number.NaN],
    );
    expect(chosen?.length).toBeGreaterThanOrEqual(3);
    for (const [card, costs] of last?.costs?.entries() ?? []) {
      const row = last?.chosen[card];
      if (row !== undefined) expect(costs[row]).toBe(Math.min(...costs));
    }
  });

  it('read arithmetic and s-expressions', () => {
    expect(infixToTerm('a + b * c - d')).toBe('(- (+ a (* b c)) d)');
    expect(infixToTerm('(a + b) << 2')).toBe('(<< (+ a b) 2)');
    for (const wrong of ['(* a 2)', 'a +', '(a', 'a)', '', 'a b', '()']) {
      expect(infixToTerm(wrong)).toBeUndefined();
    }
  });
});

describe('rules', () => {
  it('that are false are refuted with a counterexample; true ones fire or tell why not', async () => {
    const rules = `wrong: divide(?x, ?y) = multiply(?x, ?y)
none: multiply(?x, 1) = ?x
twice: multiply(?x, 2) = add(?x, ?x)`;
    const verdicts = value(await engine.tryRules(rules));
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['refuted', 'does not fire', 'fires']);
    expect(verdicts[0]?.detail).toMatch(/expected .*, found/);
    expect(verdicts[1]?.detail).toMatch(/same results on 30/);
  });
});

describe('a rule that does not fire', () => {
  it('says why at each step, by its name or as an equation', async () => {
    const text = 'def @main(%x: Tensor[(2), float32]) { multiply(%x, add(1f, 1f)) }';
    value(await engine.open('a', { kind: 'text', text }));
    const steps = ['toGraphNormalForm', 'foldConstant', 'deadCodeElimination'];
    value(await engine.optimize(steps.map((key) => ({ key, options: {}, isOn: true }))));
    const rule = 'mine: multiply(?x, 2) = nn.relu(?x)';
    const [before, after] = await Promise.all(
      [1, 2].map(async (at) => value(await engine.whyNot(at, rule))),
    );
    expect(before).toMatchObject({ name: 'mine', isUsed: false });
    expect(before?.text).toMatch(/expected .*2, found a call of add/);
    // Folding creates the constant that the rule expects.
    expect(after?.text).not.toMatch(/found a call of add/);
    const [name = ''] = (await engine.catalogue()).rules;
    expect(value(await engine.whyNot(0, name)).name).toBe(name);
    expect((await engine.whyNot(0, 'nothing')).ok).toBe(false);
    expect((await engine.whyNot(7, name)).ok).toBe(false);
  });
});

describe('a report of a bug', () => {
  it('has the smallest program on which the pipeline goes wrong', async () => {
    const rules = 'wrong: multiply(?x, ?y) = add(?x, ?y)';
    const steps = [{ key: 'rules:own', options: { rules }, isOn: true }];
    const { fault, program, tried } = value(await engine.bugReport(steps));
    expect(fault).toMatch(/changes what the model computes/);
    expect(tried).toBeGreaterThan(3);
    expect(program.match(/multiply/g)).toHaveLength(1);
    expect(program).not.toContain('relu');
  });

  it('of a good pipeline says so', async () => {
    const { levels } = await engine.catalogue();
    const { fault, program } = value(await engine.bugReport(levels[3] ?? []));
    expect(fault).toBeUndefined();
    expect(program).toContain('nn.relu');
  });
});

describe('comparisons', () => {
  it('with the result of the pipeline are equal; an edited copy has a first different node', async () => {
    const { levels } = await engine.catalogue();
    value(await engine.optimize(levels[3] ?? []));
    expect(value(await engine.compare()).verdict).toBe('equal');
    value(await engine.open('b', { kind: 'text', text: PROGRAM.replace('2f', '3f') }));
    const { verdict, first, counterexample } = value(await engine.compare());
    expect(verdict).toBe('different');
    expect(first?.node).toBe('multiply');
    expect(counterexample).toMatch(/expected/);
  });

  it('have the error of each aligned node: rounding above the first difference, more below', async () => {
    value(await engine.open('b', { kind: 'text', text: PROGRAM.replace('2f', '3f') }));
    const { errors, first } = value(await engine.compare());
    const rows = errors.map(({ second, isDifferent }) => [second, isDifferent]);
    expect(rows).toEqual([
      ['add', false],
      ['multiply', false],
      ['multiply', true],
      ['add', true],
      ['nn.relu', true],
    ]);
    for (const { absolute, isDifferent } of errors) expect(absolute > 1e-4).toBe(isDifferent);
    expect(errors[2]?.secondAt).toEqual(first?.at);
  });

  it('of equal programs have nodes without a difference, whatever passes moved', async () => {
    const { levels } = await engine.catalogue();
    value(
      await engine.optimize([...(levels[3] ?? []), { key: 'fuseOps', options: {}, isOn: true }]),
    );
    const { errors } = value(await engine.compare());
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.filter(({ isDifferent }) => isDifferent)).toEqual([]);
  });

  it('draw both programs at the same places', async () => {
    value(await engine.open('b', { kind: 'text', text: PROGRAM.replace('nn.relu', 'tanh') }));
    const { graphs } = value(await engine.compare());
    expect(graphs.changed).toHaveLength(1);
    expect([graphs.gone, graphs.come]).toEqual([[], []]);
    for (const [from, to] of graphs.twins) {
      const [a, b] = [graphs.a.drawing.cards[from.card], graphs.b.drawing.cards[to.card]];
      expect([a?.x, a?.y]).toEqual([b?.x, b?.y]);
    }
  });
});

describe('runs', () => {
  const inputs = { x: '[[1, -2, 3], [4, 5, -6]]' };

  it.each(['reference', 'wasm'] as const)(
    'on %s have outputs and the time of each kernel',
    async (executor) => {
      const { outputs, kernels, runs } = value(await engine.run('a', executor, inputs));
      expect(outputs.map(({ text }) => text)).toEqual(['[[4, 0, 12], [16, 20, 0]]']);
      expect(kernels.length).toBeGreaterThan(0);
      expect(runs).toBeGreaterThan(0);
    },
  );

  it('read arrays of NumPy, and refuse other bytes and other shapes', async () => {
    const array = (shape: ReadonlyArray<number>) =>
      writeNpy(tensor(Float32Array.from([1, -2, 3, 4, 5, -6]), shape, 'float32'));
    const { outputs } = value(await engine.run('a', 'wasm', { x: array([2, 3]) }));
    expect(outputs.map(({ text }) => text)).toEqual(['[[4, 0, 12], [16, 20, 0]]']);
    for (const wrong of [array([3, 2]), new Uint8Array(0), Uint8Array.from([1, 2, 3])]) {
      expect((await engine.run('a', 'wasm', { x: wrong })).ok).toBe(false);
    }
  });

  it('on wasm have the plan of memory, in which no two values that live at one time overlap', async () => {
    value(await engine.open('a', { kind: 'model', name: 'lstm' }));
    const { memory } = value(await engine.run('a', 'wasm', {}));
    const { blocks, bytes, leastBytes } = memory ?? { blocks: [], bytes: 0, leastBytes: 0 };
    expect(blocks.length).toBeGreaterThan(3);
    expect(bytes).toBeGreaterThanOrEqual(leastBytes);
    for (const [i, a] of blocks.entries()) {
      expect(a.offset + a.bytes).toBeLessThanOrEqual(bytes);
      for (const b of blocks.slice(i + 1)) {
        const isTogether = a.from <= b.to && b.from <= a.to;
        const isApart = a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
        expect(!isTogether || isApart).toBe(true);
      }
    }
    expect(value(await engine.run('a', 'reference', {})).memory).toBeUndefined();
  });

  it('refuse inputs that are not JSON, or of another shape', async () => {
    for (const wrong of ['[1, 2', '[1, 2]']) {
      expect((await engine.run('a', 'wasm', { x: wrong })).ok).toBe(false);
    }
  });
});

describe('exports', () => {
  it('in each form can be read again', async () => {
    // The export to ONNX evaluates what depends only on constants.
    for (const [form, nodes] of [
      ['onnx', 3],
      ['relay', 5],
      ['json', 5],
    ] as const) {
      const { files } = value(await engine.exported('a', form));
      const given = files.map(({ name, bytes }) => ({ name, content: new Blob([bytes]) }));
      const program = value(await engine.open('b', { kind: 'files', files: given }));
      expect([form, program.figures.nodes]).toEqual([form, nodes]);
    }
    const { files } = value(await engine.exported('a', 'module'));
    expect(files.map(({ name }) => name)).toEqual(['text.mjs', 'text.d.mts', 'text.bin']);
  });
});
