/** Validates a definition or a bundle without a service, for authors. */
import { type StoredDefinition, zoneKindName } from '@clew/store';
import { checkDefinition } from '../extensions/checkDefinition.ts';
import { kindsOf } from '../extensions/installedExtensions.ts';
import { NOTHING_INSTALLED } from '../extensions/installedKinds.ts';
import type { StoredNames } from '../extensions/knownNames.ts';
import type { ExtensionTest } from '../extensions/testMembers.ts';
import type { GivenDefinition } from './readBundle.ts';

export interface OfflineCheck {
  /** Each error begins with its place. */
  readonly faults: readonly string[];
  /** Warnings about values that were interpreted differently; each begins with its place. */
  readonly warnings: readonly string[];
  /** Absent if there are errors. */
  readonly definition?: StoredDefinition;
  /** Tests of the definition; absent if there are errors. */
  readonly tests?: readonly ExtensionTest[];
}

/** Definitions, zones and data that are assumed to exist. */
export interface OfflineSurroundings {
  readonly others: readonly StoredDefinition[];
  /** Names of zones, in addition to Tier Zero. */
  readonly zones: readonly string[];
  /** Names in payloads of the platform. */
  readonly data?: StoredNames;
}

export async function checkOffline(
  { document, files }: GivenDefinition,
  { others, zones, data }: OfflineSurroundings,
): Promise<OfflineCheck> {
  const ofFiles = files?.faults ?? [];
  if (files !== undefined && document === undefined) return { faults: ofFiles, warnings: [] };
  const known = new Map([...NOTHING_INSTALLED.zones]);
  for (const zone of zones) known.set(zone.toLowerCase(), known.size + 1);
  const { names, ...kinds } = kindsOf(others.map((definition) => ({ definition })));
  const surroundings = {
    ...{ ...kinds, zones: known, zoneRules: new Set<string>() },
    names: {
      labels: new Set([...names.labels, ...zones.map(zoneKindName), ...(data?.labels ?? [])]),
      types: new Set([...names.types, ...(data?.types ?? [])]),
      ...{ properties: new Set(data?.properties), declared: names.declared },
    },
  };
  const checked = await checkDefinition(document, surroundings, files?.samples?.keys());
  const warnings = ('faults' in checked ? checked.faults : checked.warnings).warnings(files?.placeOf);
  if ('faults' in checked) return { faults: [...ofFiles, ...checked.faults.texts(files?.placeOf)], warnings };
  return ofFiles.length > 0
    ? { faults: ofFiles, warnings }
    : { faults: [], warnings, definition: checked.definition, tests: checked.tests };
}
