import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ConnectionTable } from './connectionTable.ts';

/** A connection whose end is noticed in a later turn, as that of a socket. */
class Connection extends EventEmitter {
  readonly remoteAddress = '10.0.0.1';
  destroyed = false;

  destroy(): void {
    this.destroyed = true;
    setImmediate(() => this.emit('close'));
  }
}

const connection = (): Socket => new Connection() as unknown as Socket;

test('a connection makes room once, though its end is noticed later', () => {
  const table = new ConnectionTable({ total: 10, address: 2, isProxy: () => false });
  const [idle, busy] = [connection(), connection()];
  table.add(idle);
  table.add(busy);
  table.work(busy, '10.0.0.1');
  expect(table.makeRoom(connection())).toBeUndefined();
  expect(idle.destroyed).toBe(true);
  expect(table.makeRoom(connection())).toBe('address');
});

test('a connection that has ended does not wait again', () => {
  const table = new ConnectionTable({ total: 10, address: 1, isProxy: () => false });
  const ended = connection();
  table.add(ended);
  table.work(ended, '10.0.0.1');
  ended.destroy();
  table.wait(ended, '10.0.0.1');
  expect(table.makeRoom(connection())).toBe('address');
});
