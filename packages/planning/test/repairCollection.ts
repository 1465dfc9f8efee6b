/**
 * Applies repairs to the records of the collector as an administrator would to the directory: a collection that is changed here,
 * read and analyzed again shows whether the plan was right. Changes that the records cannot express fail.
 */

import { type AttackGraph, addTo, objectIdOf } from '@clew/graph';
import { EdgeKind, edgeKindById } from '@clew/model';
import { type CollectionFile, fileText } from '@clew/synthetic';
import type { Repair } from '../src/repairs/repair.ts';
import { removeFromTenant, writeInTenant } from './azureRepairs.ts';

// biome-ignore lint/suspicious/noExplicitAny: files are edited as an administrator would, without their types.
type Json = any;

/** A file of a collection, as JSON: `data` contains the records. */
export interface EditableFile {
  readonly type: string;
  readonly records: Json[];
}

export const editableFile = (file: CollectionFile): EditableFile => ({
  type: file.type,
  records: JSON.parse([...fileText(file)].join('')).data,
});

interface Edge {
  readonly start: string;
  readonly kind: string;
  readonly end: string;
  /** The container to which an administrator moves the object of `Contains`; by default one that no policy or right reaches. */
  readonly target?: string;
}

/** A change in terms of a collection: object ids in upper case, kinds as collected. */
export interface RecordChange {
  readonly removed: readonly Edge[];
  readonly properties: readonly {
    readonly objectId: string;
    readonly key: string;
    readonly value: unknown;
  }[];
}

export function recordChangeOf(graph: AttackGraph, changes: readonly Repair['change'][]): RecordChange {
  return {
    removed: changes.flatMap(({ removed }) =>
      removed.map(({ start, kind, end }) => ({
        start: objectIdOf(graph, start),
        kind: edgeKindById(kind)?.name ?? String(kind),
        end: objectIdOf(graph, end),
      })),
    ),
    properties: changes.flatMap(({ properties }) =>
      properties.map(({ node, key, value }) => ({ objectId: objectIdOf(graph, node), key, value })),
    ),
  };
}

interface Ref {
  readonly object_id: string;
}

/** A change in `changes.json` of a kit. */
export interface DeclaredChange {
  readonly removed: readonly { readonly source: Ref; readonly relation: string; readonly target: Ref }[];
  readonly values: readonly { readonly object: Ref; readonly property: string; readonly wanted: unknown }[];
  readonly engine: string | null;
}

/** Id of the container to which an administrator moves objects: without policies, and without rights of others. */
const MOVED_TO = '0C1E0000-0000-4000-8000-000000000000';

/**
 * Makes the declared changes of kits in place, once each as an administrator would.
 * @throws Error for changes that files cannot express
 */
export function makeDeclared(files: readonly EditableFile[], declared: readonly DeclaredChange[]): void {
  const change = declaredRecordChange(declared);
  const moved = change.removed.find(({ target }) => target !== undefined);
  if (moved !== undefined) addContainer(files, moved.end);
  changeRecords(files, change);
}

/** Two changes may remove the same relationship, which exists once. */
function declaredRecordChange(declared: readonly DeclaredChange[]): RecordChange {
  const removed = new Map(
    declared.flatMap((change) =>
      change.removed.map(({ source, relation: kind, target }) => {
        const edge = { start: source.object_id, kind, end: target.object_id };
        return [textOf(edge), { ...edge, ...(change.engine === 'Move' && { target: MOVED_TO }) }];
      }),
    ),
  );
  return {
    removed: [...removed.values()],
    properties: declared.flatMap(({ values }) =>
      values.map(({ object, property: key, wanted: value }) => ({
        ...{ objectId: object.object_id, key, value },
      })),
    ),
  };
}

/** Adds an organizational unit below the domain of the object with this id. */
function addContainer(files: readonly EditableFile[], id: string): void {
  const record = files.flatMap(({ records }) => records).find((one) => idOf(one.ObjectIdentifier) === id);
  const { domain, domainsid } = record.Properties;
  files
    .find(({ type }) => type === 'ous')
    ?.records.push({
      ObjectIdentifier: MOVED_TO,
      Properties: { domain, domainsid, name: `MOVED@${domain}`, blocksinheritance: true },
      ContainedBy: { ObjectIdentifier: domainsid, ObjectType: 'Domain' },
      ...{ Aces: [], Links: [], ChildObjects: [], IsDeleted: false, IsACLProtected: true },
    });
}

