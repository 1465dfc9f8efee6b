/**
 * Combines findings about the same fact into one row: if several types report one fact about one object, one finding represents them in
 * lists, with the highest of their severities, and names the others. The others keep their records, ids and states.
 *
 * Rule: `docs/findings.md#one-fact-one-row`.
 */
import { addTo, NO_NODE } from '@clew/graph';
import type { FoundColumns } from './findingColumns.ts';
import { LARGE_BOUNDARIES } from './severity.ts';
import { FINDING_TYPES, type FindingId } from './types/catalog.ts';
import type { FindingType } from './types/findingType.ts';

/** For each finding that represents others, their places, ascending. */
export type Parts = ReadonlyMap<number, readonly number[]>;

/**
 * Types about settings of one object that are one fact, or that one change of the account fixes. The first that occurs represents the
 * others.
 */
const OF_ONE_OBJECT: readonly (readonly FindingId[])[] = [
  ['T0Kerberoastable', 'KerberoastingWeakEncryption', 'Kerberoasting'],
  ['T0ASREPRoastable', 'ASREPRoasting'],
  ['T0PasswordNeverExpires', 'T0MarkSensitive', 'T0UserNotProtected', 'PasswordNeverExpires'],
  ['T0OldPassword', 'ConnectorAccountOldPassword', 'OldServiceAccountPassword'],
  ['T0StaleUsers', 'NeverLoggedOnT0', 'ManagedAccountUnused', 'ServiceAccountUnused', 'StaleUsers'],
  ['PreCreatedComputers', 'StaleComputers'],
  ['T0ObsoleteOperatingSystem', 'ObsoleteOperatingSystem'],
  ['T0SMBSigningNotRequired', 'SMBSigningNotRequired'],
  ['PrivilegedSIDHistory', 'SIDHistoryOwnDomain', 'SIDHistoryUnknownDomain', 'SIDHistoryPresent'],
  ['TemplateESC15', 'TemplateESC17'],
  ['BroadGroupInAdministrators', 'BroadGroupNested'],
];

/** A setting, and the relationships that express the same fact, with the end that has the setting. */
const OF_RELATIONSHIPS: readonly (readonly [setting: FindingId, end: 'source' | 'target', ...FindingId[]])[] =
  [
    ['UnconstrainedDelegationComputers', 'source', 'T0CoerceToTGT'],
    ['UnconstrainedDelegationUsers', 'source', 'T0CoerceToTGT'],
    ['RBCDConfigured', 'target', 'T0AllowedToAct'],
    ['KrbtgtDelegation', 'target', 'T0AllowedToAct'],
    ['GPOOwnedOutside', 'target', 'T0Owns'],
    ['TrustWithoutSIDFiltering', 'target', 'T0SpoofSIDHistory'],
    ['TrustWithTGTDelegation', 'target', 'T0AbuseTGTDelegation'],
    ['AzureAppOwnedByUser', 'target', 'AzureT0Owns'],
    ['AzureVMPrivilegedIdentity', 'source', 'AzureNonT0ManagedIdentityAssignment'],
    ['AzureAutomationPrivilegedIdentity', 'source', 'AzureNonT0ManagedIdentityAssignment'],
  ];

/** Relationships of one weakness from the same source to the same target, once for accounts and once for computers or protocols. */
const OF_ONE_WEAKNESS: readonly (readonly [lead: FindingId, other: FindingId])[] = [
  ['T0ADCSESC6a', 'T0ADCSESC6b'],
  ['T0ADCSESC9a', 'T0ADCSESC9b'],
  ['T0ADCSESC10a', 'T0ADCSESC10b'],
];

/** Relationships that mean that the target lacks a protection: for each role that could exploit this, it is the same fact. */
const OF_ONE_TARGET: readonly FindingId[] = ['AzureT0ResetPassword'];

const numbers = new Map<string, number>(FINDING_TYPES.map(({ id }, type) => [id, type]));

export interface FactQuestions {
  /** Whether a finding is about Tier Zero. */
  readonly isOfZoneObject?: (at: number) => boolean;
  /** @returns the container whose access list Windows copies to the object; undefined for most objects */
  readonly originOfList?: (node: number) => number | undefined;
  /** Share of the principals that can use a finding. */
  readonly exposureOf?: (at: number) => number;
}

export function partsOf(
  found: FoundColumns,
  { isOfZoneObject, originOfList, exposureOf = () => 0 }: FactQuestions = {},
): Parts {
  const merge = new Merge(found);
  if (isOfZoneObject !== undefined) merge.zoneObjects(isOfZoneObject);
  merge.relationshipsToOneTarget(exposureOf);
  merge.relationshipsOfEverybody();
  if (originOfList !== undefined) merge.copiedEntries(originOfList);
  merge.scenarios();
  merge.settingsOfRelationships();
  merge.settingsOfObjects();
  return merge.parts;
}

class Merge {
  readonly parts = new Map<number, number[]>();
  readonly #found: FoundColumns;
  readonly #byType: ReadonlyMap<number, readonly number[]>;
  readonly #isPart = new Set<number>();

  constructor(found: FoundColumns) {
    this.#found = found;
    const byType = new Map<number, number[]>();
    for (let at = 0; at < found.count; at++) {
      addTo(byType, found.types[at], at);
    }
    this.#byType = byType;
  }

