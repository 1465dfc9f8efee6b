/**
 * Default access list entries of every domain, by holder, right and kind of object. If a Windows group has another right, someone granted
 * it: the holder alone proves nothing.
 */
import { type AttackGraph, objectIdOf } from '@clew/graph';
import { EdgeKind, type EdgeKindName } from '@clew/model';
import { type ComparedKind, shownKindOf } from './shownKinds.ts';

interface DefaultEntry {
  /** End of the object id of the holder. */
  readonly holder: RegExp;
  readonly rights: readonly EdgeKindName[];
  /** Kinds of objects; default: all. */
  readonly on?: readonly ComparedKind[];
}

/** Rule: default security descriptors of the schema and of the partitions; `docs/plan.md#prices`. */
const DEFAULT_ENTRIES: readonly DefaultEntry[] = [
  // Account Operators: full control in the default descriptor of these classes.
  { holder: /-S-1-5-32-548$/, rights: ['GenericAll'], on: ['User', 'Group', 'Computer'] },
  // Key Admins and Enterprise Key Admins write keys; only early builds gave full control to the latter.
  { holder: /-52[67]$/, rights: ['AddKeyCredentialLink'] },
  // Controllers replicate.
  {
    holder: /(-516|-498|-S-1-5-9)$/,
    rights: ['GetChanges', 'GetChangesAll', 'GetChangesInFilteredSet'],
    on: ['Domain'],
  },
  // Cert Publishers maintain the containers of public keys.
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