/** Changes the records in place. @throws Error for values that the records lack, or cannot express */
export function changeRecords(files: readonly EditableFile[], { removed, properties }: RecordChange): void {
  const records = new RecordIndex(files);
  const tenants = files.filter(({ type }) => type === 'azure');
  for (const property of properties) {
    const { objectId, key, value } = property;
    if (tenants.some((tenant) => writeInTenant(property, tenant.records))) continue;
    const write = PROPERTY_PLACES[key];
    for (const record of records.all(objectId)) {
      if (write !== undefined) write(record, value);
      else if (record.Properties !== undefined) record.Properties[key] = value;
    }
  }
  const policies = new PolicyMembers(files);
  for (const edge of removed) {
    const count = inTenants(edge, tenants) ?? removalOf(edge.kind)(edge, records) + policies.take(edge);
    if (count === 0) throw new Error(`the collection does not have ${textOf(edge)}`);
  }
  policies.finish();
}

/** @returns the number of occurrences of the relation in tenants; undefined for relations of domains */
function inTenants(edge: Edge, tenants: readonly EditableFile[]): number | undefined {
  const counts = tenants.map(({ records }) => removeFromTenant(edge, records));
  return counts.reduce((total, count) => (count === undefined ? total : (total ?? 0) + count), undefined);
}

const textOf = ({ start, kind, end }: Edge): string => `${kind} from ${start} to ${end}`;

const idOf = (value: unknown): string => (typeof value === 'string' ? value.toUpperCase() : '');

/** An object may have several records, so each record with its id is changed. */
class RecordIndex {
  readonly #byId = new Map<string, Json[]>();
  readonly byType = new Map<string, Json[]>();

