/** The stages of a program's way through Baton, each of which is to be linear in the program. */
import {
  evaluate,
  exportOnnx,
  fromJson,
  type IRModule,
  importOnnx,
  inferTypes,
  makeWasm,
  optimize,
  orThrow,
  type Pass,
  parseModule,
  passes,
  printModule,
  runPass,
  tensor,
  toJson,
} from 'batonjs';

/** A stage, on what `prepare` makes of a program. */
export interface Stage {
  readonly name: string;
  readonly prepare: (m: IRModule) => unknown;
  readonly run: (input: unknown) => unknown;
}

const stage = <A>(
  name: string,
  prepare: (m: IRModule) => A,
  run: (input: A) => unknown,
): Stage => ({ name, prepare, run: (input) => run(input as A) });

const same = (m: IRModule): IRModule => m;
const typed = (m: IRModule): IRModule => orThrow(inferTypes(m));
const input = tensor(new Float32Array([1, 2]), [2], 'float32');

const pass = (name: string, one: () => Pass): Stage =>
  stage(name, typed, (m) => orThrow(runPass(one())(m)));

/** In the order in which a program goes through them. */
export const STAGES: ReadonlyArray<Stage> = [
  stage('print', typed, printModule),
  stage('parse', printModule, (text) => orThrow(parseModule(text))),
  stage('infer', same, typed),
  stage('to JSON', typed, (m) => JSON.stringify(toJson(m))),
  stage('from JSON', toJson, (json) => orThrow(fromJson(json))),
  pass('level 3', () => optimize({ level: 3 })),
  pass('fuse', () => passes.fuseOps),
  pass('A-normal form', () => passes.toANormalForm),
  stage('to ONNX', typed, (m) => orThrow(exportOnnx(m))),
  stage(
    'from ONNX',
    (m) => orThrow(exportOnnx(typed(m))),
    (bytes) => orThrow(importOnnx(bytes)),
  ),
  stage('evaluate', typed, (m) => orThrow(evaluate(m, [input]))),
  stage('wasm', typed, (m) =>
    orThrow(evaluate(m, [input], { executor: makeWasm({ leastElements: 1 }) })),
  ),
];
