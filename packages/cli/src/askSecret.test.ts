import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';

/** Asks for this many secrets in a process, and prints them or the error. */
function asking(count: number) {
  const script = `
    import { askSecret } from ${JSON.stringify(new URL('./askSecret.ts', import.meta.url).href)};
    for (let at = 0; at < ${count}; at++)
      console.log(await askSecret('Secret: ', new AbortController().signal).catch(({ message }) => message));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  return { child, output: Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]) };
}

describe('piped secrets', () => {
  test('are one line for each question, also if all lines arrive at once', async () => {
    const { child, output } = asking(3);
    child.stdin.end('first\nsecond\n');
    expect(await output).toEqual(['first\nsecond\nno password given\n', '', [0, null]]);
  });

  test('do not keep the process from ending while the pipe is open', async () => {
    const { child, output } = asking(1);
    child.stdin.write('first\n');
    expect(await output).toEqual(['first\n', '', [0, null]]);
  });
});
