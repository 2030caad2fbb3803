/** The result of a pass: counted, typed, checked. */
import { orThrow, right } from '@baton/base';
import {
  constant,
  type Expr,
  type Func,
  func,
  type IRModule,
  irModule,
  letIn,
  scalarType,
  tempExpr,
  variable,
  withFunctions,
} from '@baton/ir';
import { functionPass, type Pass, pass, passesRun, runPass, sequential } from '@baton/pass-manager';
import { scalar } from '@baton/tensor';
import { describe, expect, it, test } from 'vitest';
import { apply, base, codes, f32, grow, idle, main, ops, ran, withBody, x } from './support.ts';

describe('the result of a pass', () => {
  it('is counted and compared', () => {
    const result = ran(sequential([grow('A'), idle('B')]));
    expect(passesRun(result.report)).toMatchObject([
      { name: 'A', nodesBefore: 1, nodesAfter: 2, changed: true },
      { name: 'B', nodesBefore: 2, nodesAfter: 2, changed: false },
    ]);
    expect(result.report).toMatchObject({ nodesBefore: 1, nodesAfter: 2, ms: 0, inferMs: 0 });
  });

  it('has its types, literals included, and so has the input of a pass', () => {
    const one = constant(scalar(1, 'int32'), undefined, 'int');
    const m = irModule({ ops, functions: new Map([['main', func([], one)]]) });
    let given: Func | undefined;
    const look = pass({
      name: 'Look',
      doc: 'Looks.',
      level: 0,
      run: (found) => {
        given = main(found);
        return right(withFunctions(found, new Map([['main', func([], apply(one))]])));
      },
    });
    const result = orThrow(runPass(look)(m));
    expect(given?.body).toMatchObject({ literal: undefined });
    expect(main(result.module)).toMatchObject({ retType: scalarType('int32') });
  });

  test.each<[string, Pass, RegExp]>([
    [
      'a private node that is left',
      pass({
        name: 'P',
        doc: 'Forgets.',
        level: 0,
        run: (m) =>
          right(
            withBody(
              m,
              tempExpr(0, () => x),
            ),
          ),
      }),
      /^bug PASS_BROKE_MODULE: pass P left a bad module: .*private node/,
    ],
    [
      'an ill-typed program',
      pass({
        name: 'P',
        doc: 'Breaks.',
        level: 0,
        run: (m) => right(withBody(m, apply(func([variable('y', f32)], x)))),
      }),
      /^bug PASS_BROKE_MODULE: pass P left a bad module: .*expected a tensor/,
    ],
    [
      'a variable that is bound twice',
      pass({
        name: 'P',
        doc: 'Binds twice.',
        level: 0,
        run: (m) => right(withBody(m, letIn(x, x, x))),
      }),
      /^bug PASS_BROKE_MODULE: pass P left a bad module: variable %x is bound more than once/,
    ],
    [
      'a variable that nothing binds',
      pass({
        name: 'P',
        doc: 'Drops a binding.',
        level: 0,
        run: (m) => right(withBody(m, apply(variable('y', f32)))),
      }),
      /^bug PASS_BROKE_MODULE: pass P left a bad module: nothing binds variable %y$/,
    ],
    [
      'nothing',
      pass({ name: 'P', doc: 'Forgets.', level: 0, run: () => right(undefined as never) }),
      /^bug PASS_NO_MODULE: pass P is expected to return a result with a module, returned a result with undefined$/,
    ],
    [
      'not even a result',
      pass({ name: 'P', doc: 'Forgets.', level: 0, run: () => undefined as never }),
      /^bug PASS_NO_MODULE: pass P is expected to return a result with a module, returned nothing$/,
    ],
    [
      'no function',
      functionPass({ name: 'P', doc: 'Forgets.', level: 0, run: () => undefined as never }),
      /^bug PASS_NO_MODULE: pass P is expected to return a result with a function, returned nothing$/,
    ],
  ])('is refused: %s', (_title, p, expected) => {
    const found = codes(p);
    expect(found[0]).toMatch(expected);
    expect(found.every((d) => d.startsWith('bug PASS_'))).toBe(true);
  });

  it('C379: is refused if the pass wrote into its input', () => {
    const write = pass({
      name: 'Writer',
      doc: 'Writes where it must not.',
      level: 0,
      run: (m) => {
        (main(m).body as { args: ReadonlyArray<Expr> }).args = [apply(x)];
        return right(m);
      },
    });
    const fresh = (): IRModule =>
      irModule({ ops, functions: new Map([['main', func([x], apply(x), { retType: f32 })]]) });
    const config = { 'testing.immutable_module': true };
    expect(codes(write, { config }, fresh())).toStrictEqual([
      'bug PASS_MUTATED: pass Writer changed its input module in place',
    ]);
    expect(codes(grow('A'), { config }, fresh())).toStrictEqual([]);
  });

  it('is not looked at when the given module has no types to begin with', () => {
    const bad = withBody(base, apply(func([variable('y', f32)], x)));
    expect(codes(idle('P'), {}, bad)).toStrictEqual([
      'error OP_NOT_TENSOR: log: expected a tensor',
    ]);
  });
});
