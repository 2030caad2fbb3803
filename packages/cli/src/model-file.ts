/** Models as files: ONNX, Relay text, and JSON. */
import {
  byteCount,
  type Diagnostic,
  fail,
  isLeft,
  joinedBytes,
  type Limits,
  limitExceeded,
  ok,
  type Result,
  renderDiagnostic,
  right,
} from '@baton/base';
import type { ExternalLocation, ImportOptions } from '@baton/onnx';
import {
  type ExportOptions,
  exportOnnxPieces,
  fromJson,
  type IRModule,
  importOnnx,
  type ModelForm,
  modelForm,
  parseModule,
  printModule,
  toJson,
} from 'batonjs';
import type { Session } from './command.ts';
import { inOptions, misuse, unfit } from './diagnostics.ts';
import type { NewFile } from './host.ts';
import { bytesOf } from './limits.ts';
import { readDims } from './pairs.ts';

const BY_ENDING: ReadonlyArray<readonly [ending: RegExp, ModelForm]> = [
  [/\.(onnx|pb)$/i, 'onnx'],
  [/\.(relay|txt|ir)$/i, 'relay'],
  [/\.json$/i, 'json'],
];

/** The model that an operand names, read with `--dim`; `onFile` gets the bytes first. */
export async function openModel(
  session: Session,
  path: string,
  onFile: (bytes: Uint8Array) => void = () => {},
): Promise<Result<IRModule>> {
  const dims = readDims(session.texts('dim'));
  if (isLeft(dims)) return dims;
  const most = constantRoom(session);
  if (isLeft(most)) return most;
  session.host.progress.step(`reading ${nameOf(path)}`);
  const bytes = await session.host.read(path);
  if (isLeft(bytes)) return bytes;
  const { length } = bytes.right;
  const { limits } = session;
  if (limits.bytes !== undefined && length > limits.bytes) {
    return fail(limitExceeded(nameOf(path), 'bytes', length, limits.bytes));
  }
  onFile(bytes.right);
  const { right: maxConstantBytes } = most;
  const sizes = {
    dims: dims.right,
    ...(maxConstantBytes === undefined ? {} : { maxConstantBytes }),
  };
  return decoded(session, path, bytes.right, sizes);
}

export const constantRoom = ({ text }: Session): Result<number | undefined> =>
  bytesOf('max-constant-bytes', text('max-constant-bytes'));

export const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

function decoded(
  { host, limits }: Session,
  path: string,
  bytes: Uint8Array,
  sizes: Required<Pick<ImportOptions, 'dims'>> & Pick<ImportOptions, 'maxConstantBytes'>,
): Result<IRModule> {
  const source = nameOf(path);
  const form = modelForm(bytes);
  if (form === 'onnx') {
    const onWarning = (warning: Diagnostic): void =>
      host.tell(renderDiagnostic(inOptions(warning)));
    const externalData = host.beside(path);
    return importOnnx(bytes, {
      source,
      ...sizes,
      externalData,
      ownsBytes: true,
      onWarning,
      limits,
    });
  }
  if (Object.keys(sizes.dims).length > 0) {
    return misuse('--dim gives sizes to ONNX files', 'Relay text and JSON state theirs');
  }
  const text = new TextDecoder().decode(bytes);
  return form === 'json' ? fromJson(text) : parseModule(text, { source });
}

export interface WriteOptions {
  readonly opset?: number | undefined;
  /** Whether weights are written to a separate file, whatever their size. */
  readonly external: boolean;
  readonly limits: Limits;
  /** Short names make the file smaller. */
  readonly names?: ExportOptions['names'];
  readonly target?: ExportOptions['target'];
}

export interface ModelFiles {
  readonly files: ReadonlyArray<NewFile>;
  readonly onnx: OnnxFile | undefined;
}

export interface OnnxFile {
  readonly bytes: () => Uint8Array;
  readonly weights: (place: ExternalLocation) => Uint8Array | Diagnostic | undefined;
}

export function modelFiles(
  m: IRModule,
  path: string,
  { opset, external, limits, names = 'full', target = 'onnxruntime' }: WriteOptions,
): Result<ModelFiles> {
  const form = path === '-' ? 'onnx' : BY_ENDING.find(([ending]) => ending.test(path))?.[1];
  switch (form) {
    case 'onnx':
      return onnxFiles(m, path, { limits, names, target, ...(opset && { opset }) }, external);
    case 'json':
      return ok({ files: [{ path, pieces: [toJson(m)] }], onnx: undefined });
    case 'relay':
      return ok({
        files: [{ path, pieces: [printModule(m, { showTypes: false })] }],
        onnx: undefined,
      });
    default:
      return fail(unfit(path, 'the name has no known ending', 'end it in .onnx, .relay or .json'));
  }
}

/** A protobuf file has at most 2 GiB; weights of this size leave headroom for the rest. */
const MAX_INSIDE = 1.9 * 2 ** 30;

/** Smaller weights stay inside the model. */
const MIN_OUTSIDE = 1024;

const ALIGNMENT = 4096;

function onnxFiles(
  m: IRModule,
  path: string,
  options: ExportOptions,
  external: boolean,
): Result<ModelFiles> {
  if (!external || path === '-') {
    const inside = exportOnnxPieces(m, options);
    if (isLeft(inside)) return inside;
    if (path === '-' || byteCount(inside.right) <= MAX_INSIDE) {
      const { right: pieces } = inside;
      const onnx = { bytes: () => joinedBytes(pieces), weights: () => undefined };
      return right({ files: [{ path, pieces }], onnx });
    }
  }
  const weights = `${path}.data`;
  const pieces: Uint8Array[] = [];
  const tensors = new Map<number, Uint8Array>();
  let offset = 0;
  const location = weights.replace(/^.*[/\\]/, '');
  const externalData = (_: string, bytes: Uint8Array): ExternalLocation | undefined => {
    if (bytes.length < MIN_OUTSIDE) return undefined;
    const gap = (ALIGNMENT - (offset % ALIGNMENT)) % ALIGNMENT;
    pieces.push(new Uint8Array(gap), bytes);
    const start = offset + gap;
    tensors.set(start, bytes);
    offset = start + bytes.length;
    return { location, offset: start, length: bytes.length };
  };
  const model = exportOnnxPieces(m, { ...options, externalData });
  if (isLeft(model)) return model;
  const files = [
    { path: weights, pieces },
    { path, pieces: model.right },
  ];
  const onnx = {
    bytes: () => joinedBytes(model.right),
    weights: (place: ExternalLocation) => tensors.get(place.offset),
  };
  return right({ files, onnx });
}
