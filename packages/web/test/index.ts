/** Test support that other packages share: a real browser. */

export { CHROMIUM, openPage, startBrowser } from './browser.ts';
