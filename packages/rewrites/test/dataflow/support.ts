import { type Expr, type Func, orThrow } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { parseExpr, printExpr } from '@baton/text';

/** A function of vectors `(2, 2)`, unless a parameter has a type. */
export function fn(params: string, body: string): Func {
  const typed = params.split(' ').map((p) => {
    const [name = '', type = 'Tensor[(2, 2), float32]'] = p.split(':');
    return `${name}: ${type}`;
  });
  const f = orThrow(parseExpr(`fn (${typed.join(', ')}) { ${body} }`, { ops: standardOps }));
  if (f._tag !== 'Function') throw new Error('not a function');
  return f;
}

/** The body of such a function. */
export const expr = (params: string, body: string): Expr => fn(params, body).body;

/** The text of an expression on one line, without types. */
export const shown = (e: Expr): string =>
  printExpr(e, { ops: standardOps, showTypes: false, header: false })
    .replace(/: Tensor\[[^\]]*\]| -> Tensor\[[^\]]*\]/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('free_var'))
    .join(' ');
