export {
  type CollectionFile,
  type CollectionType,
  type Forest,
  fileText,
  generateForest,
} from './collection.ts';
export { type Drift, driftedForest } from './drift.ts';
export { generateTenant, type Tenant } from './entra/tenant.ts';
export { generateOpenGraph } from './openGraphExample.ts';
export type { FlawChoice, ForestOptions } from './plan.ts';
export { FLAWS, type PlantedRoute } from './plantFlaws.ts';
export { generatePlatforms, type Platforms } from './platforms/platforms.ts';
export { randomStream } from './random.ts';
export type { Ace, CollectedObject, Principal } from './records.ts';
export {
  forestFiles,
  type GeneratedFile,
  type OnProgress,
  type WrittenFile,
  writeFiles,
  writeForest,
  writeForestZip,
  writeZip,
} from './write.ts';
