import { mulberry32 } from '@baton/base';

import {
  call,
  constant,
  type Expr,
  func,
  irModule,
  letIn,
  MAX_NESTING,
  opRef,
  parseExpr,
  parseModule,
  printType,
  scalarType,
  structuralEqual,
  type Type,
  tuple,
  tupleType,
  type Var,
  variable,
} from '@baton/ir';
import { scalar } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';
import { errors, expr, mod, shown, shownModule, textSpanOf } from './text-support.ts';

const DEPTH = 50_000;
const add = (a: Expr, b: Expr): Expr => call(opRef('add'), [a, b], { attrs: {} });

/** The depth at which an ordinary recursion overflows here. */
function stackLimit(): number {
  let depth = 0;
  const descend = (): void => {
    depth++;
    descend();
  };
  try {
    descend();
  } catch {
    return depth;
  }
  return depth;
}

describe(`programs ${DEPTH} deep`, () => {
  it('are more than twice as deep as the stack', () => {
    expect(DEPTH).toBeGreaterThan(2 * stackLimit());
  });

  it('C073 as chains of calls print and parse', () => {
    const x = variable('x', scalarType('float32'));
    const one = constant(scalar(1, 'float32'));
    let e: Expr = x;
    for (let i = 0; i < DEPTH; i++) e = add(e, one);
    const m = irModule({ ops, functions: new Map([['main', func([x], e)]]) });
    const text = shownModule(m);
    expect(structuralEqual(mod(text), m)).toBe(true);
  });

  it('as nested lets print and parse', () => {
    const vars = Array.from({ length: DEPTH }, () => variable('x'));
    const one = constant(scalar(1, 'int32'));
    let e: Expr = vars.at(-1) ?? one;
    for (let i = DEPTH - 1; i >= 0; i--) {
      const v = vars[i] ?? variable('');
      e = letIn(v, i === 0 ? one : add(vars[i - 1] ?? one, one), e);
    }
    expect(structuralEqual(expr(shown(e)), e)).toBe(true);
  });

  it('as lets in the values of lets print and parse', () => {
    let e: Expr = constant(scalar(1, 'int32'));
    for (let i = 0; i < DEPTH; i++) {
      const x = variable('x');
      e = letIn(x, e, x);
    }
    expect(structuralEqual(expr(shown(e)), e)).toBe(true);
  });

  it('as functions in functions print and parse', () => {
    let e: Expr = constant(scalar(1, 'int32'));
    for (let i = 0; i < DEPTH; i++) e = func([], e);
    expect(structuralEqual(expr(shown(e)), e)).toBe(true);
  });

  it('as a ladder of diamonds print a line for each node', () => {
    let e: Expr = variable('x', scalarType('float32'));
    for (let i = 0; i < 1000; i++) e = add(e, e);
    const text = shown(e);
    expect(text.split('\n')).toHaveLength(1001);
    expect(structuralEqual(expr(text), e, { mapFreeVars: true })).toBe(true);
  });

  it('as branches that share across all levels print and parse', () => {
    const c = variable('c');
    const shared = tuple([c]);
    const branches = (n: number) =>
      `${'if (%c) { '.repeat(n)}(%0, %0)${' } else { %0 }'.repeat(n)}`;
    const text = `fn (%c) { %0 = (%c,); ${branches(2_000)} }`;
    const e = expr(text);
    expect(shown(e).split('\n')[1]).toBe('  %0 = (%c,);');
    expect(structuralEqual(expr(shown(e)), e)).toBe(true);
    expect(structuralEqual(e, shared)).toBe(false);
  });

  it('as types print and parse', () => {
    let type: Type = scalarType('int8');
    for (let i = 0; i < DEPTH; i++) type = tupleType([type]);
    const x = variable('x', type);
    expect(printType(type)).toHaveLength(4 + 3 * DEPTH);
    const e = func([x], x);
    expect(structuralEqual(expr(shown(e)), e)).toBe(true);
  });

  it('as annotations along a chain of lets print in linear size, and parse', () => {
    const vars = [variable('x', scalarType('int8'))];
    for (let i = 1; i < DEPTH; i++) {
      const last = vars[i - 1]?.typeAnnotation ?? scalarType('int8');
      vars.push(variable('x', tupleType([last])));
    }
    let e: Expr = vars.at(-1) ?? constant(scalar(1, 'int32'));
    for (let i = DEPTH - 1; i > 0; i--) {
      e = letIn(vars[i] as Var, tuple([vars[i - 1] as Var]), e);
    }
    const text = shown(func([vars[0] as Var], e));
    expect(text.length).toBeLessThan(300 * DEPTH);
    expect(text).toContain('let %x10: ((((((((((int8,),),),),),),),),),) = (%x9,);');
    expect(text).toContain(`let %x${DEPTH - 1}: _ = (%x${DEPTH - 2},);`);
    expect(shown(expr(text))).toBe(text);
  });

  it.each([
    ['parentheses', '(', '1', ')'],
    ['tuples', '(', '1', ',)'],
    ['blocks', '{', '1', '}'],
    ['calls', 'exp(', '1', ')'],
    ['type arguments', 'fn (%x: ref(', 'int8', ')'],
    ['tensor literals', '[', '1', ']'],
    ['operators', '(1 + ', '1', ')'],
  ])('nest in brackets: %s', (_, open, middle, close) => {
    const isType = open.startsWith('fn');
    const inner = isType ? 'ref(' : open;
    const text = `${open}${inner.repeat(DEPTH - 1)}${middle}${close.repeat(DEPTH)}`;
    expect(expr(isType ? `${text}) { %x }` : text)).toBeDefined();
  });

  it('nest no deeper than the limit', () => {
    const text = '('.repeat(MAX_NESTING + 1);
    const found = errors(text);
    expect(found.map((d) => d.code)).toContain('PARSE_NESTING');
    expect(errors('{'.repeat(DEPTH)).length).toBeLessThan(5);
  });

  it('end in operators without end', () => {
    expect(expr(`1${' + 1'.repeat(DEPTH)}`)).toBeDefined();
    expect(expr(`1${'; 1'.repeat(DEPTH)}`)).toBeDefined();
    const chain = 'if (True) { 1 } else '.repeat(DEPTH);
    expect(expr(`${chain}{ 2 }`)).toBeDefined();
    expect(expr(`fn (%f) { %f${'(1)'.repeat(DEPTH)}${'.0'.repeat(DEPTH)} }`)).toBeDefined();
  });
});

