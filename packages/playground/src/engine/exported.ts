/** Programs as files. */
import { isLeft, type Limits, type Result, right } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { exportOnnx } from '@baton/onnx';
import { printModule, toJson } from '@baton/text';
import { compileToModule } from '@baton/wasm';
import type { Exported, ExportForm } from '../protocol.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export function exported(
  m: IRModule,
  form: ExportForm,
  name: string,
  limits: Limits,
): Result<Exported> {
  switch (form) {
    case 'onnx': {
      const bytes = exportOnnx(m, { limits });
      if (isLeft(bytes)) return bytes;
      return right({ files: [{ name: `${name}.onnx`, bytes: bytes.right }], type: BINARY });
    }
    case 'relay': {
      const text = printModule(m, { showTypes: false });
      return right({ files: [{ name: `${name}.relay`, bytes: encode(text) }], type: 'text/plain' });
    }
    case 'json':
      return right({
        files: [{ name: `${name}.json`, bytes: encode(toJson(m)) }],
        type: 'application/json',
      });
    case 'module': {
      const made = compileToModule(m, { name });
      if (isLeft(made)) return made;
      const files = made.right.map(({ path, content }) => ({
        name: path,
        bytes: typeof content === 'string' ? encode(content) : content,
      }));
      return right({ files, type: BINARY });
    }
  }
}

const BINARY = 'application/octet-stream';
