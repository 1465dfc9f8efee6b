export { EFFORT_MODIFIERS, MAX_STEP_EFFORT } from '../findings/stepEfforts.ts';
export { easiestInto } from '../plan/easiestInto.ts';
export {
  type EffortPath,
  type EffortStep,
  easiestBetween,
  effortOfEdges,
} from '../plan/easiestPath.ts';
export { type EnvironmentEfforts, type ZoneEfforts, zoneEfforts } from '../plan/zoneEfforts.ts';
export { equallyEasyWays } from './equallyEasyWays.ts';
export { type FindingPath, findingPath } from './findingPath.ts';
export { type FindingPaths, findingPaths, type UsedPath } from './findingPaths.ts';
export { type CutStep, type PathChange, pathChanges } from './pathChanges.ts';
export { type DefaultGroup, widestGroup } from './widestGroup.ts';
