/** The core as a WebAssembly module. It runs in a worker; calls are synchronous. */

/** A request without an answer. `code`: `no-webassembly`, `no-core`, or a code of the core. */
export class CoreFault extends Error {
  constructor(
    readonly code: string,
    message = code,
  ) {
    super(message);
  }
}

interface Exports {
  memory: WebAssembly.Memory;
  reserve(length: number): number;
  call(): number;
  length(): number;
}

export class CoreModule {
  private constructor(private readonly exports: Exports) {}

  /** Instantiates the bytes of the module. */
  static async instantiate(bytes: BufferSource): Promise<CoreModule> {
    const host = { now: () => performance.now() };
    const { instance } = await WebAssembly.instantiate(bytes, { host });
    return new CoreModule(instance.exports as unknown as Exports);
  }

  /** Fetches and instantiates the module of the server. */
  static async fetch(url: string): Promise<CoreModule> {
    if (typeof WebAssembly === 'undefined') throw new CoreFault('no-webassembly');
    let response: Response;
    try {
      response = await fetch(url);
    } catch {
      throw new CoreFault('offline');
    }
    const type = response.headers.get('Content-Type') ?? '';
    // A server without the module may answer with its page.
    if (!response.ok || !type.startsWith('application/wasm')) throw new CoreFault('no-core');
    try {
      return await CoreModule.instantiate(await response.arrayBuffer());
    } catch (error) {
      throw new CoreFault('no-webassembly', String(error));
    }
  }

  /** Answers a request. */
  call(request: object): unknown {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const { exports } = this;
    const into = exports.reserve(bytes.length);
    new Uint8Array(exports.memory.buffer, into, bytes.length).set(bytes);
    const from = exports.call();
    // The call may have grown the memory: its buffer is another now.
    const answer = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, from, exports.length()));
    const { ok, error } = JSON.parse(answer) as { ok?: unknown; error?: { code: string; message: string } };
    if (error) throw new CoreFault(error.code, error.message);
    return ok;
  }
}
