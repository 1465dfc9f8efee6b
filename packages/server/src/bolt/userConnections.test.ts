import { expect, test } from 'vitest';
import { UserConnections } from './userConnections.ts';

class Connection {
  isWaiting: boolean;
  isEnded = false;

  constructor(isWaiting: boolean) {
    this.isWaiting = isWaiting;
  }

  end(): void {
    this.isEnded = true;
  }
}

test('a new connection of a user beyond the limit ends the first one that waits', () => {
  const users = new UserConnections(3);
  const [busy, first, second] = [new Connection(false), new Connection(true), new Connection(true)];
  for (const connection of [busy, first, second]) users.add('ann', connection);
  users.add('ann', new Connection(false));
  expect([busy, first, second].map(({ isEnded }) => isEnded)).toEqual([false, true, false]);
});

test('a user whose connections all work gets no more, until one ends; another user does', () => {
  const users = new UserConnections(1);
  const leave = users.add('ann', new Connection(false));
  expect(users.add('ann', new Connection(false))).toBeUndefined();
  users.add('bob', new Connection(false));
  leave?.();
  leave?.();
  users.add('ann', new Connection(false));
  expect(users.add('ann', new Connection(false))).toBeUndefined();
});

test('the end of a connection that made room leaves the new one counted', () => {
  const users = new UserConnections(1);
  const leave = users.add('ann', new Connection(true));
  users.add('ann', new Connection(false));
  leave?.();
  expect(users.add('ann', new Connection(false))).toBeUndefined();
});
