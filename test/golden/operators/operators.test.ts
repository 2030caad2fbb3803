import { isLeft, orThrow } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  anyDim,
  type Dim,
  dimOf,
  incompleteType,
  noAttrs,
  type OpInfo,
  type TensorType,
  type Type,
  tensorType,
  tupleType,
  typeVar,
} from '@baton/ir';
import {
  boundsColumn,
  costColumn,
  definitionColumn,
  type Example,
  type ExampleArg,
  examplesColumn,
  foldableColumn,
  fusionColumn,
  gradientColumn,
  hasGradient,
  kernelColumn,
  kindColumn,
  numericsColumn,
  onnxColumn,
  ownPaddingOf,
  reshapingOf,
  samplingColumn,
  scaleAxisColumn,
  standardOps,
} from '@baton/ops';
import { isTensor, type Tensor } from '@baton/tensor';
import { boundsSite } from '@baton/testing';
import { printType } from '@baton/text';
import { test } from 'vitest';
import { expectFile } from '../../blessed.ts';

const check = (name: string, text: string): void =>
  expectFile(new URL(name, import.meta.url), text);

const operators = standardOps.names.flatMap((name) => standardOps.get(name) ?? []);

test('facts', () => {
  check('facts.txt', `${operators.map(facts).join('\n')}\n`);
});

test('relations', () => {
  check(
    'relations.txt',
    byText((op) => relations(op)),
  );
});

/** What relations say of calls that do not fit, which is a sentence with the names of arguments. */
test('messages', () => {
  check('messages.txt', byText(refusals));
});

/** Each different text about operators, below the names of those that it is about. */
function byText(about: (op: OpInfo) => string | undefined): string {
  const alike = new Map<string, string[]>();
  for (const op of operators) {
    const text = about(op);
    if (text !== undefined) alike.set(text, [...(alike.get(text) ?? []), op.name]);
  }
  return [...alike].map(([text, names]) => `${names.join(', ')}\n${text}\n`).join('\n');
}

test('registered relations', () => {
  const names = standardOps.relationNames;
  check('registered.txt', `${names.map(registered).join('\n')}\n`);
});

/** The answers of a named relation to tensors of several ranks, and with attributes. */
function registered(name: string): string {
  const found = standardOps.relation(name);
  if (found === undefined) throw new Error(`no relation ${name}`);
  const [small, wide, none] = [tensorType([2, 1], 'float32'), tensorType([3], 'float32'), scalar];
  const groups = [[small], [none], [small, wide], [small, small], [small, whole], [none, small]];
  const given: ReadonlyArray<Attrs> = [
    noAttrs,
    { axis: 1 },
    { axis: [0, -1] },
    { axis: [0, 'x'], keepdims: true },
    { axis: 0, exclude: true },
    { dtype: 'int64' },
    { dtype: 'no such', keepdims: 1 },
  ];
  const lines = groups
    .filter((args) => found.inputCount === undefined || found.inputCount === args.length)
    .flatMap((args, i) =>
      (i < 2 ? given : [noAttrs]).map((attrs) => {
        const codes: string[] = [];
        const result = found.relation(args, attrs, {
          constant: () => undefined,
          unify: (a, b) => printType(a) === printType(b),
          unifyDTypes: (a, b) => (a === b ? a : undefined),
          resolve: (type) => type,
          undecided: () => void codes.push('undecided'),
          fail: (code) => void codes.push(code),
        });
        const shown = [...codes, ...(result === undefined ? [] : [printType(result)])].join(' ');
        return `  (${args.map(printType).join(', ')}) ${JSON.stringify(attrs)}: ${shown || 'waits'}`;
      }),
    );
  return `${name}\n${lines.join('\n')}`;
}

const scalar = tensorType([], 'float32');
const whole = tensorType([2, 1], 'int8');

/** Inputs, attributes with their defaults, columns, and the cost of each example. */
function facts(op: OpInfo): string {
  const attrs = op.attrs.fields.map(({ name, defaultValue, isFloat }) => {
    const value = defaultValue === undefined ? '' : ` = ${JSON.stringify(defaultValue)}`;
    return `${name}${isFloat ? ': float' : ''}${value}`;
  });
  const columns = [
    op.effect,
    standardOps.read(fusionColumn, op.name) ?? 'not fused',
    ...(op.nonComputational ? ['not computed'] : []),
    ...(standardOps.read(kernelColumn, op.name) === undefined ? ['no kernel'] : []),
    ...(op.relationName === undefined ? [] : [op.relationName]),
    standardOps.read(scaleAxisColumn, op.name)?._tag ?? 'no scale',
  ];
  return [
    `${op.name}(${op.inputs.map((input) => input.name).join(', ')})`,
    ...(attrs.length > 0 ? [`  ${attrs.join(', ')}`] : []),
    `  ${columns.join(', ')}`,
    `  ${numbers(op)}`,
    ...rewriting(op).map((line) => `  ${line}`),
    ...examplesOf(op).map((example) => `  ${cost(op, example)}`),
    ...examplesOf(op)
      .slice(0, 1)
      .flatMap((example) => boundsOf(op, example).map((line) => `  ${line}`)),
  ].join('\n');
}

