/** Helpers that tests of other packages share with those of this one: a real browser. */

export { CHROMIUM, openPage, startBrowser } from './browser.ts';
