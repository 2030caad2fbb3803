/** The problems of compilation to a module of its own. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

/** An entry that is no plain dataflow. */
export const noDataflow = (entry: string, span?: Span): Diagnostic =>
  diagnostic('WASM_NO_DATAFLOW', `@${entry} expects plain dataflow on tensors of known sizes`, {
    span,
    hint: 'control flow, data types and unknown sizes need the interpreter: use the executor `wasm`',
  });

/** An operator that only has a reference kernel. */
export const noCode = (name: string, span?: Span): Diagnostic =>
  diagnostic('WASM_NO_CODE', `${name} has no compiled code for these types and attributes`, {
    span,
    hint: 'the executor `wasm` runs its reference kernel',
  });
