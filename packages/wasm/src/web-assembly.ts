/** What Baton uses of the host's `WebAssembly`, which is absent on some hosts. */

/** A linear memory. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages, which gives it another buffer. */
  readonly grow: (pages: number) => number;
}

/** A compiled module. */
export interface WasmModule {
  readonly __wasmModule?: never;
}

/** A module with its memory, ready to be called. */
export interface WasmInstance {
  readonly exports: Readonly<Record<string, (...args: number[]) => number>>;
}

/** The imports of a module, by module and name. */
export type WasmImports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The part of `WebAssembly` that is used. */
export interface WebAssemblyHost {
  readonly validate: (bytes: Uint8Array<ArrayBuffer>) => boolean;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WasmModule;
  readonly Memory: new (type: {
    readonly initial: number;
    readonly maximum?: number;
    readonly shared?: boolean;
  }) => WasmMemory;
  readonly Instance: new (module: WasmModule, imports: WasmImports) => WasmInstance;
}

/** The host's `WebAssembly`, if it has one. */
export const hostWebAssembly = (): WebAssemblyHost | undefined =>
  (globalThis as { readonly WebAssembly?: WebAssemblyHost }).WebAssembly;
