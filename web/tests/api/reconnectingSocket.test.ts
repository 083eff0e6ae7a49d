import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReconnectingSocket } from '../../src/lib/api/reconnectingSocket';

class Socket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = Socket.CONNECTING;
  sent: unknown[] = [];
  onopen: (() => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;

  constructor(readonly url: string) {
    Socket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(code = 1000): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  accept(): void {
    this.readyState = Socket.OPEN;
    this.onopen?.();
  }
}

const message = vi.fn<(what: number) => void>();
const lost = vi.fn<(code: number) => boolean>();
const last = () => Socket.all.at(-1) as Socket;
let socket: ReconnectingSocket<number>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('location', { origin: 'https://here' });
  vi.resetAllMocks();
  lost.mockReturnValue(true);
  Socket.all = [];
  socket = new ReconnectingSocket<number>('/feed', { hello: () => 'hello', message, lost });
  last().accept();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('it says hello and passes messages on', () => {
  expect(last().url).toBe('wss://here/feed');
  expect(last().sent).toEqual(['hello']);
  last().onmessage?.({ data: '7' });
  expect(message).toHaveBeenCalledWith(7);
});

test('it connects again when it is lost, and at once when the network is back', () => {
  last().close(1006);
  expect(Socket.all).toHaveLength(1);
  vi.advanceTimersByTime(400);
  expect(Socket.all).toHaveLength(2);
  last().close(1006);
  socket.wake();
  expect(Socket.all).toHaveLength(3);
  last().accept();
  socket.wake();
  vi.advanceTimersByTime(60_000);
  expect(Socket.all).toHaveLength(3);
});

test('it stays closed when it is closed, or when the listener says so', () => {
  lost.mockReturnValue(false);
  last().close(4429);
  expect(lost).toHaveBeenCalledWith(4429);
  vi.advanceTimersByTime(60_000);
  socket.close();
  socket.wake();
  vi.advanceTimersByTime(60_000);
  expect(Socket.all).toHaveLength(1);
});

test('a connection that is being made closes once it is made', () => {
  last().close(1006);
  vi.advanceTimersByTime(400);
  const making = last();
  socket.close();
  expect(making.readyState).toBe(Socket.CONNECTING);
  making.accept();
  expect(making.readyState).toBe(3);
  expect(making.sent).toEqual([]);
});
