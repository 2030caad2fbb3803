/** The passes that a RUN line names. */
import { type Pass, sequential, withContext } from '@baton/pass-manager';
import { optimize, passes, quantize } from '@baton/passes';
import { compositeNamed } from './composites.ts';
import { altering, layoutsIn, legalizing } from './layouts.ts';

/** A level above every pass. */
const EVERY_LEVEL = 9;

const OPTION = /^([a-z-]+)(?:=([a-z0-9_]+|\[[0-9 ]*\]))?$/;

/** `fold-scale-axis(tvm-only), optimize(level=3)` as a pipeline. */
export function parseRunLine(line: string): Pass {
  const named = line.matchAll(/([a-z0-9-]+)(?:\(([^)]*)\))?/g);
  const list = [...named].map(([, name, options]) => passNamed(name ?? '', options));
  return withContext({ level: EVERY_LEVEL }, sequential(list));
}

function passNamed(name: string, optionText: string | undefined): Pass {
  // Its patterns have names, in the order in which they are tried.
  if (name === 'merge-composite') {
    const names = (optionText ?? '').split(',').map((text) => text.trim());
    return passes.mergeComposite(names.map(compositeNamed));
  }
  if (name === 'convert-layout') return passes.convertLayout(layoutsIn(optionText ?? ''));
  if (name === 'alter-op-layout')
    return passes.alterOpLayout({ alter: altering(optionText ?? '') });
  if (name === 'legalize') return passes.legalize({ rules: legalizing(optionText ?? '') });
  const options = Object.fromEntries(
    (optionText ?? '')
      .split(',')
      .filter((text) => text.trim() !== '')
      .map((text) => {
        const [, key, value] = OPTION.exec(text.trim()) ?? [];
        if (key === undefined) throw new Error(`unreadable option: ${text}`);
        return [camelCase(key), value === undefined || valueIn(value)];
      }),
  );
  if (name === 'optimize') return optimize(options);
  const known = new Map<string, unknown>(Object.entries({ ...passes, quantize })).get(
    camelCase(name),
  );
  if (known === undefined) throw new Error(`unknown pass: ${name}`);
  // A pass with options is a function; its type tells nothing else here.
  if (optionText === undefined) return known as Pass;
  return (known as (given: unknown) => Pass)(options);
}

/** A number, a truth value, a list of numbers between spaces, or a word. */
const valueIn = (text: string): unknown => {
  if (text.startsWith('[')) return (text.match(/[0-9]+/g) ?? []).map(Number);
  return /^([0-9]+|true|false)$/.test(text) ? JSON.parse(text) : text;
};

const camelCase = (name: string): string =>
  name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
