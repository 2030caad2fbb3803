/** The functions that take an operator table, with the standard operators bound. */
import {
  anything,
  aRecord,
  checkOptions,
  failure,
  type OptionType,
  type OptionTypes,
  orThrow,
  type Result,
} from '@baton/base';
import * as ir from '@baton/ir';
import * as onnx from '@baton/onnx';
import { standardOps } from '@baton/ops';
import * as texts from '@baton/text';

/** Options in which `ops` may be left out; the default is the standard table. */
export type WithDefaultOps<O extends { readonly ops: ir.OpTable }> = Omit<O, 'ops'> &
  Partial<Pick<O, 'ops'>>;

/** As `parseModule` of `@baton/text`. */
export const parseModule = (
  text: string,
  options: WithDefaultOps<texts.ParseOptions> = {},
): Result<ir.IRModule> => texts.parseModule(text, { ops: standardOps, ...options });

/** As `parseExpr` of `@baton/text`. */
export const parseExpr = (
  text: string,
  options: WithDefaultOps<texts.ParseOptions> = {},
): Result<ir.Expr> => texts.parseExpr(text, { ops: standardOps, ...options });

/** As `printExpr` of `@baton/text`: attributes that equal an operator's defaults are left out. */
export const printExpr = (expr: ir.Expr, options: texts.PrintOptions = {}): string =>
  texts.printExpr(expr, { ops: standardOps, ...options });

/** As `irModule` of `@baton/ir`. **Errors** throws `OPTION_*` for parts that are none of a module. */
export const irModule = (parts: WithDefaultOps<ir.ModuleParts> = {}): ir.IRModule => {
  const wrong = failure(checkOptions('irModule', parts, MODULE_PARTS, irModule));
  if (wrong !== undefined) orThrow(wrong);
  return ir.irModule({ ops: standardOps, ...parts });
};

/** A map by name; a plain record is not one. */
const aMap: OptionType = {
  expected: 'a Map by name, such as `new Map(Object.entries(..))`',
  is: (value) => value instanceof Map,
};

/** The parts of a module, and the mark that a spread of another module has. */
const MODULE_PARTS: OptionTypes<ir.ModuleParts & { readonly _tag: unknown }> = {
  _tag: anything,
  functions: aMap,
  typeDefinitions: aMap,
  constructors: aMap,
  ops: anything,
  attrs: aRecord,
  imports: anything,
  types: anything,
};

/** As `moduleFromExpr` of `@baton/ir`. */
export const moduleFromExpr = (
  expr: ir.Expr,
  parts: WithDefaultOps<ir.ModuleParts> = {},
): ir.IRModule => ir.moduleFromExpr(expr, { ops: standardOps, ...parts });

/** As `fromJson` of `@baton/text`. */
export const fromJson = (
  text: string,
  options: WithDefaultOps<texts.FromJsonOptions> = {},
): Result<ir.IRModule> => texts.fromJson(text, { ops: standardOps, ...options });

/** As `decodeModule` of `@baton/text`. */
export const decodeModule = (
  data: unknown,
  options: WithDefaultOps<texts.FromJsonOptions> = {},
): Result<ir.IRModule> => texts.decodeModule(data, { ops: standardOps, ...options });

/** As `structuralEqual` of `@baton/ir`: attributes that a call leaves out have their defaults. */
export const structuralEqual = (
  a: ir.Expr | ir.IRModule,
  b: ir.Expr | ir.IRModule,
  options: ir.EqualOptions = {},
): boolean =>
  // A module has its own operators.
  ir.structuralEqual(a, b, a._tag === 'IRModule' ? options : { ops: standardOps, ...options });

/** As `importOnnx` of `@baton/onnx`. */
export const importOnnx = (
  bytes: Uint8Array,
  options: WithDefaultOps<onnx.ImportOptions> = {},
): Result<ir.IRModule> => onnx.importOnnx(bytes, { ops: standardOps, ...options });