/** The kind of work, its exactness, and the domain on which it is finite. */
function numbers({ name }: OpInfo): string {
  const domain = standardOps.read(boundsColumn, name)?.domain;
  const shown = domain?.map((interval) => (interval === undefined ? 'any' : `[${interval}]`));
  const facts = [
    standardOps.read(kindColumn, name),
    standardOps.read(numericsColumn, name),
    ...(shown === undefined ? [] : [`on ${shown.join(', ')}`]),
    ...(standardOps.read(samplingColumn, name)?.isCommon === true ? ['common'] : []),
  ];
  return facts.join(', ');
}

/** The facts for rewrites, generators and ONNX, if there are any. */
function rewriting({ name }: OpInfo): ReadonlyArray<string> {
  const line = (what: string, fact: unknown): ReadonlyArray<string> => {
    if (fact === undefined) return [];
    return [`${what}: ${typeof fact === 'string' ? fact : JSON.stringify(fact)}`];
  };
  return [
    ...line('folds', standardOps.read(foldableColumn, name)),
    ...line('gradient', gradientOf(name)),
    ...line('reshapes', reshapingOf(standardOps, name)),
    ...line('pads', ownPaddingOf(standardOps, name)),
    ...line('sampled', standardOps.read(samplingColumn, name)?.pattern),
    ...line('ONNX', standardOps.read(onnxColumn, name)),
  ];
}

const examplesOf = (op: OpInfo): ReadonlyArray<Example> =>
  standardOps.read(examplesColumn, op.name) ?? [];

function cost(op: OpInfo, example: Example): string {
  const types = example.args.map(typeOf);
  const { result } = example;
  const whole = '_tag' in result ? result : tupleType(result);
  const found = standardOps.read(costColumn, op.name)?.(types, whole, decoded(op, example));
  const { flops, bytesRead, bytesWritten } = found ?? {};
  return `${types.map(printType).join(', ')}: ${flops} flops, ${bytesRead} + ${bytesWritten} bytes`;
}

/** What is known of a result whose arguments are multiples of 1/4 from -3 to 2. */
function boundsOf(op: OpInfo, example: Example): ReadonlyArray<string> {
  const bounds = standardOps.read(boundsColumn, op.name);
  const args = example.args.map(typeOf);
  const attrs = decoded(op, example);
  const [result = scalar] = ([example.result] as const).flat();
  const found = bounds?.facts?.(
    args.map(() => ({ lo: -3, hi: 2, fraction: 2 })),
    boundsSite(standardOps, op, args, attrs, result),
  );
  const range = bounds?.range?.(attrs);
  return [
    ...(found
      ? [`bounds: [${short(found.lo)}, ${short(found.hi)}], ${found.fraction} binary digits`]
      : []),
    ...(range ? [`range: [${range}]`] : []),
  ];
}

const short = (x: number): string => String(Number(x.toPrecision(6)));

const decoded = (op: OpInfo, example: Example): Attrs =>
  orThrow(op.attrs.decode((example.attrs ?? noAttrs) as Attrs));

function typeOf(arg: ExampleArg): Type {
  if (Array.isArray(arg)) return tupleType(arg.map((field) => typeOf(field as ExampleArg)));
  const single = arg as Tensor | TensorType;
  return isTensor(single) ? tensorType(single.shape, single.dtype) : single;
}

/** The different messages about the neighbours of all examples. */
function refusals(op: OpInfo): string | undefined {
  const said = new Set<string>();
  for (const example of examplesOf(op)) {
    relations(op, example, (message) => said.add(`  ${message}`));
  }
  return said.size === 0 ? undefined : [...said].join('\n');
}

