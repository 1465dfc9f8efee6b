import { describe, expect, it } from 'vitest';
import { testScreen } from '../../test/testScreen.ts';

describe('a screen', () => {
  it.each([
    ['a terminal', { isTty: true, env: {} }, true],
    ['a pipe', { isTty: false, env: {} }, false],
    ['a terminal with NO_COLOR', { isTty: true, env: { NO_COLOR: '1' } }, false],
    ['a terminal with an empty NO_COLOR', { isTty: true, env: { NO_COLOR: '' } }, true],
    ['a dumb terminal', { isTty: true, env: { TERM: 'dumb' } }, false],
  ])('in %s has colors or not', (_, options, colored) => {
    const { screen, text } = testScreen(options);
    screen.write(screen.style('red', 'x'));
    expect(text()).toBe(colored ? '\u001b[31mx\u001b[39m' : 'x');
  });

  it('draws boxes if the locale supports them', () => {
    expect(testScreen({ env: { LANG: 'de_DE.UTF-8' } }).screen.hasUnicode).toBe(true);
    expect(testScreen({ env: { LANG: 'en_US.utf8' } }).screen.hasUnicode).toBe(true);
    expect(testScreen({ env: { LANG: 'C' } }).screen.hasUnicode).toBe(false);
    expect(testScreen({ env: { LC_ALL: 'C', LANG: 'C.UTF-8' } }).screen.hasUnicode).toBe(false);
    expect(testScreen({ env: {} }).screen.hasUnicode).toBe(false);
  });

  it('animates nothing in continuous integration', () => {
    expect(testScreen({ isTty: true, env: { CI: 'true' } }).screen.isInteractive).toBe(false);
  });
});
