/**
 * The names of a text: hints made legal and unique
 * ([language §8](https://batonjs.github.io/baton/spec/language#8)).
 */
import { remember } from '@baton/base';
import type { TypeVar, Var } from '@baton/ir';
import { isIdentifier } from '../tokens/chars.ts';
import { isSpecialFloat } from '../tokens/number.ts';
import { KEYWORDS } from '../tokens/tokens.ts';

export interface Names {
  /** The name of a variable with its `%`, made at its first mention. */
  readonly local: (variable: Var) => string;
  readonly knownLocal: (variable: Var) => string | undefined;
  readonly typeVar: (variable: TypeVar) => string;
  /** Forgets the type parameters of one definition before the next; whether there were any. */
  readonly forgetTypeVars: () => boolean;
  /** Names for type parameters within one type, different from those in `taken`. */
  readonly within: (
    variables: ReadonlyArray<TypeVar>,
    taken: ReadonlySet<string>,
  ) => ReadonlyMap<TypeVar, string>;
  /** The name of a global with its `@`; the same for the same name. */
  readonly global: (name: string) => string;
}

/** An empty table. Type definitions take `typeNames`, functions take `globals`. */
export function makeNames(typeNames: Iterable<string>, globals: Iterable<string>): Names {
  const locals = new Map<Var, string>();
  const typeVars = new Map<TypeVar, string>();
  const globalNames = new Map<string, string>();
  const freshLocal = makeFresh([]);
  const reservedTypes = [...RESERVED_TYPE_NAMES, ...typeNames];
  let freshType = makeFresh(reservedTypes, '_');
  const legalGlobals = [...globals].filter(isGlobalName);
  const freshGlobal = makeFresh(legalGlobals);
  for (const name of legalGlobals) globalNames.set(name, `@${name}`);
  return {
    local: (v) => remember(locals, v, () => `%${freshLocal(legal(v.nameHint, 'v'))}`),
    knownLocal: (v) => locals.get(v),
    typeVar: (v) => remember(typeVars, v, () => freshType(legalType(v.nameHint))),
    forgetTypeVars: () => {
      if (typeVars.size === 0) return false;
      typeVars.clear();
      freshType = makeFresh(reservedTypes, '_');
      return true;
    },
    within: (variables, taken) => {
      const fresh = makeFresh([...reservedTypes, ...taken], '_');
      return new Map(variables.map((v) => [v, fresh(legalType(v.nameHint))]));
    },
    global: (name) =>
      remember(
        globalNames,
        name,
        () => `@${freshGlobal(isGlobalName(name) ? name : legal(name, 'g'))}`,
      ),
  };
}

/** Words with another meaning where a type variable may occur. */
const RESERVED_TYPE_NAMES = ['Tensor', 'where', 'meta', 'True', 'False', '_', ...KEYWORDS];

const DTYPE_LIKE = /^(?:int|uint|float|bfloat|bool)\d*(?:x\d+)?$/;

/**
 * A supply of names without repetition: `x`, `x1`, `x2`, with a separator before the number.
 * **Complexity** amortized O(1).
 */
function makeFresh(reserved: Iterable<string>, separator = ''): (base: string) => string {
  const taken = new Set(reserved);
  const counters = new Map<string, number>();
  return (base) => {
    let name = base;
    let count = counters.get(base) ?? 0;
    while (taken.has(name)) {
      count++;
      name = `${base}${separator}${count}`;
    }
    counters.set(base, count);
    taken.add(name);
    return name;
  };
}

/** The hint as an identifier: other characters become `_`, and it starts with a letter. */
function legal(hint: string, prefix: string): string {
  if (isIdentifier(hint) && !hint.startsWith('_')) return hint;
  const clean = hint.replace(/\/(?![A-Za-z_])/g, '_').replace(/[^A-Za-z0-9_/]/g, '_');
  return /^[A-Za-z]/.test(clean) ? clean : `${prefix}${clean.replace(/^\//, '_')}`;
}

/** The hint of a type parameter as a name, without the number that distinguished it elsewhere. */
function legalType(hint: string): string {
  const name = legal(hint, 't').replace(/(?:_\d+)+$/, '');
  return DTYPE_LIKE.test(name) || isSpecialFloat(name) ? `t${name}` : name;
}

const isGlobalName = (name: string): boolean => name.split('.').every(isIdentifier);