  constructor(files: readonly EditableFile[]) {
    for (const { type, records } of files) {
      this.byType.set(type, [...(this.byType.get(type) ?? []), ...records]);
      for (const record of records) {
        const id = idOf(record.ObjectIdentifier);
        addTo(this.#byId, id, record);
      }
    }
  }

  /** @throws Error for an object without a record */
  all(id: string): readonly Json[] {
    const found = this.#byId.get(id);
    if (found === undefined) throw new Error(`the collection does not describe ${id}`);
    return found;
  }

  ofType(type: string): readonly Json[] {
    return this.byType.get(type) ?? [];
  }
}

/** @returns the number of occurrences of the relation */
type Removal = (edge: Edge, records: RecordIndex) => number;

/** Removes matching entries from a list. @returns their number */
function drop(owner: Json, list: string, fits: (entry: Json) => boolean): number {
  const entries: Json[] | undefined | null = owner?.[list];
  if (entries === undefined || entries === null) return 0;
  owner[list] = entries.filter((entry) => !fits(entry));
  return entries.length - owner[list].length;
}

const named =
  (id: string) =>
  (entry: Json): boolean =>
    idOf(entry?.ObjectIdentifier) === id;

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** A list in the record of one end contains the other end. */
const inList =
  (list: string, at: 'start' | 'end'): Removal =>
  (edge, records) => {
    const other = at === 'start' ? edge.end : edge.start;
    return sum(records.all(edge[at]).map((record) => drop(record, list, named(other))));
  };

const removeMember: Removal = ({ start, end }, records) => {
  if (records.all(end).some(({ PrimaryGroupSID }) => idOf(PrimaryGroupSID) === start))
    throw new Error(`${end} cannot be taken out of its primary group ${start}`);
  return sum(records.all(end).map((group) => drop(group, 'Members', named(start))));
};

/** Domain controllers share their local groups. */
const removeLocalMember: Removal = ({ start, end }, records) =>
  sum(
    records.ofType('computers').flatMap(({ LocalGroups = [] }) =>
      // Older formats lack these groups.
      (Array.isArray(LocalGroups) ? LocalGroups : [])
        .filter(named(end))
        .map((group: Json) => drop(group, 'Results', named(start))),
    ),
  );

const removeLogonRight: Removal = ({ start, end }, records) =>
  sum(
    records
      .all(end)
      .flatMap(({ UserRights = [] }) => UserRights)
      .filter(({ Privilege }: Json) => Privilege === 'SeRemoteInteractiveLogonRight')
      .map((right: Json) => drop(right, 'Results', named(start))),
  );

const SESSION_LISTS = ['Sessions', 'PrivilegedSessions', 'RegistrySessions'];

const endSessions: Removal = ({ start, end }, records) => {
  const isOne = ({ UserSID, ComputerSID }: Json): boolean =>
    idOf(UserSID) === end && (ComputerSID === undefined || idOf(ComputerSID) === start);
  const inside = records
    .all(start)
    .flatMap((computer) => SESSION_LISTS.map((list) => drop(computer[list], 'Results', isOne)));
  const ofTheirOwn = records.ofType('sessions').filter(isOne);
  for (const session of ofTheirOwn) session.UserSID = '';
  return sum(inside) + ofTheirOwn.length;
};

const removeRight: Removal = ({ start, kind, end }, records) => {
  // The rights of an owner are derived from other entries of the list; the collected entry has one name.
  const right = kind.replace(/^(Owns|WriteOwner)(Raw|LimitedRights)$/, '$1');
  const isOne = ({ PrincipalSID, RightName }: Json): boolean =>
    idOf(PrincipalSID) === start && (RightName === right || RightName === kind);
  return sum(
    records
      .all(end)
      .map((record) => drop(record, 'Aces', isOne) + drop(record.CARegistryData?.CASecurity, 'Data', isOne)),
  );
};

const unlink: Removal = ({ start, end }, records) =>
  sum(records.all(end).map((place) => drop(place, 'Links', ({ GUID }: Json) => idOf(GUID) === start)));

const moveOut: Removal = ({ start, end, target }, records) => {
  const listed = records.all(start).map((container) => drop(container, 'ChildObjects', named(end)));
  const stated = records.all(end).filter(({ ContainedBy }) => named(start)(ContainedBy));
  const container = target === undefined ? null : { ObjectIdentifier: target, ObjectType: 'OU' };
  if (target !== undefined) records.all(target);
  for (const record of stated) record.ContainedBy = container;
  return sum(listed) + stated.length;
};

const endDelegation: Removal = ({ start }, records) => {
  const all = records.all(start);
  for (const record of all) record.Properties.unconstraineddelegation = false;
  return all.length;
};

/** Bits of MS-ADTS 6.1.6.7.9, which readers use if present. */
const QUARANTINED_DOMAIN = 0x4;
const ENABLE_TGT_DELEGATION = 0x800;

/** @throws Error for attributes that are not a number */
function bitsOf({ TrustAttributes }: Json): number {
  const bits = Number(TrustAttributes ?? 0);
  if (!Number.isInteger(bits))
    throw new Error(`the attributes of a trust are ${TrustAttributes}, not a number`);
  return bits;
}

/** @param owner the end whose record contains the trust */
const changeTrust =
  (owner: 'start' | 'end', change: (trust: Json) => void): Removal =>
  (edge, records) => {
    const partner = owner === 'start' ? edge.end : edge.start;
    const trusts = records
      .all(edge[owner])
      .flatMap(({ Trusts = [] }) => Trusts)
      .filter(({ TargetDomainSid }: Json) => idOf(TargetDomainSid) === partner);
    for (const trust of trusts) change(trust);
    return trusts.length;
  };

const endAgents: Removal = ({ start, end }, records) =>
  sum(
    records.ofType('enterprisecas').map((authority) => {
      const restrictions = authority.CARegistryData?.EnrollmentAgentRestrictions;
      const ofAgent = ({ Agent }: Json): boolean => named(start)(Agent);
      if (restrictions?.Restrictions?.some((one: Json) => ofAgent(one) && one.AllTemplates === true))
        throw new Error(`${start} is an enrollment agent for all templates, not for ${end} alone`);
      return drop(restrictions, 'Restrictions', (one) => ofAgent(one) && named(end)(one.Template));
    }),
  );

const REMOVALS: Readonly<Record<string, Removal>> = {
  MemberOf: removeMember,
  MemberOfLocalGroup: removeLocalMember,
  RemoteInteractiveLogonRight: removeLogonRight,
  HasSession: endSessions,
  PublishedTo: inList('EnabledCertTemplates', 'end'),
  AllowedToDelegate: inList('AllowedToDelegate', 'start'),
  AllowedToAct: inList('AllowedToAct', 'end'),
  HasSIDHistory: inList('HasSIDHistory', 'start'),
  DumpSMSAPassword: inList('DumpSMSAPassword', 'start'),
  CoerceToTGT: endDelegation,
  GPLink: unlink,
  Contains: moveOut,
  DelegatedEnrollmentAgent: endAgents,
  SQLAdmin: ({ start, end }, records) =>
    sum(
      records
        .all(start)
        .map((user) => drop(user, 'SPNTargets', ({ ComputerSID }: Json) => idOf(ComputerSID) === end)),
    ),
  SpoofSIDHistory: changeTrust('end', (trust) => {
    trust.SidFilteringEnabled = true;
    trust.TrustAttributes = bitsOf(trust) | QUARANTINED_DOMAIN;
  }),
  AbuseTGTDelegation: changeTrust('end', (trust) => {
    trust.TGTDelegationEnabled = false;
    trust.TrustAttributes = bitsOf(trust) & ~ENABLE_TGT_DELEGATION;
  }),
};

function removalOf(kind: string): Removal {
  const known = REMOVALS[kind];
  if (known !== undefined) return known;
  const name = kind.replace(/Raw$/, '');
  if (Object.hasOwn(EdgeKind, name) && edgeKindById(EdgeKind[name as keyof typeof EdgeKind])?.acl === true)
    return removeRight;
  throw new Error(`no record of a collection says ${kind}`);
}

const POLICY_LISTS: Readonly<Record<string, string>> = {
  LocalAdmins: '544',
  RemoteDesktopUsers: '555',
  DcomUsers: '562',
  PSRemoteUsers: '580',
};

/** A policy adds a member to a group of all computers below its unit, so it is removed from all of them or from none. */
class PolicyMembers {
  readonly #lists: {
    readonly changes: Json;
    readonly list: string;
    readonly computers: readonly string[];
  }[] = [];
  /** Computers from which a member of a list is removed. */
  readonly #taken = new Map<string, { changes: Json; list: string; member: string; left: Set<string> }>();

