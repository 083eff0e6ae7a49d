/** Answers the messages of the page: the worker without its thread. */
import { CoreFault, type CoreModule } from './module';
import type { CoreAnalysis, FromWorker, ToWorker } from './types';

/**
 * The parts of a search, the last one again and again: the first answer comes soon, then a longer search for forced
 * results, which the later parts need not repeat.
 */
const SLICES = [
  { seconds: 0.05, lookahead: 0 },
  { seconds: 0.1, lookahead: 0 },
  { seconds: 0.5 },
  { seconds: 0.25, lookahead: 0 },
];

export class CoreService {
  private readonly stopped = new Set<number>();

  constructor(
    private readonly module: Promise<CoreModule>,
    private readonly post: (message: FromWorker) => void,
    /** Resolves after the messages that have arrived. */
    private readonly breathe: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve)),
  ) {}

  async receive(message: ToWorker): Promise<void> {
    if ('stop' in message) {
      this.stopped.add(message.stop);
      return;
    }
    const { id } = message;
    try {
      const module = await this.module;
      const ok =
        'search' in message ? await this.search(module, id, message.search) : module.call(message.request);
      this.post({ id, ok });
    } catch (error) {
      // A trap of the module ends the worker's use, not the page.
      const fault = error instanceof CoreFault ? error : new CoreFault('core-crashed', String(error));
      this.post({ id, code: fault.code, message: fault.message });
    }
  }

  /** Searches in slices until the time is up, the result is proven, or the page stops it. */
  private async search(module: CoreModule, id: number, { seconds: most, ...asked }: Search): Promise<null> {
    let nodes = 0;
    let seconds = 0;
    for (let number = 0; seconds < most && !this.stopped.has(id); number += 1) {
      const slice = SLICES[Math.min(number, SLICES.length - 1)];
      const part = module.call({ do: 'analyse', ...asked, ...slice }) as CoreAnalysis;
      nodes += part.nodes;
      seconds += part.seconds;
      if (!this.stopped.has(id)) this.post({ id, part: { ...part, nodes, seconds } });
      if (part.winners !== null) break;
      await this.breathe();
    }
    this.stopped.delete(id);
    return null;
  }
}

type Search = Extract<ToWorker, { search: unknown }>['search'];
