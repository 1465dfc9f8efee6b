export { EFFORT_MODIFIERS, MAX_STEP_EFFORT, stepEfforts } from '../findings/stepEfforts.ts';
export {
  type EffortPath,
  type EffortStep,
  easiestBetween,
  easiestPath,
  effortOfEdges,
} from '../plan/easiestPath.ts';
export { bandOf, type EnvironmentEfforts, type ZoneEfforts, zoneEfforts } from '../plan/zoneEfforts.ts';
export {
  type EffortRise,
  effortRise,
  effortRises,
  riseText,
  type TypicalEffort,
  withSessions,
} from './effortRise.ts';
export { equallyEasyWays, MAX_WAYS } from './equallyEasyWays.ts';
export { type FindingPath, findingPath } from './findingPath.ts';
export { type FindingPaths, findingPaths, MAX_PATHS, type UsedPath } from './findingPaths.ts';
export { type CutStep, type PathChange, pathChanges } from './pathChanges.ts';
export { type DefaultGroup, defaultGroups, widestGroup } from './widestGroup.ts';