  /** Relationships of an object that belongs in the zone are parts of the advice about it. */
  zoneObjects(isOfZoneObject: (at: number) => boolean): void {
    const advice = new Map(this.#of('ProbablyTierZero').map((at) => [this.#found.targets[at], at]));
    if (advice.size === 0) return;
    for (let at = 0; at < this.#found.count; at++) {
      const lead = this.#found.sources[at] === NO_NODE ? undefined : advice.get(this.#found.sources[at]);
      if (lead !== undefined && isOfZoneObject(at)) this.#put(lead, at);
    }
  }

  /** An edge of a large default group into a zone is reported for the zone. */
  relationshipsOfEverybody(): void {
    const { sources, targets, edgeKinds, count } = this.#found;
    const places = Array.from({ length: count }, (_, at) => at).filter((at) => sources[at] !== NO_NODE);
    const large = places.filter((at) => isLarge(this.#found.types[at]));
    if (large.length === 0) return;
    const from = new Set(large.map((at) => sources[at]));
    const key = (at: number): string => `${sources[at]} ${edgeKinds[at]} ${targets[at]}`;
    const zoned = new Map(
      places
        .filter((at) => from.has(sources[at]) && !isLarge(this.#found.types[at]))
        .map((at) => [key(at), at]),
    );
    for (const at of large) {
      const lead = zoned.get(key(at));
      if (lead !== undefined) this.#put(lead, at);
    }
  }

  /** Represents copies of an AdminSDHolder entry by one finding, because only a change at AdminSDHolder lasts. */
  copiedEntries(originOf: (node: number) => number | undefined): void {
    const { sources, targets, types, edgeKinds, count } = this.#found;
    const origins = new Map<number, number>();
    for (let at = 0; at < count; at++) {
      const origin = sources[at] === NO_NODE ? undefined : originOf(targets[at]);
      if (origin !== undefined) origins.set(at, origin);
    }
    if (origins.size === 0) return;
    const key = (at: number, target: number): string =>
      `${types[at]} ${sources[at]} ${edgeKinds[at]} ${target}`;
    const atOrigins = new Set(origins.values());
    const leads = new Map<string, number>();
    for (let at = 0; at < count; at++) if (atOrigins.has(targets[at])) leads.set(key(at, targets[at]), at);
    for (const [at, origin] of origins) {
      const lead = leads.get(key(at, origin));
      if (lead !== undefined) this.#put(lead, at);
    }
  }

  /** The finding with the most users represents the others; ties go to the first. */
  relationshipsToOneTarget(exposureOf: (at: number) => number): void {
    const { targets, zones } = this.#found;
    for (const id of OF_ONE_TARGET) {
      for (const all of Map.groupBy(this.#of(id), (at) => `${zones[at]} ${targets[at]}`).values()) {
        const lead = all.reduce((best, at) => (exposureOf(at) > exposureOf(best) ? at : best));
        for (const at of all) this.#put(lead, at);
      }
    }
  }

  scenarios(): void {
    const { sources, targets, zones } = this.#found;
    const key = (at: number): string => `${zones[at]} ${sources[at]} ${targets[at]}`;
    for (const [lead, other] of OF_ONE_WEAKNESS) {
      const leads = new Map(this.#of(lead).map((at) => [key(at), at]));
      for (const at of this.#of(other)) {
        const found = leads.get(key(at));
        if (found !== undefined) this.#put(found, at);
      }
    }
  }

  settingsOfRelationships(): void {
    for (const [setting, end, ...ids] of OF_RELATIONSHIPS) {
      const settings = this.#of(setting);
      if (settings.length === 0) continue;
      const ends = end === 'source' ? this.#found.sources : this.#found.targets;
      const leads = new Map(
        ids
          .flatMap((id) => this.#of(id))
          .reverse()
          .map((at) => [ends[at], at]),
      );
      for (const at of settings) {
        const lead = leads.get(this.#found.targets[at]);
        if (lead !== undefined) this.#put(lead, at);
      }
    }
  }

  settingsOfObjects(): void {
    for (const ids of OF_ONE_OBJECT) {
      const leads = new Map<number, number>();
      for (const at of ids.flatMap((id) => this.#of(id))) {
        const lead = leads.get(this.#found.targets[at]);
        if (lead === undefined) leads.set(this.#found.targets[at], at);
        else this.#put(lead, at);
      }
    }
  }

  #of(id: string): readonly number[] {
    return this.#byType.get(numbers.get(id) ?? -1) ?? [];
  }

  /** Makes a finding, with its own parts, a part of the representing one; each finding is part of at most one. */
  #put(lead: number, part: number): void {
    if (this.#isPart.has(part) || lead === part) return;
    const top = this.#isPart.has(lead) ? this.#leadOf(lead) : lead;
    const own = this.parts.get(part) ?? [];
    this.parts.delete(part);
    this.#isPart.add(part);
    this.parts.set(
      top,
      [...(this.parts.get(top) ?? []), part, ...own].sort((a, b) => a - b),
    );
  }

  #leadOf(part: number): number {
    for (const [lead, parts] of this.parts) if (parts.includes(part)) return lead;
    throw new Error(`finding ${part} belongs to no whole finding`);
  }
}

function isLarge(type: number): boolean {
  const traits: FindingType | undefined = FINDING_TYPES[type];
  return traits?.kind === 'relationship' && LARGE_BOUNDARIES.has(traits.boundary);
}