const SEEDS = [
  '#[version = "0.0.5"]\ndef @main(%x: Tensor[(1, n), float32], Primitive=1) -> (int8, bool) {\n' +
    '  %0 = nn.conv2d(%x, meta[relay.Constant][0], strides=[1, 2]);\n  let %y: ref(int32) = ref(1);\n' +
    '  if (%0.1 < 3f) { [1, 2] } else { match? (%y) { Cons(%a, _) => %a, } }\n}\n' +
    'type List[A] { Cons(A, List[A]), Nil }\n#[metadata]\n{"relay.Constant":[{"dtype":"int8","shape":[],"data":[1]}]}',
  'let %f = fn [A, s: Shape](%a: fn (A) -> A where Identity, %b: Tensor[s, _]) { %f[int8]("x\\n") }; ' +
    'free_var %z: (int8, ()); Constant(1.5, (2, 3), float16); { 1; -2i8 } /* c /* d */ */ // e',
];

const PIECES = [
  ...'(){}[]<>,;:.=+-*/!?@%#"\\&|_ \n\r\t',
  ...'let fn def if else type match match? extern free_var ref ref_read ref_write where'.split(' '),
  ...['%x', '%0', '@f', '1', '-1', '1.5f', '9i8', 'inff', 'True', 'meta', 'Tensor', 'int8', '=>'],
  ...[
    '->',
    '/*',
    '*/',
    '//',
    '#[version = "0.0.5"]',
    '#[metadata]',
    '"s"',
    'add',
    'é',
    '\u{1f600}',
  ],
];

describe('any text', () => {
  it('gives an expression or diagnostics inside it', () => {
    const random = mulberry32(4711);
    const below = (n: number) => Math.floor(random() * n);
    for (let run = 0; run < 20_000; run++) {
      let text = SEEDS[run % SEEDS.length] ?? '';
      for (let edits = below(6); edits >= 0; edits--) {
        const at = below(text.length + 1);
        const piece = PIECES[below(PIECES.length)] ?? '';
        text = text.slice(0, at) + piece + text.slice(at + below(below(4) === 0 ? 40 : 4));
      }
      if (run % 5 === 0) {
        text = Array.from({ length: below(60) }, () => PIECES[below(PIECES.length)]).join(' ');
      }
      const parse = run % 2 === 0 ? parseModule : parseExpr;
      const result = parse(text, { ops });
      if (result._tag === 'Right') continue;
      const lines = text.split('\n');
      for (const d of result.left) {
        const span = textSpanOf(d);
        const isInside =
          span.line >= 1 &&
          span.endLine <= lines.length &&
          span.column <= (lines[span.line - 1]?.length ?? 0) + 1 &&
          span.endColumn <= (lines[span.endLine - 1]?.length ?? 0) + 1 &&
          (span.line < span.endLine || span.column <= span.endColumn);
        expect(isInside, `${JSON.stringify(text)} ${d.code} ${JSON.stringify(span)}`).toBe(true);
      }
    }
  });
});
