/**
 * Converts an access list to the rights in attack graphs. Each right is evaluated like in the directory (MS-ADTS 5.1.3.3): entries in
 * order, for the principal and its groups; the first one that denies or grants the right applies. So a denied entry removes exactly what it
 * denies: the default protection from deletion, "user cannot change password" and the default list of managed accounts deny something to
 * everyone, but remove no one's full control.
 */
import { createHash } from 'node:crypto';
import type { AccessEntry, SecurityDescriptor } from '../descriptor/securityDescriptor.ts';
import { ENTRY_FLAG, RIGHT } from '../descriptor/securityDescriptor.ts';
import { DEFAULT_SETS, GUID, type ObjectType, WANTED_RIGHTS, type WantedRight } from './wantedRights.ts';

/** Ids that differ between forests, read from the schema. */
export interface SchemaIds {
  /** Id of a class by name in lower case; '' if unknown. */
  classId(name: string): string;
  /** LAPS password attributes. */
  readonly laps: ReadonlySet<string>;
  /** The property set of an attribute. */
  readonly setOf: ReadonlyMap<string, string>;
}

export interface Principals {
  /** All groups of a principal, direct and indirect. */
  groupsOf(sid: string): ReadonlySet<string>;
}

export interface Granted {
  readonly sid: string;
  readonly right: string;
  /** The entry from which an inherited right comes. */
  readonly inheritedFrom: AccessEntry | undefined;
}

export interface GrantedRights {
  readonly rights: readonly Granted[];
  /** Whether entries for OWNER RIGHTS replace the implicit rights of owners. */
  readonly limitsOwner: boolean;
  readonly limitsOwnerByInheritance: boolean;
  /** Number of principals with a conditional right. */
  readonly conditional: number;
}

export interface AskedObject {
  readonly type: ObjectType;
  /** The most specific class of the object: entries inherited for one class do not apply to derived classes. */
  readonly objectClass: string;
  readonly hasLaps: boolean;
}

const OWNER_RIGHTS = 'S-1-3-4';
export const EVERYONE = 'S-1-1-0';
export const AUTHENTICATED_USERS = 'S-1-5-11';

/** Principals that represent no one else: creators, the object itself, the system, dial-up and so on. */
const REPRESENTS_NO_ONE = /^S-1-(3-[0-3]$|5-10$|5-18$|5-2$)/;
export const isPrincipal = (sid: string): boolean => sid !== '' && !REPRESENTS_NO_ONE.test(sid);

/** Without one of these bits, control is not full. */
const CONTROL = RIGHT.writeDacl | RIGHT.writeOwner | RIGHT.write | RIGHT.extended | RIGHT.self;

export function grantedRights(
  descriptor: SecurityDescriptor,
  object: AskedObject,
  schema: SchemaIds,
  principals: Principals,
): GrantedRights {
  const classId = schema.classId(object.objectClass);
  const entries = descriptor.entries.filter((entry) => holdsFor(entry, classId));
  const asked = new AskedList(entries, object, schema, principals);
  const found = new Map<string, Granted>();
  const add = (sid: string, right: string, entry?: AccessEntry): void => {
    const key = `${sid}|${right}`;
    const inheritedFrom = entry !== undefined && isInherited(entry) ? entry : undefined;
    const known = found.get(key);
    // An explicit entry takes precedence over an inherited one.
    if (known !== undefined && (known.inheritedFrom === undefined || inheritedFrom !== undefined)) return;
    found.set(key, { sid, right, inheritedFrom });
  };
  if (isPrincipal(descriptor.owner)) add(descriptor.owner, 'Owns');
  for (const [at, entry] of entries.entries()) {
    if (entry.isDenied || !isPrincipal(entry.sid)) continue;
    for (const right of asked.rightsOf(at)) add(entry.sid, right, entry);
  }
  const ofOwner = entries.filter(({ sid }) => sid === OWNER_RIGHTS);
  return {
    rights: [...found.values()],
    limitsOwner: ofOwner.length > 0,
    limitsOwnerByInheritance: ofOwner.some(isInherited),
    conditional: entries.filter((entry) => entry.isConditional && !entry.isDenied && isPrincipal(entry.sid))
      .length,
  };
}

const isInherited = ({ flags }: AccessEntry): boolean => (flags & ENTRY_FLAG.inherited) !== 0;

function holdsFor(entry: AccessEntry, classId: string): boolean {
  if ((entry.flags & ENTRY_FLAG.inheritOnly) !== 0) return false;
  return !isInherited(entry) || entry.inheritedObjectType === '' || entry.inheritedObjectType === classId;
}

/** The entries of an object, evaluated in order. */
class AskedList {
  readonly #entries: readonly AccessEntry[];
  readonly #object: AskedObject;
  readonly #schema: SchemaIds;
  readonly #principals: Principals;
  /** Indexes of denied entries that remove a right of the graph. */
  readonly #denials: readonly number[];

  constructor(
    entries: readonly AccessEntry[],
    object: AskedObject,
    schema: SchemaIds,
    principals: Principals,
  ) {
    this.#entries = entries;
    this.#object = object;
    this.#schema = schema;
    this.#principals = principals;
    this.#denials = entries.flatMap((entry, at) => (this.#takesControl(entry) ? [at] : []));
  }

