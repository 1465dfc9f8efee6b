/**
 * Entries of access lists that every domain is born with, by holder, right and kind of object. A group of Windows with another right than
 * these got it from someone: the holder alone says nothing.
 */
import { type AttackGraph, objectIdOf } from '@clew/graph';
import { EdgeKind, type EdgeKindName } from '@clew/model';
import { type ComparedKind, shownKindOf } from './shownKinds.ts';

interface DefaultEntry {
  /** End of the object id of the holder. */
  readonly holder: RegExp;
  readonly rights: readonly EdgeKindName[];
  /** Kinds of objects; all where absent. */
  readonly on?: readonly ComparedKind[];
}

/** Rule: default security descriptors of the schema and of the partitions; `docs/plan.md#prices`. */
const DEFAULT_ENTRIES: readonly DefaultEntry[] = [
  // Account Operators: full control in the default descriptor of these classes.
  { holder: /-S-1-5-32-548$/, rights: ['GenericAll'], on: ['User', 'Group', 'Computer'] },
  // Key Admins and Enterprise Key Admins write keys; full control of the latter came with early builds alone.
  { holder: /-52[67]$/, rights: ['AddKeyCredentialLink'] },
  // Controllers replicate.
  {
    holder: /(-516|-498|-S-1-5-9)$/,
    rights: ['GetChanges', 'GetChangesAll', 'GetChangesInFilteredSet'],
    on: ['Domain'],
  },
  // Cert Publishers keep the containers of public keys.
  { holder: /-517$/, rights: ['GenericAll'], on: ['Container'] },
];

export function isDefaultEntry(graph: AttackGraph, holder: number, right: number, object: number): boolean {
  const id = objectIdOf(graph, holder);
  const kind = shownKindOf(graph, object);
  return DEFAULT_ENTRIES.some(
    (entry) =>
      entry.holder.test(id) &&
      entry.rights.some((name) => EdgeKind[name] === right) &&
      (entry.on === undefined || (kind !== undefined && entry.on.includes(kind))),
  );
}
