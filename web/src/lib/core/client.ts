/** The page's side of the core: requests with answers, and searches that report until they are stopped. */
import { ApiError } from '../api/http';
import type { CoreAnalysis, CoreRequestName, CoreRequests, FromWorker, Place, ToWorker } from './types';

/** A worker, or what stands for it in tests. */
export interface CoreWorker {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (error: ApiError) => void;
  part: ((part: CoreAnalysis) => void) | null;
}

/** A running search. */
export interface Search {
  /** Resolves at its end, also after `stop`. */
  done: Promise<void>;
  stop(): void;
}

/** Codes of the core that mean something else in messages of the server. */
const RENAMED: Record<string, string> = { illegal: 'illegal-line' };

const problem = (code: string, message: string): ApiError =>
  new ApiError({ code: RENAMED[code] ?? code, params: {}, message }, 0);

const startWorker = (): CoreWorker => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });

export class CoreClient {
  private readonly worker: CoreWorker | null;
  private readonly waiting = new Map<number, Waiting>();
  private count = 0;
  private failed: ApiError | null = null;

  constructor(start: () => CoreWorker = startWorker) {
    try {
      this.worker = start();
    } catch (error) {
      this.worker = null;
      this.failed = problem('no-webassembly', String(error));
      return;
    }
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => this.fail(problem('no-webassembly', event.message));
  }

  /**
   * Asks the core. Rejects with an `ApiError`, whose code is the core's or says why there is no core:
   * `no-webassembly`, `no-core`, `offline`, `core-crashed`.
   */
  ask<Name extends CoreRequestName>(
    name: Name,
    request: CoreRequests[Name][0],
  ): Promise<CoreRequests[Name][1]> {
    return this.send({ request: { do: name, ...request } }, null) as Promise<CoreRequests[Name][1]>;
  }

  /** Searches a position for at most this time; `onpart` receives the values so far. */
  search(
    place: Place,
    { seconds, lines }: { seconds: number; lines: number },
    onpart: (part: CoreAnalysis) => void,
  ): Search {
    const id = this.count + 1;
    const done = this.send({ search: { ...place, seconds, lines } }, onpart);
    return {
      done: done.then(() => undefined),
      stop: () => {
        const waiting = this.waiting.get(id);
        if (!waiting) return;
        waiting.part = null;
        this.worker?.postMessage({ stop: id });
      },
    };
  }

  /** Ends the worker. Requests without an answer are rejected. */
  close(): void {
    this.worker?.terminate();
    this.fail(problem('stopping', ''));
  }

  private send(
    what: { request: object } | { search: Place & { seconds: number; lines: number } },
    part: Waiting['part'],
  ): Promise<unknown> {
    this.count += 1;
    const id = this.count;
    return new Promise((resolve, reject) => {
      if (this.failed) {
        reject(this.failed);
        return;
      }
      this.waiting.set(id, { resolve, reject, part });
      this.worker?.postMessage({ id, ...what });
    });
  }

  private receive(message: FromWorker): void {
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    if ('part' in message) {
      waiting.part?.(message.part);
      return;
    }
    this.waiting.delete(message.id);
    if ('ok' in message) waiting.resolve(message.ok);
    else waiting.reject(problem(message.code, message.message));
  }

  private fail(error: ApiError): void {
    this.failed = error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