  constructor(files: readonly EditableFile[]) {
    for (const { GPOChanges: changes } of files.flatMap(({ records }) => records)) {
      if (changes === undefined || changes === null) continue;
      const computers = (changes.AffectedComputers ?? []).map((one: Json) => idOf(one.ObjectIdentifier));
      for (const list of Object.keys(POLICY_LISTS))
        if ((changes[list] ?? []).length > 0) this.#lists.push({ changes, list, computers });
    }
  }

  /** @returns the number of policies that add it */
  take({ start: member, kind, end: group }: Edge): number {
    if (kind !== 'MemberOfLocalGroup') return 0;
    let count = 0;
    for (const [at, { changes, list, computers }] of this.#lists.entries()) {
      const computer = computers.find((id) => group === `${id}-${POLICY_LISTS[list]}`);
      if (computer === undefined || !changes[list].some(named(member))) continue;
      const key = `${at} ${member}`;
      const taken = this.#taken.get(key) ?? { changes, list, member, left: new Set(computers) };
      taken.left.delete(computer);
      this.#taken.set(key, taken);
      count++;
    }
    return count;
  }

  /** @throws Error if a member would have to stay on some of the computers */
  finish(): void {
    for (const { changes, list, member, left } of this.#taken.values()) {
      if (left.size > 0)
        throw new Error(`a policy makes ${member} one of ${list} of ${[...left].join(', ')} as well`);
      drop(changes, list, named(member));
    }
  }
}

/** Where collectors store values that the service keeps as properties. */
const PROPERTY_PLACES: Readonly<Record<string, (record: Json, value: Json) => void>> = {
  hasvulnerableendpoint: (record) => {
    record.HttpEnrollmentEndpoints = (record.HttpEnrollmentEndpoints ?? []).map((endpoint: Json) => ({
      ...endpoint,
      Result: { ...endpoint.Result, ADCSWebEnrollmentHTTP: false, ADCSWebEnrollmentEPA: true },
    }));
  },
  isuserspecifiessanenabled: (record, value) => {
    record.CARegistryData.IsUserSpecifiesSanEnabled.Value = value;
  },
  strongcertificatebindingenforcementraw: (record, value) => {
    record.DCRegistryData.StrongCertificateBindingEnforcement.Value = value;
  },
  certificatemappingmethodsraw: (record, value) => {
    record.DCRegistryData.CertificateMappingMethods.Value = value;
  },
  smbsigning: (record, value) => {
    record.SmbInfo.Result.SigningEnabled = value;
  },
};
