import { describe, expect, test } from 'vitest';
import { createLogger } from './log.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger('debug', { write: (line) => void lines.push(line) }));
  return lines.join('');
}

describe('the log', () => {
  test.each([
    { authorization: 'hunter2' },
    { headers: { Authorization: 'hunter2', signature: 'hunter2' } },
    { request: { headers: { cookie: 'hunter2' } } },
    { body: { secret: 'hunter2', otp: 'hunter2' } },
    { config: { password: 'hunter2' } },
    { data: { key: 'hunter2', session_token: 'hunter2' } },
  ])('hides the secret in %j', (fields) => {
    const text = logged((log) => log.info(fields, 'something'));
    expect(text).not.toContain('hunter2');
    expect(text).toContain('(secret)');
  });

  test('keeps the explanation of an error, but not the affected row', () => {
    const error = Object.assign(new Error('duplicate key', { cause: new Error('below') }), {
      code: '23505',
      detail: 'Key (secret)=(hunter2) already exists.',
    });
    const entry = JSON.parse(logged((log) => log.error({ err: error }, 'failed')));
    expect(entry).toMatchObject({
      level: 'error',
      msg: 'failed',
      err: { type: 'Error', message: 'duplicate key', code: '23505', cause: { message: 'below' } },
    });
    expect(entry.err.stack).toContain('log.test.ts');
    expect(JSON.stringify(entry)).not.toContain('hunter2');
  });
});
