/**
 * L.1: an operator demands the same of an argument whose type comes late as of one whose type is
 * known: of each argument of each operator, at types that fit and at types that do not.
 */
import {
  type Attrs,
  call,
  constant,
  type Expr,
  type Func,
  func,
  funcType,
  globalVar,
  incompleteType,
  inferTypes,
  irModule,
  letIn,
  noAttrs,
  opRef,
  refType,
  scalarType,
  type TensorType,
  type Type,
  tensorType,
  tupleType,
  typeCall,
  typeOf,
  variable,
} from '@baton/ir';
import { type Example, type ExampleArg, examplesColumn, standardOps } from '@baton/ops';
import { isTensor, type Tensor } from '@baton/tensor';
import { printType } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { messages, moduleOf, typed, typeText } from './support.ts';

/** A data type, so that its values can be arguments. */
const WITH_DATA = moduleOf('type Box[A] { Full(A), Empty }');
const box = WITH_DATA.typeDefinitions.get('Box')?.header;

/** An argument of a call: a parameter of this type, or a constant. */
type Arg = Type | Tensor;

const isKnown = (arg: Arg): arg is Tensor => isTensor(arg as Tensor);

/** The argument of an example: a constant, or a type. A tuple with constants becomes a type. */
function argOf(arg: ExampleArg): Arg {
  if (!Array.isArray(arg)) return arg as TensorType | Tensor;
  return tupleType(
    arg.map((field: TensorType | Tensor) =>
      isTensor(field) ? tensorType(field.shape, field.dtype) : field,
    ),
  );
}

/** Types that could replace an argument's type. */
function others(type: Type): ReadonlyArray<Type> {
  const data =
    box === undefined ? [] : [typeCall(box, [{ _tag: 'TypeArg', kind: 'Type', value: type }])];
  const all = [
    type,
    ...withOtherDTypes(type),
    ...data,
    tupleType([type]),
    tupleType([type, type]),
    refType(type),
    funcType([type], type),
    scalarType('float32'),
    tensorType([2, 2, 2, 2, 2, 2, 2], 'float32'),
  ];
  return [...new Map(all.map((one) => [printType(one), one])).values()];
}

/** A tensor of other dtypes, or a tuple whose first field is one. */
function withOtherDTypes(type: Type): ReadonlyArray<Type> {
  if (type._tag === 'TensorType') {
    return DTYPES.map((dtype) => tensorType(type.shape, dtype));
  }
  const [first, ...rest] = type._tag === 'TupleType' ? type.fields : [];
  if (first === undefined) return [];
  return withOtherDTypes(first).map((field) => tupleType([field, ...rest]));
}

const DTYPES = ['int32', 'float32', 'bool'] as const;

/** The type of `@main`, or a note that it has none. */
function outcome(functions: ReadonlyMap<string, Func>): string {
  const inferred = inferTypes(
    irModule({ ...WITH_DATA, functions, types: irModule({ ops: standardOps }).types }),
  );
  if (inferred._tag === 'Left') return 'refused';
  const main = inferred.right.functions.get('main') as Func;
  const type = typeOf(inferred.right, main);
  return type?._tag === 'FuncType' ? printType(type.result) : 'no type';
}

interface Site {
  readonly name: string;
  readonly attrs: Attrs;
  readonly args: ReadonlyArray<Arg>;
}

/** The call with these expressions for the arguments that are not constants. */
function callOf({ name, attrs, args }: Site, given: ReadonlyArray<Expr>): Expr {
  return call(
    opRef(name),
    args.map((arg, i) => (isKnown(arg) ? constant(arg) : (given[i] as Expr))),
    { attrs },
  );
}

/** A constraint states types, not values: sizes that a constant determines become `?`. */
const withoutConstants = (site: Site): Site => ({
  ...site,
  args: site.args.map((arg) => (isKnown(arg) ? tensorType(arg.shape, arg.dtype) : arg)),
});

const typesOf = (site: Site): ReadonlyArray<Type | undefined> =>
  site.args.map((arg) => (isKnown(arg) ? undefined : arg));

function direct(site: Site): string {
  const params = typesOf(site).map((type, i) => variable(`x${i}`, type));
  const own = params.filter((_, i) => !isKnown(site.args[i] as Arg));
  return outcome(new Map([['main', func(own, callOf(site, params))]]));
}

/** A way to make the type of argument `at` known only after the call. */
interface Way {
  readonly title: string;
  /** Whether the call is inside a function that gets its most general type. */
  readonly isGeneral: boolean;
  readonly late: (site: Site, at: number) => string;
}

/** A let-bound function of argument `at` with this known type, which is called with it. */
function letBound(site: Site, at: number, known: Type | undefined): string {
  const params = typesOf(site).map((type, i) => variable(`x${i}`, type));
  const [f, y] = [variable('f'), variable('y', known)];
  const inner = func(
    [y],
    callOf(
      site,
      params.map((p, i) => (i === at ? y : p)),
    ),
  );
  const body = letIn(f, inner, call(f, [params[at] as Expr]));
  return outcome(new Map([['main', func(params, body)]]));
}

