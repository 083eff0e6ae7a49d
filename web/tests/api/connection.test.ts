import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection, type Listener } from '../../src/lib/api/connection';
import type { Command, ServerMessage } from '../../src/lib/api/types';
import { snapshot } from '../fixtures';

class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = 0;
  sent: { type: string; id?: string; tokens?: string[] }[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;

  constructor(readonly url: string) {
    Socket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string });
  }

  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }

  accept(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  hear(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const listener = {
  snapshot: vi.fn<Listener['snapshot']>(),
  update: vi.fn<Listener['update']>(),
  done: vi.fn<Listener['done']>(),
  refused: vi.fn<Listener['refused']>(),
  online: vi.fn<Listener['online']>(),
  analysis: vi.fn<Listener['analysis']>(),
  study: vi.fn<Listener['study']>(),
  unanalysed: vi.fn<Listener['unanalysed']>(),
  presence: vi.fn<Listener['presence']>(),
  chat: vi.fn<Listener['chat']>(),
  reported: vi.fn<Listener['reported']>(),
};
const command: Command = { id: 'c1', seq: 1, seat: 0, do: 'play', token: 'x' };
const last = () => Socket.all.at(-1) as Socket;
let connection: Connection;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Socket);
  vi.resetAllMocks();
  Socket.all = [];
  connection = new Connection('ws://here/socket', ['secret'], () => 'ja', listener);
});

afterEach(() => {
  connection.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function greet(): void {
  last().accept();
  last().hear({ type: 'snapshot', snapshot: snapshot(1) });
}

test('sends the tokens and the language with hello, and forwards messages', () => {
  greet();
  expect(last().sent).toEqual([{ type: 'hello', tokens: ['secret'], language: 'ja', changes: true }]);
  expect(listener.snapshot).toHaveBeenCalledWith(snapshot(1));
  expect(listener.online).toHaveBeenLastCalledWith(true);
  last().hear({ type: 'update', seq: 2, snapshot: snapshot(2) });
  expect(listener.update).toHaveBeenCalledWith(snapshot(2));
  last().hear({ type: 'change', seq: 3, changes: { seq: [3] } });
  expect(listener.update).toHaveBeenLastCalledWith(snapshot(3));
  last().hear({ type: 'change', seq: 4, changes: { seq: [4] } });
  expect(listener.update).toHaveBeenLastCalledWith(snapshot(4));
});

test('a command is resent after every disconnect until it is answered', () => {
  connection.send(command);
  expect(last().sent).toEqual([]);
  greet();
  expect(last().sent.at(-1)).toMatchObject({ type: 'command', id: 'c1' });
  last().close();
  expect(listener.online).toHaveBeenLastCalledWith(false);
  vi.advanceTimersByTime(1000);
  expect(Socket.all).toHaveLength(2);
  greet();
  expect(last().sent.at(-1)).toMatchObject({ type: 'command', id: 'c1' });
  last().hear({ type: 'done', id: 'c1', seq: 2 });
  expect(listener.done).toHaveBeenCalledWith('c1');
  last().close();
  vi.advanceTimersByTime(1000);
  greet();
  expect(last().sent).toHaveLength(1);
});

test('a rejected command is not resent', () => {
  greet();
  connection.send(command);
  const error = { code: 'stale', params: {}, message: '' };
  last().hear({ type: 'refused', id: 'c1', error });
  expect(listener.refused).toHaveBeenCalledWith('c1', error);
  last().close();
  vi.advanceTimersByTime(1000);
  greet();
  expect(last().sent).toHaveLength(1);
});

test('the delay grows with every attempt, and is zero when the network is back', () => {
  for (let submission = 0; submission < 8; submission += 1) {
    last().close();
    vi.advanceTimersByTime(11_000);
  }
  const before = Socket.all.length;
  last().close();
  vi.advanceTimersByTime(5_000);
  expect(Socket.all).toHaveLength(before);
  connection.wake();
  expect(Socket.all).toHaveLength(before + 1);
});

test('a connection without a pong is dropped', () => {
  greet();
  vi.advanceTimersByTime(15_000);
  expect(last().sent.at(-1)).toEqual({ type: 'ping' });
  last().hear({ type: 'pong' });
  expect(listener.online).toHaveBeenLastCalledWith(true);
  vi.advanceTimersByTime(15_000 + 8_000);
  expect(listener.online).toHaveBeenLastCalledWith(false);
});

test('a closed connection stays closed', () => {
  greet();
  connection.close();
  vi.advanceTimersByTime(60_000);
  expect(Socket.all).toHaveLength(1);
});
