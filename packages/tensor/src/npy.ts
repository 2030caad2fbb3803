/**
 * Arrays in NumPy's format `.npy`.
 *
 * **Source** NumPy Enhancement Proposal 1, versions 1.0 to 3.0 of the format.
 */
import { diagnostic, fail, type Result, right } from '@baton/base';
import { fromBytes, toBytes } from './bytes.ts';
import { cast } from './cast.ts';
import type { DType } from './dtype.ts';
import type { Tensor } from './tensor.ts';
import { transposeView } from './views.ts';

/** The dtypes by NumPy's codes, without the byte order. */
const DTYPES: Readonly<Partial<Record<string, DType>>> = {
  f2: 'float16',
  f4: 'float32',
  f8: 'float64',
  i1: 'int8',
  i2: 'int16',
  i4: 'int32',
  i8: 'int64',
  u1: 'uint8',
  u2: 'uint16',
  u4: 'uint32',
  u8: 'uint64',
  b1: 'bool',
};

/** The most bytes of a header that are read. */
const MAX_HEADER = 4_096;

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

const isNpy = (bytes: Uint8Array): boolean => MAGIC.every((byte, i) => bytes[i] === byte);

/** **Errors** `TENSOR_NPY`, `TENSOR_BYTES`. */
export function readNpy(bytes: Uint8Array): Result<Tensor> {
  const refused = (message: string) => fail<Tensor>(diagnostic('TENSOR_NPY', message));
  if (!isNpy(bytes) || bytes.length < 12) return refused('expected an array of NumPy');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isOld = bytes[6] === 1;
  const start = isOld ? 10 : 12;
  const length = isOld ? view.getUint16(8, true) : view.getUint32(8, true);
  // About a hundred bytes, unless the array has structured elements.
  const header = String.fromCharCode(
    ...bytes.subarray(start, start + Math.min(length, MAX_HEADER)),
  );
  const [, order = '', code = ''] = /'descr':\s*'([<>|=])(\w+)'/.exec(header) ?? [];
  const [, sizes] = /'shape':\s*\(([^)]*)\)/.exec(header) ?? [];
  const dtype = DTYPES[code];
  if (dtype === undefined || sizes === undefined) {
    return refused(`expected numbers or booleans, found ${header.trim().slice(0, 60)}`);
  }
  if (order === '>') return refused('its numbers have the most significant byte first');
  const shape = sizes
    .split(',')
    .filter((size) => size.trim() !== '')
    .map(Number);
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0)) {
    return refused(`expected a shape, found (${sizes})`);
  }
  const data = bytes.subarray(start + length);
  const isByColumns = /'fortran_order':\s*True/.test(header);
  return fromColumns(dtype, data, shape, isByColumns);
}

/** The tensor of elements in C order, or in Fortran order. */
function fromColumns(
  dtype: DType,
  data: Uint8Array,
  shape: ReadonlyArray<number>,
  isByColumns: boolean,
): Result<Tensor> {
  const made = fromBytes(data, isByColumns ? [...shape].reverse() : shape, dtype);
  if (!isByColumns || made._tag === 'Left') return made;
  const axes = shape.map((_, i) => shape.length - 1 - i);
  return right(transposeView(made.right, axes));
}

/** Data begins at a multiple of this many bytes. */
const ALIGNMENT = 64;

/** The `.npy` file of a tensor; bfloat16, which NumPy lacks, becomes float32, exactly. */
export function writeNpy(given: Tensor): Uint8Array {
  const tensor = given.dtype === 'bfloat16' ? cast(given, 'float32') : given;
  const code = Object.entries(DTYPES).find(([, dtype]) => dtype === tensor.dtype)?.[0];
  const order = code === 'b1' || code === 'i1' || code === 'u1' ? '|' : '<';
  const shape = tensor.shape.length === 1 ? `${tensor.shape[0]},` : tensor.shape.join(', ');
  const header = `{'descr': '${order}${code}', 'fortran_order': False, 'shape': (${shape}), }`;
  const length = Math.ceil((10 + header.length + 1) / ALIGNMENT) * ALIGNMENT - 10;
  const data = toBytes(tensor);
  const file = new Uint8Array(10 + length + data.length);
  file.set([...MAGIC, 1, 0, length & 0xff, length >> 8]);
  file.set(
    Uint8Array.from(`${header.padEnd(length - 1)}\n`, (c) => c.charCodeAt(0)),
    10,
  );
  file.set(data, 10 + length);
  return file;
}
