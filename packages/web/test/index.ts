/** Test support that other packages share: a real browser. */

export { CHROMIUM, openPage, startBrowser, WITHOUT_COMPILERS } from './browser.ts';
