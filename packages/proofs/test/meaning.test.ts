/** The meaning of operators in terms is what their kernels compute. */
import { orThrow } from '@baton/base';
import {
  type Attrs,
  call,
  type Expr,
  opRef,
  type TensorType,
  tensorType,
  tuple,
  variable,
} from '@baton/ir';
import { type ExampleArg, evaluateOp, examplesColumn, type OpValue, standardOps } from '@baton/ops';
import {
  castNumber,
  DTYPES,
  type DType,
  dtypeInfo,
  fromNumbers,
  isFloat,
  isTensor,
  shapeSize,
  type Tensor,
  tensor,
  toNumbers,
} from '@baton/tensor';
import { expect, test } from 'vitest';
import { termsOf } from '../src/evaluate.ts';
import { NoMeaning } from '../src/kernels.ts';
import { hasEvery } from '../src/literals.ts';
import { numberOf } from '../src/numeric.ts';
import { makeTerms, type SymbolTerm, subterms, type Term } from '../src/terms.ts';
import { known, symbolic, type TermValue, tensorsIn } from '../src/values.ts';

/** An argument of an example as an expression, and a value for it. */
interface Given {
  readonly expr: Expr;
  readonly value: OpValue;
}

/** Examples whose arguments have more elements are left to those that have fewer. */
const MAX_ELEMENTS = 200;

test('every operator that has a meaning in terms computes what its kernel does', () => {
  const checked = standardOps.names.filter((name) => {
    const examples = standardOps.read(examplesColumn, name) ?? [];
    return examples.map(({ args, attrs = {} }) => agrees(name, args, attrs)).includes(true);
  });
  expect(checked.length).toBeGreaterThan(130);
});

test('a type that has every number of another leaves each as it is', () => {
  for (const narrow of DTYPES) {
    for (const wide of DTYPES.filter((dtype) => hasEvery(dtype, narrow))) {
      const changed = numbersOf(narrow).filter((n) => !Object.is(castNumber(n, wide), n));
      expect([narrow, wide, changed]).toEqual([narrow, wide, []]);
    }
  }
});

/** All numbers of a type of up to 16 bits, and the ends of a wider one. */
function numbersOf(dtype: DType): ReadonlyArray<number> {
  const { bits, kind, min, max } = dtypeInfo(dtype);
  if (bits > 16) return [Number(min), Number(max), 1].map((value) => castNumber(value, dtype));
  if (kind === 'float' || kind === 'bfloat') {
    const data = Uint16Array.from({ length: 2 ** 16 }, (_, i) => i);
    return [...toNumbers(tensor(data, [data.length], dtype))];
  }
  return Array.from({ length: Number(max) - Number(min) + 1 }, (_, i) => Number(min) + i);
}

/** Whether an example has a meaning, which then is the right one. */
function agrees(name: string, args: ReadonlyArray<ExampleArg>, attrs: object): boolean {
  const terms = makeTerms();
  const variables = new Map<Expr, TermValue>();
  const numbers = new Map<SymbolTerm, number>();
  let count = 0;
  const tensor = (arg: TensorType | Tensor): Given => {
    if (isTensor(arg)) {
      const expr = variable('c', tensorType(arg.shape, arg.dtype));
      variables.set(expr, known(terms, arg));
      return { expr, value: arg };
    }
    const shape = arg.shape as ReadonlyArray<number>;
    const dtype = arg.dtype as Tensor['dtype'];
    const values = Array.from({ length: shapeSize(shape) }, () => {
      count++;
      return isFloat(dtype)
        ? (((count * 7) % 11) + 1) / 8
        : dtype === 'bool'
          ? count % 2
          : (count * 5) % 4;
    });
    const expr = variable('v', arg);
    const symbols = symbolic(terms, `v${variables.size}`, { shape, dtype });
    variables.set(expr, symbols);
    for (const [i, symbol] of symbols.elements.entries())
      numbers.set(symbol as SymbolTerm, values[i] ?? 0);
    return { expr, value: fromNumbers(values, shape, dtype) };
  };
  const given = args.map((arg): Given => {
    if (!Array.isArray(arg)) return tensor(arg as TensorType | Tensor);
    const fields = arg.map(tensor);
    return { expr: tuple(fields.map(({ expr }) => expr)), value: fields.map(({ value }) => value) };
  });
  if (count > MAX_ELEMENTS) return false;
  const complete = completed(name, attrs);
  const exprs = given.map(({ expr }) => expr);
  const found = meaning(() =>
    termsOf(call(opRef(name), exprs, { attrs: complete }), variables, terms, standardOps),
  );
  if (found === undefined || isOpaque(found)) return false;
  const wanted = orThrow(
    evaluateOp(
      standardOps,
      name,
      complete,
      given.map(({ value }) => value),
    ),
  );
  // What is spelled out is the first field of a tuple.
  const all = [wanted].flat(3) as ReadonlyArray<Tensor>;
  for (const [i, { shape, dtype, elements }] of tensorsIn(found).entries()) {
    const other = all[i] as Tensor;
    expect([name, shape, dtype]).toEqual([name, other.shape, other.dtype]);
    const values = elements.map((term: Term) => numberOf(term, numbers, 'wide') ?? Number.NaN);
    const wantedValues = [...toNumbers(other)];
    const near = (value: number, k: number): boolean =>
      Object.is(value, wantedValues[k]) || Math.abs(value - (wantedValues[k] ?? 0)) < 1e-4;
    expect([name, values.every(near)]).toEqual([name, true]);
  }
  return true;
}

/** Whether only the name of an operator is known, and no value. */
const isOpaque = (value: TermValue): boolean =>
  tensorsIn(value)
    .flatMap(({ elements }) => subterms(...elements))
    .some((term) => term._tag === 'Node' && term.kind === 'opaque');

function completed(name: string, attrs: object): Attrs {
  const schema = standardOps.get(name)?.attrs;
  return schema === undefined ? {} : orThrow(schema.decode(attrs as Attrs));
}

function meaning(find: () => TermValue): TermValue | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof NoMeaning) return undefined;
    throw error;
  }
}
