/** The functions that take an operator table, with the standard operators bound. */
import type { Result } from '@baton/base';
import * as ir from '@baton/ir';
import * as onnx from '@baton/onnx';
import { standardOps } from '@baton/ops';

/** Options in which `ops` may be left out: it is then the standard table. */
export type WithDefaultOps<O extends { readonly ops: ir.OpTable }> = Omit<O, 'ops'> &
  Partial<Pick<O, 'ops'>>;

/** As `parseModule` of `@baton/ir`. */
export const parseModule = (
  text: string,
  options: WithDefaultOps<ir.ParseOptions> = {},
): Result<ir.IRModule> => ir.parseModule(text, { ops: standardOps, ...options });

/** As `parseExpr` of `@baton/ir`. */
export const parseExpr = (
  text: string,
  options: WithDefaultOps<ir.ParseOptions> = {},
): Result<ir.Expr> => ir.parseExpr(text, { ops: standardOps, ...options });

/** As `printExpr` of `@baton/ir`: attributes that equal an operator's defaults are left out. */
export const printExpr = (expr: ir.Expr, options: ir.PrintOptions = {}): string =>
  ir.printExpr(expr, { ops: standardOps, ...options });

/** As `irModule` of `@baton/ir`. */
export const irModule = (parts: WithDefaultOps<ir.ModuleParts> = {}): ir.IRModule =>
  ir.irModule({ ops: standardOps, ...parts });

/** As `moduleFromExpr` of `@baton/ir`. */
export const moduleFromExpr = (
  expr: ir.Expr,
  parts: WithDefaultOps<ir.ModuleParts> = {},
): ir.IRModule => ir.moduleFromExpr(expr, { ops: standardOps, ...parts });

/** As `fromJson` of `@baton/ir`. */
export const fromJson = (
  text: string,
  options: WithDefaultOps<ir.FromJsonOptions> = {},
): Result<ir.IRModule> => ir.fromJson(text, { ops: standardOps, ...options });

/** As `decodeModule` of `@baton/ir`. */
export const decodeModule = (
  data: unknown,
  options: WithDefaultOps<ir.FromJsonOptions> = {},
): Result<ir.IRModule> => ir.decodeModule(data, { ops: standardOps, ...options });

/** As `structuralEqual` of `@baton/ir`: attributes that a call leaves out have their defaults. */
export const structuralEqual = (
  a: ir.Expr | ir.IRModule,
  b: ir.Expr | ir.IRModule,
  options: ir.EqualOptions = {},
): boolean =>
  // A module knows its operators.
  ir.structuralEqual(a, b, a._tag === 'IRModule' ? options : { ops: standardOps, ...options });

/** As `importOnnx` of `@baton/onnx`. */
export const importOnnx = (
  bytes: Uint8Array,
  options: WithDefaultOps<onnx.ImportOptions> = {},
): Result<ir.IRModule> => onnx.importOnnx(bytes, { ops: standardOps, ...options });
