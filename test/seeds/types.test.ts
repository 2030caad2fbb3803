import {
  type Func,
  type IRModule,
  inferTypes,
  postOrderExprs,
  type Type,
  typeEqual,
  typeOf,
} from '@baton/ir';
import { printType } from '@baton/text';
import { describe, expect, it } from 'vitest';
import {
  orFail,
  parseSeed,
  runnable,
  type Seed,
  seedNamed,
  seeds,
  typeNamed,
  withCall,
} from './fixture.ts';

const typed = (seed: Seed): IRModule => orFail(inferTypes(runnable(parseSeed(seed))), seed.text);

function functionOf(m: IRModule, name: string): Func {
  const f = m.functions.get(name);
  if (f === undefined) throw new Error(`there is no @${name}`);
  return f;
}

/** The type of `@name`, or of the program: of `@main`, or of its result if it only wraps. */
function typeIn(m: IRModule, seed: Seed, name: string | undefined): Type | undefined {
  const type = typeOf(m, functionOf(m, name ?? 'main'));
  if (name !== undefined || parseSeed(seed).expr?._tag === 'Function') return type;
  return type?._tag === 'FuncType' ? type.result : undefined;
}

describe.each(seeds.filter((s) => s.types.length > 0).map((seed) => [seed.file, seed] as const))(
  '%s',
  (_, seed) => {
    it.each(seed.types)('has the type %s', (line) => {
      const m = typed(seed);
      const [, name, text = ''] = /^(?:@(\w+): )?(.*)$/.exec(line) ?? [];
      const stated = typeNamed(text, m);
      const found = typeIn(m, seed, name);
      if (found === undefined) throw new Error('the program has no type');
      expect(typeEqual(found, stated), printType(found)).toBe(true);
    });
  },
);

describe("the documents' statements on types", () => {
  it('S12 gives the function its attribute', () => {
    const m = typed(seedNamed('s12'));
    expect(functionOf(m, 'id_real').attrs).toEqual({ Inline: 1 });
  });

  it.each(['s43-first', 's43-second'])('%s constructor has the stated type', (file) => {
    const seed = seedNamed(file);
    const { module, expr } = parseSeed(seed);
    const stated = expr?._tag === 'Var' ? expr.typeAnnotation : undefined;
    const name = file === 's43-first' ? 'C1' : 'C2';
    const ctor = module.constructors.get(name);
    if (ctor === undefined || stated === undefined) throw new Error(`${name} has a type`);
    const found = typeOf(orFail(inferTypes(module), seed.definitions), ctor);
    if (found === undefined) throw new Error(`${name} has a type`);
    expect(typeEqual(found, stated), printType(found)).toBe(true);
  });

  it('S45 makes %x1 a bool and finds the second type arguments', () => {
    const main = functionOf(typed(seedNamed('s45')), 'main');
    const types = postOrderExprs([main]).flatMap((e) =>
      e._tag === 'Let' && e.variable.typeAnnotation !== undefined
        ? [`${e.variable.nameHint}: ${printType(e.variable.typeAnnotation)}`]
        : [],
    );
    expect(types.sort()).toEqual(['x1: bool', 'x2: ()']);
  });

  it.each([
    ['s14', '@myfunc(5f)'],
    ['s46', '@program(%f, %a, Constant(1, (7, 1), float32))'],
  ])('%s refuses %s, at the call', (file, call) => {
    const seed = seedNamed(file);
    const free =
      file === 's46'
        ? seed.text
            .split('\n')
            .filter((line) => line.startsWith('free_var'))
            .join('\n')
        : '';
    const m = withCall(parseSeed(seed), `${free}\n${call}`);
    const result = inferTypes(m);
    expect(result._tag).toBe('Left');
    const places = result._tag === 'Left' ? result.left.map((d) => d.span) : [];
    expect(places.some((span) => span?._tag === 'TextSpan' && span.source.name === 'call')).toBe(
      true,
    );
  });
});