const WAYS: ReadonlyArray<Way> = [
  {
    title: 'a later let says the type',
    isGeneral: false,
    late: (site, at) => {
      const types = typesOf(site);
      const params = types.map((type, i) => variable(`x${i}`, i === at ? undefined : type));
      const own = params.filter((_, i) => !isKnown(site.args[i] as Arg));
      const [r, c] = [variable('r'), variable('c', types[at])];
      const body = letIn(r, callOf(site, params), letIn(c, params[at] as Expr, r));
      return outcome(new Map([['main', func(own, body)]]));
    },
  },
  {
    title: 'a call of a let-bound function says the type',
    isGeneral: true,
    late: (site, at) => letBound(site, at, undefined),
  },
  {
    title: 'a call of a let-bound function says the dtype',
    isGeneral: true,
    late: (site, at) => {
      const type = site.args[at] as Type;
      const isOne = type._tag === 'TensorType';
      const open = isOne ? tensorType(type.shape, incompleteType('BaseType')) : undefined;
      return letBound(site, at, open);
    },
  },
  {
    title: 'a call of a global function says all types',
    isGeneral: true,
    late: (site) => {
      const params = typesOf(site).map((type, i) => variable(`x${i}`, type));
      const inner = params.map((_, i) => variable(`y${i}`));
      return outcome(
        new Map([
          ['g', func(inner, callOf(site, inner))],
          ['main', func(params, call(globalVar('g'), params))],
        ]),
      );
    },
  },
];

const siteOf = (name: string, { args, attrs }: Example): Site => {
  const decoded = standardOps.get(name)?.attrs.decode((attrs ?? noAttrs) as Attrs);
  return {
    name,
    attrs: decoded?._tag === 'Right' ? decoded.right : noAttrs,
    args: args.map(argOf),
  };
};

describe.each(standardOps.names.map((name) => ({ name })))('L.1 $name', ({ name }) => {
  it('asks the same of its arguments, whenever their types come', () => {
    const found: string[] = [];
    for (const example of standardOps.read(examplesColumn, name) ?? []) {
      const stated = siteOf(name, example);
      stated.args.forEach((arg, at) => {
        if (isKnown(arg)) return;
        for (const type of others(arg)) {
          const args = stated.args.map((other, i) => (i === at ? type : other));
          const exact = { ...stated, args };
          const general = withoutConstants(exact);
          const [now, later] = [direct(exact), direct(general)];
          for (const { title, isGeneral, late } of WAYS) {
            const [wanted, then] = isGeneral ? [later, late(general, at)] : [now, late(exact, at)];
            if (then !== wanted) {
              found.push(
                `argument ${at} of ${printType(type)}: ${wanted}; where ${title}: ${then}`,
              );
            }
          }
        }
      });
    }
    expect(found).toEqual([]);
  });
});

const FLOATS = 'a tensor of floats';

describe('L.1 an operator whose argument comes late is not taken on trust', () => {
  const data = 'type O[A] { S(A), Z } ';
  it.each<[string, string, string]>([
    [
      'a let that says the dtype, after',
      'def @main(%a) { let %b = exp(%a); let %c: int32 = %a; %b }',
      FLOATS,
    ],
    [
      'a let that says the dtype, before',
      'def @main(%a) { let %c: int32 = %a; let %b = exp(%a); %b }',
      FLOATS,
    ],
    [
      'a constructor',
      `${data}def @g(%a) { nn.relu(%a) } def @main(%x: float32) { @g(S(%x)) }`,
      'found O[float32]',
    ],
    [
      'a reference',
      'def @g(%a) { nn.relu(%a) } def @main(%x: float32) { @g(ref(%x)) }',
      'found ref(float32)',
    ],
    [
      'a closure',
      'def @g(%a) { nn.relu(%a) } def @main() { @g(fn (%x: float32) { %x }) }',
      'found fn (float32) -> float32',
    ],
    [
      'a tuple, in a branch',
      'def @g(%a, Inline=1) { nn.relu(%a) } def @main(%c: bool) { if (%c) { @g((1f, 2f)).0 } else { 3f } }',
      'found (float32, float32)',
    ],
    [
      'a dtype that is a parameter',
      'def @g[d: BaseType](%x: Tensor[(3), d]) { exp(%x) } def @main(%x: Tensor[(3), int32]) { @g(%x) }',
      FLOATS,
    ],
    [
      'a literal that becomes a float',
      'def @main() { let %a = 1; (bitwise_not(%a), %a + 1f) }',
      'a tensor of integers',
    ],
    ['a copy of a reference', 'def @main() { copy(ref(1)) }', 'found ref('],
    [
      'a copy of nested tuples',
      'def @main() { copy((1, (2, 3))) }',
      'a tensor or a tuple of tensors',
    ],
  ])('%s', (_title, text, said) => {
    expect(messages(moduleOf(text)).join()).toContain(said);
  });

  it('a literal for a let-bound function gets the dtype that its operators take', () => {
    const m = typed(moduleOf('def @main() { let %f = fn (%a) { exp(%a) }; %f(1) }'));
    expect(typeText(m)).toBe('fn () -> float32');
  });
});
