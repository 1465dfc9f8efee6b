/**
 * The parts that the readers of all directory objects share: identity, properties, access list and container.
 *
 * Rules: `docs/reference/collections.md#objects`.
 */
import type { NodeKindName, ObjectFacts } from '@clew/model';
import type { CollectionHeader } from '../header.ts';
import { isObject, type Json, type JsonObject } from '../json/value.ts';
import { type CollectionReader, type ObjectPlace, rejectedObject } from '../reader.ts';
import { type AccessEntry, readAccessList } from './accessList.ts';
import { DirectoryObject, SharpHoundFile } from './directoryObject.ts';
import { edge } from './edges.ts';
import { Members } from './members.ts';
import { Method } from './methods.ts';
import { idFault } from './principal.ts';
import { Problems } from './problems.ts';
import { isSid } from './sid.ts';

interface DirectoryType {
  /** `meta.type`. */
  readonly type: string;
  readonly kind: NodeKindName;
  /** False for objects whose container has no edge. */
  readonly isContained?: boolean;
  /** @returns the id, if a member other than `ObjectIdentifier` has it */
  readonly idOf?: (json: JsonObject) => string | undefined;
  /** Reads members specific to the type. */
  readonly read?: (object: DirectoryObject) => void;
  /** Selects the entries of an object's access list that are ignored. */
  readonly leavesOut?: (object: DirectoryObject) => ((entry: AccessEntry) => boolean) | undefined;
  readonly note?: (header: CollectionHeader) => string | undefined;
}

export function directoryType(type: DirectoryType): CollectionReader {
  return {
    type: type.type,
    format: 'sharphound',
    note: type.note,
    begin: (header) => {
      const file = new SharpHoundFile(header);
      return (json, place) => readObject(type, file, json, place);
    },
  };
}

function readObject(type: DirectoryType, file: SharpHoundFile, json: Json, place: ObjectPlace): ObjectFacts {
  if (!isObject(json)) return rejectedObject(place, 'it is not a JSON object');
  const problems = new Problems();
  const id = type.idOf?.(json) ?? new Members(json, problems).id('ObjectIdentifier');
  if (id === '') return rejectedObject(place, 'it has no identifier');
  const fault = idFault(id);
  if (fault !== undefined) {
    problems.note(`the object was skipped: ${fault}`);
    return { index: place.index, nodes: [], edgeSets: [], issues: problems.issues(place, id) };
  }
  const object = new DirectoryObject(json, { id, kind: type.kind }, file, problems);
  if (object.flag('IsDeleted') === true) return deletedObject(object, place);
  mendProperties(object);
  readAccessList(object, type.leavesOut?.(object));
  if (type.isContained !== false) readContainer(object);
  type.read?.(object);
  return object.facts(place);
}

/**
 * The reference implementation ignores the flag and restores deleted objects. An object in the recycle bin has no access, so it must not be
 * part of any path.
 */
function deletedObject(object: DirectoryObject, place: ObjectPlace): ObjectFacts {
  object.problems.note('the object is deleted in the directory');
  const { id } = object.self;
  return {
    index: place.index,
    nodes: [],
    edgeSets: [],
    deletedIds: [id],
    issues: object.problems.issues(place, id),
  };
}

const UPPER_CASE = ['name', 'operatingsystem', 'distinguishedname', 'environmentid'] as const;

/** Metadata of a collector or the store, not facts about the object. */
const NOT_STORED = ['reconcile', 'objectid', 'lastseen', 'lastcollected'] as const;

/** Rule: `docs/reference/collections.md#properties`. */
function mendProperties({ properties, problems }: DirectoryObject): void {
  for (const name of UPPER_CASE) {
    const value = properties[name];
    if (typeof value === 'string') properties[name] = value.toUpperCase();
    else if (value !== undefined && value !== null) problems.note(`the property "${name}" is not a text`);
  }
  const { domainsid } = properties;
  // Without it, the store finds the environment by the domain name.
  if (typeof domainsid === 'string' && domainsid !== '' && !isSid(domainsid)) {
    delete properties.domainsid;
    problems.note('the property "domainsid" is not a SID; the domain is determined by its name');
  }
  for (const name of NOT_STORED) {
    if (Object.hasOwn(properties, name)) delete properties[name];
  }
}

function readContainer(object: DirectoryObject): void {
  object.addAspect('contained-by', object.enumerates('ContainedBy', Method.Container), () => {
    const container = object.principal('ContainedBy');
    return { edges: container === undefined ? [] : [edge(container, 'Contains', object.self)] };
  });
}

/** Objects in a domain, OU or container, as listed by formats before 6. */
export function readChildObjects(object: DirectoryObject): void {
  object.addAspect('child-objects', object.enumerates('ChildObjects', Method.Container), () => ({
    edges: object.principals('ChildObjects').map((child) => edge(object.self, 'Contains', child)),
  }));
}

/** Hashes by which an inherited entry of a child identifies its ancestor. */
export function readInheritanceHashes(object: DirectoryObject): void {
  const hashes = object.texts('InheritanceHashes') ?? [];
  if (hashes.length > 0) object.properties.inheritancehashes = hashes;
  else if (object.enumerates('InheritanceHashes', Method.Acl) === true)
    object.properties.inheritancehashes = null;
}
