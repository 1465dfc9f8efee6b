/** Helpers that tests of other packages share with those of this one. */

export { findingHandlers } from './findings/http/findingHandlers.ts';
export type { ShownFindings } from './findings/publish/changedFindings.ts';
export { publishFindings } from './findings/publish/publishFindings.ts';
export { emptyFindings } from './findings/testing/emptyFindings.ts';
export { BOB, DOMAIN, forest } from './findings/testing/forest.ts';
export { qualityHandlers } from './quality/qualityHandlers.ts';
