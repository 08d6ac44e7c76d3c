import { init, type WrappedPdfiumModule } from "@embedpdf/pdfium";
import { CannotRead, KEPT_ENGINE_BYTES, MAX_ENGINE_BYTES } from "../limits";

/**
 * PDFium as WebAssembly, with its memory bounded: if a document needs more, the engine ends and is discarded. So is one
 * that failed part-way, because its state is then unknown.
 */
export type Pdfium = WrappedPdfiumModule & {
  readonly memory: Memory;
  /** Set by whoever caught a failure of the engine part-way. */
  isSpoiled?: boolean;
};

/** The engine's memory. Its views are new whenever it grows. */
class Memory {
  constructor(
    private readonly source: { buffer(): ArrayBuffer; malloc(size: number): number; free(pointer: number): void },
  ) {}

  private view = new DataView(new ArrayBuffer(0));

  get size(): number {
    return this.source.buffer().byteLength;
  }
  private data(): DataView {
    const buffer = this.source.buffer();
    if (this.view.buffer !== buffer) this.view = new DataView(buffer);
    return this.view;
  }
  bytes(pointer: number, length: number): Uint8Array {
    return new Uint8Array(this.source.buffer(), pointer, length);
  }
  float64(pointer: number, index = 0): number {
    return this.data().getFloat64(pointer + index * 8, true);
  }
  float32(pointer: number, index = 0): number {
    return this.data().getFloat32(pointer + index * 4, true);
  }
  int32(pointer: number, index = 0): number {
    return this.data().getInt32(pointer + index * 4, true);
  }
  setFloats(pointer: number, values: readonly number[]): void {
    new Float32Array(this.source.buffer(), pointer, values.length).set(values);
  }
  allocate(size: number): number {
    const pointer = this.source.malloc(Math.max(size, 1));
    if (pointer === 0) throw new CannotRead("too_large");
    return pointer;
  }
  free(pointer: number): void {
    this.source.free(pointer);
  }
  /** Allocates memory for the duration of the work. */
  with<T>(size: number, work: (pointer: number) => T): T {
    const pointer = this.allocate(size);
    try {
      return work(pointer);
    } finally {
      this.free(pointer);
    }
  }
  /** Reads zero-terminated UTF-16 from a call that is first asked for the length. */
  utf16(call: (pointer: number, length: number) => number, maxBytes = 65_536): string {
    const length = Math.min(call(0, 0), maxBytes);
    if (length <= 2) return "";
    return this.with(length, (pointer) => {
      call(pointer, length);
      return new TextDecoder("utf-16le").decode(this.bytes(pointer, length - 2).slice());
    });
  }
}

/**
 * Functions that are called for each character and each object. They are called without the wrapper, which would look
 * up the name and the types of the arguments every time.
 */
const ASKED_OFTEN = [
  "FPDFText_GetUnicode",
  "FPDFText_IsGenerated",
  "FPDFText_IsHyphen",
  "FPDFText_HasUnicodeMapError",
  "FPDFText_GetTextObject",
  "FPDFText_GetCharBox",
  "FPDFText_GetLooseCharBox",
  "FPDFText_GetCharOrigin",
  "FPDFText_GetMatrix",
  "FPDFText_GetFontSize",
  "FPDFPageObj_SetIsActive",
  "FPDFPageObj_GetType",
  "FPDFPageObj_GetBounds",
  "FPDFPageObj_CountMarks",
  "FPDFPath_CountSegments",
  "FPDFPath_GetPathSegment",
  "FPDFPathSegment_GetType",
] as const;

type Exports = WebAssembly.Exports & { memory: WebAssembly.Memory };

async function start(compiled: WebAssembly.Module): Promise<Pdfium> {
  let exports: Exports | undefined;
  const wrapped = await init({
    // The platform does not compile WebAssembly at run time, so the module is compiled in advance.
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) {
      const env = imports.env as Record<string, WebAssembly.ImportValue>;
      const grow = env.emscripten_resize_heap as (size: number) => number | boolean;
      env.emscripten_resize_heap = (size: number) => (size >>> 0 <= MAX_ENGINE_BYTES ? Number(grow(size)) : 0);
      const instance = new WebAssembly.Instance(compiled, imports);
      exports = instance.exports as Exports;
      done(instance, compiled);
      return exports;
    },
    print: () => {},
    printErr: () => {},
  } as Parameters<typeof init>[0]);
  wrapped.PDFiumExt_Init();
  const memory = new Memory({
    buffer: () => (exports as Exports).memory.buffer,
    malloc: (size) => wrapped.pdfium.wasmExports.malloc(size),
    free: (pointer) => wrapped.pdfium.wasmExports.free(pointer),
  });
  return Object.assign(wrapped, Object.fromEntries(ASKED_OFTEN.map((name) => [name, exports?.[name]])), { memory });
}

/** Keeps one engine for all documents of an isolate. Anything that needs an engine while it is lent gets a new one. */
export class PdfiumKeeper {
  private engine: Pdfium | undefined;

  constructor(private readonly compiled: WebAssembly.Module) {}

  /** Lends the engine. Its own failures (out of memory, a fault) count as a damaged document. */
  async lend<T>(work: (engine: Pdfium) => Promise<T>): Promise<T> {
    const lent = this.engine;
    this.engine = undefined;
    const engine = lent ?? (await start(this.compiled));
    try {
      const result = await work(engine);
      if (!engine.isSpoiled && engine.memory.size <= KEPT_ENGINE_BYTES) this.engine = engine;
      return result;
    } catch (error) {
      const isFull = engine.memory.size > MAX_ENGINE_BYTES * 0.8;
      if (error instanceof CannotRead) throw error;
      throw isFull ? new CannotRead("too_large") : error;
    }
  }
}
