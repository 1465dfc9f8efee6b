/** Tests which errors are described to the user, and which stay program errors. */
import { expect, it } from 'vitest';
import { BackupError, withOutcome } from './backupError.ts';

const fault = (code: string, more: object = {}): Error => Object.assign(new Error('why'), { code, ...more });

it.each([
  [
    'a socket that was closed',
    fault('ERR_STREAM_DESTROYED'),
    'the connection to the database was lost (why)',
  ],
  ['a server that ends', fault('57P01'), 'the connection to the database was lost (why)'],
  ['a full disk', fault('ENOSPC', { syscall: 'write' }), 'why'],
])('%s is described with the outcome', (_, error, text) => {
  expect(withOutcome(error, 'no backup')).toMatchObject({
    name: 'BackupError',
    message: `no backup: ${text}`,
  });
});

it('program errors, and errors that already explain what to do, stay unchanged', () => {
  for (const error of [new TypeError('x'), new BackupError('do this'), new DOMException('', 'AbortError')])
    expect(withOutcome(error, 'no backup')).toBe(error);
});
