/** Recognizes other formats than ONNX models, with a hint for each. */

/** A format that is sometimes taken for ONNX. */
export interface OtherFormat {
  readonly what: string;
  readonly hint?: string;
}

/** Formats by the bytes at a place. */
const SIGNATURES: ReadonlyArray<readonly [number, string, OtherFormat]> = [
  [0, '\x89PNG', { what: 'a PNG image' }],
  [0, '\xff\xd8\xff', { what: 'a JPEG image' }],
  [0, '%PDF', { what: 'a PDF document' }],
  [0, '\x1f\x8b', { what: 'a gzip archive', hint: 'unpack it first' }],
  [
    0,
    'PK\x03\x04',
    { what: 'a zip archive', hint: 'unpack it first; a PyTorch checkpoint is one, too: export it' },
  ],
  [0, '\x89HDF', { what: 'an HDF5 file', hint: 'export the Keras model with tf2onnx' }],
  [0, '\x93NUMPY', { what: 'a NumPy array' }],
  [4, 'TFL3', { what: 'a TensorFlow Lite model', hint: 'export the model with tf2onnx' }],
  [4, 'ORTM', { what: 'a model in the format ORT', hint: 'give the .onnx that it was made from' }],
  [
    0,
    'version https://git-lfs',
    { what: 'a pointer of Git LFS', hint: 'fetch the file itself with `git lfs pull`' },
  ],
];

const HTML: OtherFormat = {
  what: 'an HTML page',
  hint: 'the download answered with a page: take the address of the raw file',
};

/** The number of bytes that are examined. */
const HEAD = 256;

/** The format of these bytes, if it is known not to be a model. */
export function otherFormat(bytes: Uint8Array): OtherFormat | undefined {
  if (bytes.length === 0) return { what: 'an empty file' };
  const head = String.fromCharCode(...bytes.subarray(0, HEAD));
  const known = SIGNATURES.find(([at, text]) => head.startsWith(text, at));
  if (known !== undefined) return known[2];
  if (/^(\xef\xbb\xbf)?\s*<(!doctype|html|\?xml|!--)/i.test(head)) return HTML;
  if (/^(\xef\xbb\xbf)?\s*[{[]\s*["{[\]}]/.test(head)) return { what: 'JSON' };
  return /^[\t\n\r -~]+$/.test(head) && head.length >= 16 ? { what: 'a text' } : undefined;
}
