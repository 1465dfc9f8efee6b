/** A screen for tests that records its output. */
import { Writable } from 'node:stream';
import { openScreen, type Screen } from '../src/terminal/screen.ts';

export interface TestScreen {
  readonly screen: Screen;
  text(): string;
}

export function testScreen(
  options: { isTty?: boolean; columns?: number; env?: Readonly<Record<string, string>> } = {},
): TestScreen {
  const { isTty = false, columns = 80, env = { LANG: 'C.UTF-8' } } = options;
  let written = '';
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      written += chunk;
      done();
    },
  });
  const screen = openScreen(Object.assign(stream, { isTTY: isTty, columns }), env, 'linux');
  return { screen, text: () => written };
}
