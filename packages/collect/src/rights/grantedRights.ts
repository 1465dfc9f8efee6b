/**
 * An access list gives the rights that attack graphs know. A right is asked for as the directory itself decides (MS-ADTS 5.1.3.3):
 * entries in their order, those that name the principal or one of its groups; the first one that denies or grants it settles the matter. So
 * a denied entry costs exactly what it denies: the usual protection from deletion, "user cannot change password" and the default list of
 * managed accounts deny something to everyone and cost no one full control.
 */
import { createHash } from 'node:crypto';
import {
  type AccessEntry,
  ENTRY_FLAG,
  RIGHT,
  type SecurityDescriptor,
} from '../descriptor/securityDescriptor.ts';
import { DEFAULT_SETS, GUID, type ObjectType, WANTED_RIGHTS, type WantedRight } from './wantedRights.ts';

/** Ids that differ from forest to forest, read from the schema. */
export interface SchemaIds {
  /** Id of a class by its name in lower case; '' for an unknown one. */
  classId(name: string): string;
  /** Attributes with passwords of LAPS. */
  readonly laps: ReadonlySet<string>;
  /** The property set of an attribute. */
  readonly setOf: ReadonlyMap<string, string>;
}

export interface Principals {
  /** All groups of a principal, direct and not. */
  groupsOf(sid: string): ReadonlySet<string>;
}

export interface Granted {
  readonly sid: string;
  readonly right: string;
  /** The entry that an inherited right comes from. */
  readonly inheritedFrom: AccessEntry | undefined;
}

export interface GrantedRights {
  readonly rights: readonly Granted[];
  /** Whether entries for OWNER RIGHTS replace what owners may do by themselves. */
  readonly limitsOwner: boolean;
  readonly limitsOwnerByInheritance: boolean;
  /** Principals with a right that depends on a condition. */
  readonly conditional: number;
}

export interface AskedObject {
  readonly type: ObjectType;
  /** Its most specific class: entries inherited for one class hold for no other, not even one derived from it. */
  readonly objectClass: string;
  readonly hasLaps: boolean;
}

const OWNER_RIGHTS = 'S-1-3-4';
const EVERYONE = 'S-1-1-0';
const AUTHENTICATED_USERS = 'S-1-5-11';

/** Principals that represent no one else: creators, the object itself, the system, dial-up and so on. */
const REPRESENTS_NO_ONE = /^S-1-(3-[0-3]$|5-10$|5-18$|5-2$)/;
export const isPrincipal = (sid: string): boolean => sid !== '' && !REPRESENTS_NO_ONE.test(sid);

/** Bits whose loss leaves less than full control. */
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
    // An explicit entry says more than an inherited one.
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

/** The entries of an object, asked one right after the other. */
class AskedList {
  readonly #entries: readonly AccessEntry[];
  readonly #object: AskedObject;
  readonly #schema: SchemaIds;
  readonly #principals: Principals;
  /** Places of denied entries that take something of the graph from someone. */
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

  /** Names of the rights that an allowed entry grants after what was denied before it. */
  *rightsOf(at: number): Generator<string> {
    const entry = this.#entries[at];
    const lost = this.#denials
      .filter((place) => place < at)
      .map((place) => this.#entries[place])
      .filter((denied) => this.#holdsAlso(denied, entry.sid));
    const isEverything = (entry.mask & RIGHT.all) === RIGHT.all && entry.objectType === '';
    // One who may still write the list can take the denial out of it.
    if (isEverything && !lost.some(({ mask }) => (mask & RIGHT.writeDacl) !== 0)) {
      yield 'GenericAll';
      return;
    }
    for (const wanted of WANTED_RIGHTS)
      if (this.#isGranted(entry, wanted, isEverything || lost.length > 0) && !this.#isLost(wanted, lost))
        yield wanted.name;
    if (this.#readsLaps(entry, lost)) yield 'ReadLAPSPassword';
  }

  /** @param isInPieces whether rights of a whole entry are named one by one, since a denial broke it */
  #isGranted(entry: AccessEntry, wanted: WantedRight, isInPieces: boolean): boolean {
    const { type, hasLaps } = this.#object;
    if ((entry.mask & wanted.bits) === 0 || wanted.on?.has(type) === false) return false;
    // On computers all extended rights are of use only for reading passwords of LAPS.
    if (wanted.name === 'AllExtendedRights' && type === 'Computer' && !hasLaps) return false;
    // With writing, the same entry is AddMember.
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

  /** Whether an entry for `given` holds for `wanted`: the same, or the property set that has it. */
  #covers(given: string, wanted: string): boolean {
    if (given === wanted) return true;
    // The set of account restrictions has this attribute, too, and is a right of its own.
    if (wanted === GUID.allowedToAct) return false;
    return (this.#schema.setOf.get(wanted) ?? DEFAULT_SETS.get(wanted)) === given;
  }

  /** Whether a denied entry holds for all that `sid` represents. */
  #holdsAlso(denied: AccessEntry, sid: string): boolean {
    if (denied.sid === sid || denied.sid === EVERYONE) return true;
    if (denied.sid === AUTHENTICATED_USERS && sid !== EVERYONE) return true;
    return this.#principals.groupsOf(sid).has(denied.sid);
  }

  /** Whether a denied entry takes something that the graph knows; a harmless attribute, or one's own old password, is nothing. */
  #takesControl({ isDenied, isConditional, mask, objectType }: AccessEntry): boolean {
    // Where a condition decides, nothing is sure to be denied.
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

/** The mark by which an inherited entry is found at the object that has it explicitly. */
export const inheritanceHash = ({ sid, mask, objectType, inheritedObjectType }: AccessEntry): string =>
  createHash('sha1')
    .update([sid, mask, objectType, inheritedObjectType].join('|'))
    .digest('hex')
    .toUpperCase();

/** Marks of the entries that an object hands down. */
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
