/** onnxruntime, the reference: loaded where a package of the workspace has it installed. */
import { createRequire } from 'node:module';
import type { DType, Tensor, TensorData } from '@baton/tensor';
import { tensor } from '@baton/tensor';
import { Mistake } from '../begin.ts';
import { installedPeers } from '../compiled/peers.ts';
import type { Feeds } from './model.ts';

/** How much onnxruntime optimizes a model before it runs it. */
export type RuntimeLevel = 'disabled' | 'all';

/** A model that onnxruntime has loaded. */
export interface RuntimeModel {
  readonly run: (feeds: Feeds) => Promise<Feeds>;
  readonly release: () => Promise<void>;
}

/** onnxruntime. */
export interface Runtime {
  /** Loads a model; refuses by throwing. */
  readonly load: (bytes: Uint8Array, level?: RuntimeLevel) => Promise<RuntimeModel>;
}

/** The part of the package `onnxruntime-node` that is used. */
interface RuntimePackage {
  readonly InferenceSession: {
    readonly create: (bytes: Uint8Array, options: object) => Promise<Session>;
  };
  readonly Tensor: new (
    dtype: string,
    data: TensorData,
    dims: ReadonlyArray<number>,
  ) => RuntimeTensor;
}

interface RuntimeTensor {
  readonly data: TensorData;
  readonly dims: ReadonlyArray<number>;
  readonly type: string;
}

interface Session {
  readonly run: (feeds: Record<string, RuntimeTensor>) => Promise<Record<string, RuntimeTensor>>;
  readonly release: () => Promise<void>;
}

/** Products of bytes are added in 16 bits on some processors, with the excess cut off, unless asked. */
const EXACT_BYTES = { session: { x64quantprecision: '1' } };

const FATAL_ONLY = 4;

/** onnxruntime, from the folder `test` or wherever a package of the workspace has it. */
export function loadRuntime(): Runtime {
  const folder = installedPeers('').ortNode;
  if (folder === undefined) throw new Mistake('onnxruntime-node is not installed in the workspace');
  const from = createRequire(`${folder.replace(/\/$/, '')}/package.json`);
  const { InferenceSession, Tensor: Boxed } = from('onnxruntime-node') as RuntimePackage;
  return {
    load: async (bytes, level = 'disabled') => {
      const session = await InferenceSession.create(bytes, {
        graphOptimizationLevel: level,
        intraOpNumThreads: 1,
        interOpNumThreads: 1,
        logSeverityLevel: FATAL_ONLY,
        extra: EXACT_BYTES,
      });
      return {
        run: async (feeds) => {
          const given = [...feeds].map(
            ([name, t]) => [name, new Boxed(t.dtype, t.data, t.shape)] as const,
          );
          const found = await session.run(Object.fromEntries(given));
          return new Map(Object.entries(found).map(([name, value]) => [name, asTensor(value)]));
        },
        release: () => session.release(),
      };
    },
  };
}

/** Results are copied: onnxruntime owns the memory of its own. */
const asTensor = ({ data, dims, type }: RuntimeTensor): Tensor =>
  tensor(data.slice(), [...dims], type as DType);
