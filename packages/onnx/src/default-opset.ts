/** The version of ONNX's operator set that a program is written with by default. */
import { type Expr, postOrderExprs, type Type } from '@baton/ir';
import { DEFAULT_OPSET, OPSETS } from './signature.ts';

/**
 * The last version before the default one. In a file of the default version itself onnxruntime computes the
 * activations of 16-bit floats by the formulas of their definitions, with a node for each operation.
 */
const HALVES_OPSET = 17;

/** The type of an expression. */
type TypeOf = (expr: Expr) => Type | undefined;

/** Whether a program computes with floats of 16 bits. */
const hasHalves = (roots: ReadonlyArray<Expr>, typeOf: TypeOf): boolean =>
  postOrderExprs(roots).some((expr) => {
    const type = typeOf(expr);
    return type?._tag === 'TensorType' && HALVES.has(String(type.dtype));
  });

const HALVES: ReadonlySet<string> = new Set(['float16', 'bfloat16']);

/** The version of a file that its program notes for the export; `undefined` if it makes no difference. */
export function statedOpset(
  version: number,
  roots: ReadonlyArray<Expr>,
  typeOf: TypeOf,
): number | undefined {
  if (version > DEFAULT_OPSET) return version;
  if (version < OPSETS.least || !hasHalves(roots, typeOf)) return undefined;
  return version;
}

/**
 * The versions that are written by default: of several the first of those that take the fewest nodes is taken.
 * For floats of 16 bits these are the file's own, where the program notes it, and the last ones.
 */
export function defaultOpsets(
  stated: number | undefined,
  roots: ReadonlyArray<Expr>,
  typeOf: TypeOf,
): ReadonlyArray<number> {
  const own = stated && Math.min(Math.max(stated, OPSETS.least), OPSETS.most);
  if (own === undefined && !hasHalves(roots, typeOf)) return [DEFAULT_OPSET];
  if (own !== undefined && own >= DEFAULT_OPSET) return [own];
  return [...new Set([own ?? HALVES_OPSET, HALVES_OPSET, DEFAULT_OPSET])];
}
