/** Helpers that tests of other packages share with those of this one. */

export { findingHandlers } from '../src/findings/http/findingHandlers.ts';
export type { ShownFindings } from '../src/findings/publish/changedFindings.ts';
export { publishFindings } from '../src/findings/publish/publishFindings.ts';
export { qualityHandlers } from '../src/quality/qualityHandlers.ts';
export { emptyFindings } from './findings/emptyFindings.ts';
export { BOB, DOMAIN, forest } from './findings/forest.ts';