  /** Names of the rights that an allowed entry grants after the denials before it. */
  *rightsOf(at: number): Generator<string> {
    const entry = this.#entries[at];
    const lost = this.#denials
      .filter((place) => place < at)
      .map((place) => this.#entries[place])
      .filter((denied) => this.#holdsAlso(denied, entry.sid));
    const isEverything = (entry.mask & RIGHT.all) === RIGHT.all && entry.objectType === '';
    // A principal that may still write the list can remove the denial.
    if (isEverything && !lost.some(({ mask }) => (mask & RIGHT.writeDacl) !== 0)) {
      yield 'GenericAll';
      return;
    }
    for (const wanted of WANTED_RIGHTS)
      if (this.#isGranted(entry, wanted, isEverything || lost.length > 0) && !this.#isLost(wanted, lost))
        yield wanted.name;
    if (this.#readsLaps(entry, lost)) yield 'ReadLAPSPassword';
  }

  /** @param isInPieces whether rights of a whole entry are named individually, because of a denial */
  #isGranted(entry: AccessEntry, wanted: WantedRight, isInPieces: boolean): boolean {
    const { type, hasLaps } = this.#object;
    if ((entry.mask & wanted.bits) === 0 || wanted.on?.has(type) === false) return false;
    // On computers, all extended rights only allow reading LAPS passwords.
    if (wanted.name === 'AllExtendedRights' && type === 'Computer' && !hasLaps) return false;
    // With write access, the same entry is AddMember.
    if (wanted.name === 'AddSelf' && (entry.mask & RIGHT.write) !== 0) return false;
    if (entry.objectType === '')
      return wanted.isForEverything === true || wanted.guid === undefined || isInPieces;
    return wanted.guid !== undefined && this.#covers(entry.objectType, wanted.guid);
  }

  #isLost({ bits, guid }: WantedRight, lost: readonly AccessEntry[]): boolean {
    return lost.some(
      ({ mask, objectType }) =>
        (mask & bits) !== 0 && (objectType === '' || (guid !== undefined && this.#covers(objectType, guid))),
    );
  }

  #readsLaps(entry: AccessEntry, lost: readonly AccessEntry[]): boolean {
    const { type, hasLaps } = this.#object;
    if (type !== 'Computer' || !hasLaps || (entry.mask & RIGHT.extended) === 0) return false;
    if (!this.#schema.laps.has(entry.objectType)) return false;
    return !lost.some(
      ({ mask, objectType }) =>
        (mask & RIGHT.extended) !== 0 && (objectType === '' || objectType === entry.objectType),
    );
  }

  /** Whether an entry for `given` covers `wanted`: the same id, or its property set. */
  #covers(given: string, wanted: string): boolean {
    if (given === wanted) return true;
    // The set of account restrictions contains this attribute, which is a separate right.
    if (wanted === GUID.allowedToAct) return false;
    return (this.#schema.setOf.get(wanted) ?? DEFAULT_SETS.get(wanted)) === given;
  }

  /** Whether a denied entry applies to everyone that `sid` represents. */
  #holdsAlso(denied: AccessEntry, sid: string): boolean {
    if (denied.sid === sid || denied.sid === EVERYONE) return true;
    if (denied.sid === AUTHENTICATED_USERS && sid !== EVERYONE) return true;
    return this.#principals.groupsOf(sid).has(denied.sid);
  }

  /** Whether a denied entry removes a right of the graph; a harmless attribute, or one's own old password, does not count. */
  #takesControl({ isDenied, isConditional, mask, objectType }: AccessEntry): boolean {
    // A conditional entry does not reliably deny anything.
    if (!isDenied || isConditional || (mask & CONTROL) === 0) return false;
    if ((mask & (RIGHT.writeDacl | RIGHT.writeOwner)) !== 0) return true;
    if (objectType === '') return (mask & (RIGHT.write | RIGHT.extended)) !== 0;
    const { type } = this.#object;
    if (this.#schema.laps.has(objectType)) return type === 'Computer';
    return WANTED_RIGHTS.some(
      ({ guid, bits, on }) =>
        guid !== undefined &&
        (mask & bits) !== 0 &&
        on?.has(type) !== false &&
        this.#covers(objectType, guid),
    );
  }
}

/** Identifies an inherited entry at the object that has it explicitly. */
export const inheritanceHash = ({ sid, mask, objectType, inheritedObjectType }: AccessEntry): string =>
  createHash('sha1')
    .update([sid, mask, objectType, inheritedObjectType].join('|'))
    .digest('hex')
    .toUpperCase();

/** Hashes of the entries that an object passes on. */
export const inheritableHashes = ({ entries }: SecurityDescriptor): readonly string[] =>
  entries
    .filter(
      (entry) =>
        !entry.isDenied &&
        !isInherited(entry) &&
        (entry.flags & ENTRY_FLAG.container) !== 0 &&
        isPrincipal(entry.sid),
    )
    .map(inheritanceHash);
