/**
 * The programs of the founding documents as files: a head of `// key: value` lines, perhaps given
 * definitions, and the program as in its document.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type Result, renderDiagnostics } from '@baton/base';
import { type Expr, type IRModule, irModule, moduleFromExpr, type Type } from '@baton/ir';
import { defineOp, noAttributes, standardOps } from '@baton/ops';
import { parseExpr, parseModule } from '@baton/text';

/** One program of a founding document. */
export interface Seed {
  /** The file name without its ending, such as `s01-triple`. */
  readonly file: string;
  /** `S01`. */
  readonly id: string;
  readonly from: string;
  readonly dialect: 'relay' | 'legacy';
  readonly kind: 'expression' | 'module' | 'type';
  /** The correction to the program, if there is one. */
  readonly mended: string | undefined;
  /** Stated types: of the program, or of `@name` in it. */
  readonly types: ReadonlyArray<string>;
  readonly definitions: string;
  readonly text: string;
}

const FOLDER = new URL('./programs/', import.meta.url);

/** All of them, by number. */
export const seeds: ReadonlyArray<Seed> = readdirSync(FOLDER)
  .sort()
  .map((name) => readSeed(name, readFileSync(new URL(name, FOLDER), 'utf8')));

/** The seed in the file whose name starts with this text, such as `s07-global`. */
export function seedNamed(start: string): Seed {
  const found = seeds.filter((seed) => seed.file.startsWith(start));
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`${start}: ${found.length} files`);
  return only;
}

/** The standard operators, and the one that S05 calls an intrinsic. */
export const seedOps = standardOps.with(
  defineOp({
    name: 'intrinsic',
    doc: 'Its argument.',
    source: 'expressions-oldest.txt, line 102',
    inputs: ['x'],
    attrs: noAttributes,
    relation: (args) => args[0],
    kernel: (args) => args.value(0),
    cost: () => 0,
    fusion: 'elemwise',
    kind: 'other',
    numerics: 'smooth',
    domain: 'any',
    scaleAxis: 'none',
    examples: [],
  }),
);

/** The parsed form of a seed. */
export interface ParsedSeed {
  /** The given definitions, and the program itself if it consists of definitions. */
  readonly module: IRModule;
  /** The program, if it is an expression. */
  readonly expr: Expr | undefined;
}

/** Parses a seed in its own dialect, or in the given one. */
export function parseSeed(seed: Seed, dialect = seed.dialect): ParsedSeed {
  const options = { ops: seedOps, dialect, source: seed.file };
  const header = dialect === 'relay' ? '#[version = "0.0.5"]\n' : '';
  const definitions = seed.kind === 'module' ? seed.text : seed.definitions;
  const module = orFail(parseModule(header + definitions, options), header + definitions);
  if (seed.kind === 'module') return { module, expr: undefined };
  const text = seed.kind === 'type' ? `free_var %t: ${seed.text.trim()}; %t` : seed.text;
  return { module, expr: orFail(parseExpr(text, { ...options, context: module }), text) };
}

/** The module to run: with the expression as the body of `@main`. */
export const runnable = ({ module, expr }: ParsedSeed): IRModule =>
  expr === undefined ? module : moduleFromExpr(expr, module);

/**
 * The module that evaluates an expression. `@program` is the seed's program: the expression itself
 * if it is a function, else a function of its free variables in the order of their first use.
 */
export function withCall({ module, expr }: ParsedSeed, call: string): IRModule {
  const program = expr && moduleFromExpr(expr, { ops: seedOps }).functions.get('main');
  const functions = new Map(module.functions);
  if (program !== undefined) functions.set('program', program);
  const context = irModule({ ...module, functions });
  const options = { ops: seedOps, context, source: 'call' };
  return moduleFromExpr(orFail(parseExpr(call, options), call), context);
}

/** The type in a text. */
export function typeNamed(text: string, module: IRModule): Type {
  const parsed = parseExpr(`free_var %t: ${text}; %t`, { ops: seedOps, context: module });
  const variable = orFail(parsed, text);
  if (variable._tag !== 'Var' || variable.typeAnnotation === undefined) throw new Error(text);
  return variable.typeAnnotation;
}

/** The value, or an error that shows the diagnostics in the text. */
export function orFail<A>(result: Result<A>, _text: string): A {
  if (result._tag === 'Right') return result.right;
  throw new Error(renderDiagnostics(result.left));
}

function readSeed(file: string, content: string): Seed {
  const [head = '', afterHead = ''] = split(content, '// ---- definitions that are given\n');
  const [keys, program] = split(afterHead === '' ? content : afterHead, '// ---- program\n');
  const lines = (afterHead === '' ? keys : head).split('\n');
  const values = (key: string): ReadonlyArray<string> =>
    lines.filter((l) => l.startsWith(`// ${key}: `)).map((l) => l.slice(key.length + 5));
  const [id = '', dialect, kind] = ['seed', 'dialect', 'kind'].map((key) => values(key)[0]);
  if (dialect !== 'relay' && dialect !== 'legacy') throw new Error(`${file}: dialect ${dialect}`);
  if (kind !== 'expression' && kind !== 'module' && kind !== 'type') {
    throw new Error(`${file}: kind ${kind}`);
  }
  return {
    file: file.replace(/\.relay$/, ''),
    id,
    from: values('from')[0] ?? '',
    dialect,
    kind,
    mended: values('mended')[0],
    types: values('type'),
    definitions: afterHead === '' ? '' : (keys ?? ''),
    text: program ?? '',
  };
}

/** The text before and after the first `mark`. */
function split(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}
