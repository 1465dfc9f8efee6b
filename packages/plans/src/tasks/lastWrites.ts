/**
 * The last write of the attribute behind a changed fact, where a collector reads it: time, controller and number of writes. The directory does
 * not record who wrote. Later writes of the same attribute hide earlier ones. A write that the previous analysis read already is older than the
 * change. Analyses do not bound it otherwise: uploads of other data make them, too, so the write may be older than the previous one.
 *
 * Rule: `docs/plan.md#last-writes`.
 */
import type { ProofFact } from '@clew/api';
import { findNode, NO_NODE } from '@clew/graph';
import { edgeKindByName, minuteText } from '@clew/model';
import type { AnalyzedWorld } from '@clew/planning';
import type { ChangeFacts, ReadWrites } from './startedFacts.ts';

export type LastWrite = NonNullable<ProofFact['last_write']>;

/** Texts of a collector: `userAccountControl: 2026-11-30T10:00:00Z on DC1 (version 3)`. */
export const LAST_WRITES = 'lastwrites';

interface Place {
  readonly attribute: string;
  readonly at: 'start' | 'end';
}

const ACCESS_LIST: Place = { attribute: 'nTSecurityDescriptor', at: 'end' };

/** Attributes of relationships; those of access lists are in the descriptor of their end. */
const OF_RELATIONS: Readonly<Record<string, Place>> = {
  MemberOf: { attribute: 'member', at: 'end' },
  ReadGMSAPassword: { attribute: 'msDS-GroupMSAMembership', at: 'end' },
  AllowedToDelegate: { attribute: 'msDS-AllowedToDelegateTo', at: 'start' },
  AllowedToAct: { attribute: 'msDS-AllowedToActOnBehalfOfOtherIdentity', at: 'end' },
  CoerceToTGT: { attribute: 'userAccountControl', at: 'start' },
  HasSIDHistory: { attribute: 'sIDHistory', at: 'start' },
  GPLink: { attribute: 'gPLink', at: 'end' },
  PublishedTo: { attribute: 'certificateTemplates', at: 'end' },
  Contains: { attribute: 'name', at: 'end' },
};

const OF_PROPERTIES: Readonly<Record<string, string>> = {
  enrolleesuppliessubject: 'msPKI-Certificate-Name-Flag',
  requiresmanagerapproval: 'msPKI-Enrollment-Flag',
  nosecurityextension: 'msPKI-Enrollment-Flag',
  machineaccountquota: 'ms-DS-MachineAccountQuota',
  unconstraineddelegation: 'userAccountControl',
  enabled: 'userAccountControl',
};

export interface EarlierWrites {
  /** The previous analysis read these writes. */
  readonly writes: ReadWrites;
  /** Time of the previous analysis, for attributes whose writes it did not read. */
  readonly since: string | undefined;
}

/** The attribute behind a fact. */
interface Source {
  readonly objectId: string;
  readonly attribute: string;
}

type Relation = ChangeFacts['removed'][number];
type Property = ChangeFacts['properties'][number];

function sourceOfRelation({
  start,
  kind,
  end,
}: Pick<Relation, 'start' | 'kind' | 'end'>): Source | undefined {
  const place = OF_RELATIONS[kind] ?? (edgeKindByName(kind)?.acl === true ? ACCESS_LIST : undefined);
  return place && { objectId: place.at === 'start' ? start : end, attribute: place.attribute };
}

function sourceOfProperty({ object_id, key }: Pick<Property, 'object_id' | 'key'>): Source | undefined {
  const attribute = OF_PROPERTIES[key];
  return attribute === undefined ? undefined : { objectId: object_id, attribute };
}

const keyOf = ({ objectId, attribute }: Source): string => `${attribute} ${objectId}`;

/** @returns null if no collector read a write since the previous analysis read the attribute */
export const lastWriteOfRelation = (
  world: AnalyzedWorld,
  relation: Pick<Relation, 'start' | 'kind' | 'end'>,
  earlier: EarlierWrites,
): LastWrite | null => newWrite(world, sourceOfRelation(relation), earlier);

/** @returns null if no collector read a write since the previous analysis read the attribute */
export const lastWriteOfProperty = (
  world: AnalyzedWorld,
  property: Pick<Property, 'object_id' | 'key'>,
  earlier: EarlierWrites,
): LastWrite | null => newWrite(world, sourceOfProperty(property), earlier);

function newWrite(
  world: AnalyzedWorld,
  source: Source | undefined,
  { writes, since }: EarlierWrites,
): LastWrite | null {
  const write = source === undefined ? null : lastWrite(world, source);
  if (source === undefined || write === null) return null;
  const known = writes[keyOf(source)];
  if (known !== undefined) return write.at > known ? write : null;
  return since !== undefined && write.at >= since ? write : null;
}

interface FactsToRead {
  readonly change: ChangeFacts;
  /** Places of facts that are missing while no collection looked at them: their writes stay those of the analysis before. */
  readonly waiting: readonly number[];
}

/**
 * For the comparison with the next analysis.
 * @param before the writes that the previous analysis read; they stay where this one has none
 */
export function readWrites(
  world: AnalyzedWorld,
  all: readonly FactsToRead[],
  before: ReadWrites = {},
): ReadWrites {
  const found: Record<string, string> = { ...before };
  const sources = all.map(({ change, waiting }) => {
    const ofChange = [...change.removed.map(sourceOfRelation), ...change.properties.map(sourceOfProperty)];
    return { ofChange, waiting };
  });
  const kept = new Set(
    sources.flatMap(({ ofChange, waiting }) =>
      waiting.flatMap((at) => (ofChange[at] === undefined ? [] : [keyOf(ofChange[at])])),
    ),
  );
  for (const { ofChange } of sources)
    for (const source of ofChange) {
      if (source === undefined || kept.has(keyOf(source))) continue;
      const write = lastWrite(world, source);
      if (write !== null) found[keyOf(source)] = write.at;
    }
  return found;
}

/** Files may contain any text. */
const FORM = /^([\w-]{1,60}): (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) on ([^\n]{1,64}) \(version (\d{1,10})\)$/i;
/** Maximum number of texts; the collector writes at most one per attribute that it knows. */
const MAX_TEXTS = 40;

function lastWrite({ context }: AnalyzedWorld, { objectId, attribute }: Source): LastWrite | null {
  const node = findNode(context.graph, objectId);
  if (node === NO_NODE) return null;
  for (const text of context.properties.texts(LAST_WRITES, node).slice(0, MAX_TEXTS)) {
    const [, name = '', at = '', controller = '', version = ''] = FORM.exec(text) ?? [];
    if (name.toLowerCase() === attribute.toLowerCase() && !Number.isNaN(Date.parse(at)))
      return { attribute, at: at.replace('Z', '.000000Z'), controller, version: Number(version) };
  }
  return null;
}

/** @returns the end of a sentence; empty without a write */
export const writtenText = (write: LastWrite | null): string =>
  write === null
    ? ''
    : `; ${write.attribute} last written at ${minuteText(write.at)} on ${write.controller} (version ${write.version}); the directory does not record by whom`;
