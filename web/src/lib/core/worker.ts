/** The web worker of the core: rules and search beside the page. */
import { CoreModule } from './module';
import { CoreService } from './service';
import type { FromWorker, ToWorker } from './types';

const service = new CoreService(CoreModule.fetch('/core.wasm'), (message: FromWorker) =>
  postMessage(message),
);

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => void service.receive(data));