/** The answers to an example, then to its neighbours, argument by argument. */
function relations(
  op: OpInfo,
  example: Example | undefined = examplesOf(op)[0],
  tell: (message: string) => void = () => {},
): string {
  if (example === undefined) return '';
  const types = example.args.map(typeOf);
  const values = example.args.map((arg) => (isTensor(arg as object) ? (arg as Tensor) : undefined));
  const given = (example.attrs ?? noAttrs) as Attrs;
  const answer = (args: ReadonlyArray<Type>, attrs: Attrs): string => {
    const complete = op.attrs.decode(attrs);
    if (isLeft(complete)) return complete.left.map((d) => d.code).join(' ');
    const notes: string[] = [];
    const result = op.relation(args, complete.right, {
      constant: (index) => (args[index] === types[index] ? values[index] : undefined),
      unify: (a, b) => {
        const isOpen = a._tag === 'IncompleteType';
        if (isOpen) notes.push(`filled with ${printType(b)}`);
        return isOpen || printType(a) === printType(b);
      },
      unifyDTypes: (a, b) => (a === b ? a : undefined),
      resolve: (type) => type,
      undecided: () => void notes.push('undecided'),
      fail: (code, message, hint) => {
        tell(hint === undefined ? message : `${message} (${hint})`);
        notes.push(code);
        return undefined;
      },
    });
    return [...notes, ...(result === undefined ? [] : [printType(result)])].join(' ') || 'waits';
  };
  const nearTypes = types.flatMap((type, i) =>
    neighbours(type).map(([what, near]) => {
      const args = types.map((t, j) => (i === j ? near : t));
      return `  ${i} ${what}: ${answer(args, given)}`;
    }),
  );
  const complete = decoded(op, example);
  const nearAttrs = op.attrs.fields.flatMap(({ name }) =>
    otherValues(complete[name]).map(
      (value) => `  ${name}=${shown(value)}: ${answer(types, { ...given, [name]: value })}`,
    ),
  );
  return [
    `  (${types.map(printType).join(', ')}): ${answer(types, given)}`,
    ...nearTypes,
    ...nearAttrs,
  ].join('\n');
}

const shown = (value: AttrValue): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));

/** Values near one of an attribute: its neighbours in number, in length, and one of another kind. */
function otherValues(value: AttrValue | undefined): ReadonlyArray<AttrValue> {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value - 1, -value - 2, 0, 100];
  if (typeof value === 'string') return ['', 'no such', 'float64', 'NHWC'];
  if (Array.isArray(value)) {
    const list = value as ReadonlyArray<AttrValue>;
    const [first = 0] = list;
    const nearFirst = otherValues(first).map((near) => [near, ...list.slice(1)]);
    return [[], list.slice(1), [first, ...list], ...nearFirst];
  }
  return [0, 1, -1, [0], [1, 0], [-1], [0, 0]];
}

const named = dimOf(typeVar('n', 'ShapeVar'));

function neighbours(type: Type): ReadonlyArray<readonly [string, Type]> {
  if (type._tag === 'TupleType') {
    return [
      ['empty', tupleType([])],
      ['one field', tupleType(type.fields.slice(0, 1))],
      ['no tuple', type.fields[0] ?? type],
      ['not known', incompleteType()],
    ];
  }
  if (type._tag !== 'TensorType' || '_tag' in type.shape) return [];
  const { shape, dtype } = type;
  const of = (dims: ReadonlyArray<Dim>): Type => tensorType(dims, dtype);
  const axes = shape.flatMap((dim, axis) => {
    const changed = (to: Dim): Type => of(shape.map((d, i) => (i === axis ? to : d)));
    const more = typeof dim === 'number' ? dim + 1 : dim;
    return [
      [`axis ${axis} of 0`, changed(0)],
      [`axis ${axis} of 1`, changed(1)],
      [`axis ${axis} of ${String(more)}`, changed(more)],
      [`axis ${axis} of ?`, changed(anyDim)],
      [`axis ${axis} of n`, changed(named)],
    ] as const;
  });
  return [
    ['another dtype', tensorType(shape, dtype === 'int8' ? 'float32' : 'int8')],
    ['bools', tensorType(shape, 'bool')],
    ['a rank less', of(shape.slice(1))],
    ['a rank more', of([2, ...shape])],
    ['a tuple', tupleType([type])],
    ['not known', incompleteType()],
    ...axes,
  ];
}

/** How an operator has its gradient. */
function gradientOf(name: string): string {
  const stated = standardOps.read(gradientColumn, name);
  if (stated !== undefined) return stated === 'zero' ? stated : 'stated';
  const definition = standardOps.read(definitionColumn, name);
  if (definition !== undefined) {
    return typeof definition === 'function' ? 'of its definition, in code' : 'of its definition';
  }
  return hasGradient(standardOps, name) ? 'derived' : 'none';
}
