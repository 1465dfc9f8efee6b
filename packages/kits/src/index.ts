/** Change kits: scripts, declared changes and a readme from the facts of changes (docs/kits.md). */

export { changeKit } from './changeKit.ts';
export type { FindingAdvice } from './changeNotes.ts';
export { propertyDigest, relationDigest, valueDigest } from './factDigests.ts';
export { type AccountUse, remedyInput } from './findingRemedies.ts';
export {
  type KitRun,
  readKitEvidence,
} from './kitEvidence.ts';
export { type WatchedStep, watchKit } from './watchKit.ts';
