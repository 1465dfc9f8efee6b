/**
 * The last write of the attribute behind a changed fact, where a collector reads it: time, controller and number of writes. The directory does
 * not record who wrote. Later writes of the same attribute hide earlier ones. A write before the previous analysis is older than the change:
 * an earlier collection read it, and later ones did not.
 *
 * Rule: `docs/plan.md#last-writes`.
 */
import type { ProofFact } from '@clew/api';
import { findNode, NO_NODE } from '@clew/graph';
import { edgeKindByName } from '@clew/model';
import type { AnalyzedWorld } from '@clew/planning';

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

const placeOf = (kind: string): Place | undefined =>
  OF_RELATIONS[kind] ?? (edgeKindByName(kind)?.acl === true ? ACCESS_LIST : undefined);

/** @param since time of the previous analysis @returns null if no collector read a write since then */
export function lastWriteOfRelation(
  world: AnalyzedWorld,
  { start, kind, end }: { readonly start: string; readonly kind: string; readonly end: string },
  since: string | undefined,
): LastWrite | null {
  const place = placeOf(kind);
  if (place === undefined) return null;
  return unlessOlder(lastWrite(world, place.at === 'start' ? start : end, place.attribute), since);
}

/** @param since time of the previous analysis @returns null if no collector read a write since then */
export function lastWriteOfProperty(
  world: AnalyzedWorld,
  { objectId, key }: { readonly objectId: string; readonly key: string },
  since: string | undefined,
): LastWrite | null {
  const attribute = OF_PROPERTIES[key];
  return attribute === undefined ? null : unlessOlder(lastWrite(world, objectId, attribute), since);
}

const unlessOlder = (write: LastWrite | null, since: string | undefined): LastWrite | null =>
  write === null || since === undefined || write.at < since ? null : write;

/** Files may contain any text. */
const FORM = /^([\w-]{1,60}): (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) on ([^\n]{1,64}) \(version (\d{1,10})\)$/i;
/** Maximum number of texts; the collector writes at most one per attribute that it knows. */
const MAX_TEXTS = 40;

function lastWrite({ context }: AnalyzedWorld, objectId: string, attribute: string): LastWrite | null {
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
    : `; ${write.attribute} last written at ${write.at.slice(0, 16).replace('T', ' ')} UTC on ${write.controller} (version ${write.version}); the directory does not record by whom`;
