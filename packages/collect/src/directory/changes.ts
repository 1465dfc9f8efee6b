/**
 * Changes of a domain since it was last read, by the change numbers of a controller (`uSNChanged`), which any account may read. Four kinds
 * of changes do not affect these numbers, and are read in addition: objects in a unit whose access list or name changed, settings from
 * policies, local groups of controllers, and deletions, which a sweep of all ids finds (MS-ADTS 3.1.1.1.9).
 */
import { createHash } from 'node:crypto';
import { ACCESS_LIST_PARTS, EXTENDED_NAMES } from '../ldap/controls.ts';
import type { LdapClient } from '../ldap/ldapClient.ts';
import type { Attributes } from '../ldap/messages.ts';
import { CONFIGURATION_FILTER, DOMAIN_FILTER, NAMED_ATTRIBUTES } from './attributes.ts';
import { type DomainFacts, readDomainFacts } from './domainFacts.ts';
import { extendedName, guidOf, texts } from './entryValues.ts';
import {
  type KnownObjects,
  readAdminHolder,
  readKnownSettings,
  rememberNamed,
  unlessDamaged,
} from './knownObjects.ts';
import { Writers } from './lastWrites.ts';
import { Memberships } from './memberships.ts';
import { type Note, Notes } from './notes.ts';
import { catalogOf, type DomainReport, type ReadOptions, readDomain, readPolicies } from './readDomain.ts';
import type { Reading } from './records.ts';
import { type FileType, type Part, SecondPass, type WriteRecord } from './secondPass.ts';
import { type Gone, TrackedObjects } from './trackedObjects.ts';

export interface ChangeReport {
  readonly facts: DomainFacts;
  /** Written records, by file; empty if nothing changed. */
  readonly counts: Readonly<Partial<Record<FileType, number>>>;
  readonly deleted: number;
  readonly notes: readonly Note[];
}

export interface ChangeOptions extends ReadOptions {
  /** Whether to look for deletions. */
  readonly sweeps: boolean;
}

/** Maximum share of missing objects; more indicate an account that lost access, which must not empty the graph. */
const MAX_GONE_SHARE = 0.1;
const FEW = 20;
/** Units, the domain with its trusts, and controllers, whose records depend on other objects. */
const STRUCTURE_FILTER =
  '(|(objectClass=organizationalUnit)(objectClass=domainDNS)(objectClass=trustedDomain)(userAccountControl:1.2.840.113556.1.4.803:=8192))';

/** A change that requires reading the whole domain again. */
export class FullReadingNeeded extends Error {
  override readonly name = 'FullReadingNeeded';
}

interface Container {
  readonly dn: string;
  readonly mark: string;
}

interface Mark {
  readonly usn: number;
  readonly invocationId: string;
}

/** The state between readings of a domain. A reading counts only after its records were uploaded (`commit`). */
export class DomainChanges {
  readonly #tracked = new TrackedObjects();
  #containers = new Map<string, Container>();
  #stagedContainers = new Map<string, Container>();
  #reading: Reading | undefined;
  #mark: Mark | undefined;
  #stagedMark: Mark | undefined;

  /** Whether a domain was read, so that changes can be requested. */
  get hasBegun(): boolean {
    return this.#mark !== undefined;
  }

  /** Whether policy settings were read. */
  get readsSysvol(): boolean {
    return this.#reading?.readsSysvol === true;
  }

  /** Reads the whole domain; all records are written. */
  async readAll(client: LdapClient, write: WriteRecord, options: ReadOptions): Promise<DomainReport> {
    const track: WriteRecord = async (file, record) => {
      this.#tracked.isNew(file, record);
      await write(file, record);
    };
    const report = await readDomain(client, track, {
      ...options,
      onContainer: (guid, dn, list) => this.#stagedContainers.set(guid, containerOf(dn, list)),
    });
    const { facts, reading } = report;
    this.#reading = reading;
    this.#stagedMark = { usn: facts.highestUsn, invocationId: facts.invocationId };
    return report;
  }

  /**
   * Writes the changed records, and those of deleted objects.
   * @throws FullReadingNeeded for another controller or a restored database, and if too many objects are missing
   */
  async readChanges(client: LdapClient, write: WriteRecord, options: ChangeOptions): Promise<ChangeReport> {
    const before = this.#reading;
    const mark = this.#mark;
    if (before === undefined || mark === undefined)
      throw new FullReadingNeeded('the domain has not been read yet');
    const facts = await readDomainFacts(client);
    if (facts.invocationId !== mark.invocationId || facts.sid !== before.known.facts.sid)
      throw new FullReadingNeeded('another domain controller, or another database of it, answers');
    if (facts.highestUsn < mark.usn)
      throw new FullReadingNeeded('the domain controller counts fewer changes than before: it was restored');
    const counts: Partial<Record<FileType, number>> = {};
    const put = async (file: FileType, record: Record<string, unknown>): Promise<void> => {
      counts[file] = (counts[file] ?? 0) + 1;
      await write(file, record);
    };
    const notes = new Notes();
    if (facts.highestUsn > mark.usn) {
      const found = await this.#find(client, before.known, mark.usn + 1);
      if (found.count > 0) await this.#readFound(found, { client, before, notes, put, options });
    }
    const gone = options.sweeps ? await this.#sweep(client, facts) : [];
    for (const { file, id } of gone) await put(file, { ObjectIdentifier: id, IsDeleted: true });
    this.#stagedMark = { usn: facts.highestUsn, invocationId: facts.invocationId };
    return { facts, counts, deleted: gone.length, notes: notes.list() };
  }

  commit(): void {
    this.#tracked.commit();
    for (const [guid, container] of this.#stagedContainers) this.#containers.set(guid, container);
    this.#stagedContainers.clear();
    this.#mark = this.#stagedMark ?? this.#mark;
  }

  rollback(): void {
    this.#tracked.rollback();
    this.#stagedContainers.clear();
    this.#stagedMark = undefined;
  }

  /** Finds objects with new change numbers, and their effects on others. Records that others need are updated at once. */
  async #find(client: LdapClient, known: KnownObjects, from: number): Promise<Found> {
    const { base, configuration } = known.facts;
    const filter = `(&(uSNChanged>=${from})${DOMAIN_FILTER})`;
    const found: Found = { count: 0, below: [], policies: [], changesConfiguration: false, filter };
    let changesGroups = false;
    const changed = {
      ...{ base, filter, attributes: [...NAMED_ATTRIBUTES, 'nTSecurityDescriptor'] },
      controls: [EXTENDED_NAMES, ACCESS_LIST_PARTS],
    };
    for await (const entry of client.search(changed)) {
      const { dn } = extendedName(entry.dn);
      const { attributes } = entry;
      found.count += 1;
      unlessDamaged(() => {
        rememberNamed(known, dn, attributes);
        if (this.#changesPlaces(dn, attributes)) found.below.push(dn);
      });
      const classes = texts(attributes, 'objectclass').map((name) => name.toLowerCase());
      if (classes.includes('group')) changesGroups = true;
      if (classes.includes('grouppolicycontainer')) found.policies.push(dn.toLowerCase());
    }
    const settings = {
      base: configuration,
      filter: `(&(uSNChanged>=${from})${CONFIGURATION_FILTER})`,
      attributes: ['cn'],
    };
    for await (const _ of client.search(settings)) found.changesConfiguration = true;
    if (found.changesConfiguration) {
      found.count += 1;
      await readKnownSettings(client, known);
    }
    // The change number of a group does not depend on its memberships.
    if (changesGroups) await readGroupsOfGroups(client, known);
    // Renaming a unit changes the names in it, but not their change numbers.
    for (const dn of found.below)
      for await (const entry of client.search({
        ...{ base: dn, filter: DOMAIN_FILTER, attributes: NAMED_ATTRIBUTES, controls: [EXTENDED_NAMES] },
      }))
        unlessDamaged(() => rememberNamed(known, extendedName(entry.dn).dn, entry.attributes));
    return found;
  }

  /** Whether names or access lists of objects in it changed, which their change numbers do not show. */
  #changesPlaces(dn: string, attributes: Attributes): boolean {
    const before = this.#containers.get(guidOf(attributes));
    if (before === undefined) return false;
    const now = containerOf(dn, attributes.get('ntsecuritydescriptor')?.[0]);
    return before.dn !== now.dn || before.mark !== now.mark;
  }

  async #readFound(found: Found, { client, before, notes, put, options }: Using): Promise<void> {
    const { known, schema, settings } = before;
    const { base, configuration } = known.facts;
    await readAdminHolder(client, known);
    if (options.policyFiles !== undefined)
      await readPolicies(options.policyFiles, known, { names: found.policies, settings, notes });
    const catalog = catalogOf(known, notes, options);
    const reading: Reading = {
      ...{ catalog, client, known, schema, notes, settings, readsSysvol: before.readsSysvol },
      ...{ lists: new Map(), memberships: new Memberships(client, known) },
      // Controllers may have been promoted or restored since the last reading.
      ...(before.writers !== undefined && { writers: Writers.of(client, configuration) }),
    };
    this.#reading = reading;
    const write: WriteRecord = async (file, record) => {
      if (this.#tracked.isNew(file, record)) await put(file, record);
    };
    const onContainer = (guid: string, dn: string, list: Buffer | undefined): void => {
      this.#stagedContainers.set(guid, containerOf(dn, list));
    };
    const pass = new SecondPass(reading, write, { ...options, onContainer }, { ofChanges: true });
    const parts: readonly Part[] = [
      { base, filter: found.filter },
      ...found.below.map((dn) => ({ base: dn, filter: DOMAIN_FILTER })),
      { base, filter: STRUCTURE_FILTER },
      { base: `CN=Builtin,${base}`, filter: '(objectClass=group)' },
    ];
    try {
      await pass.read(parts, found.changesConfiguration && (options.readsConfiguration ?? true));
    } finally {
      await catalog.close();
    }
  }

  /** @throws FullReadingNeeded if more objects are missing than a directory loses in an hour */
  async #sweep(client: LdapClient, { base, configuration }: DomainFacts): Promise<readonly Gone[]> {
    const guids = new Set<string>();
    for (const [place, filter] of [
      [base, DOMAIN_FILTER],
      [configuration, CONFIGURATION_FILTER],
    ])
      for await (const { attributes } of client.search({ base: place, filter, attributes: ['objectGUID'] }))
        unlessDamaged(() => guids.add(guidOf(attributes)));
    const gone = this.#tracked.gone(guids);
    if (gone.length > FEW && gone.length > this.#tracked.size * MAX_GONE_SHARE)
      throw new FullReadingNeeded(
        `${gone.length} of ${this.#tracked.size} objects are no longer visible: the account may have lost access, so none is treated as deleted`,
      );
    return gone;
  }
}

interface Found {
  count: number;
  /** Units to read with all their contents. */
  readonly below: string[];
  /** Names in lower case. */
  readonly policies: string[];
  changesConfiguration: boolean;
  readonly filter: string;
}

interface Using {
  readonly client: LdapClient;
  readonly before: Reading;
  readonly notes: Notes;
  readonly put: WriteRecord;
  readonly options: ChangeOptions;
}

const containerOf = (dn: string, list: Buffer | undefined): Container => ({
  dn,
  mark: list === undefined ? '' : createHash('sha1').update(list).digest('base64'),
});

async function readGroupsOfGroups(client: LdapClient, known: KnownObjects): Promise<void> {
  known.groupsOfGroups.clear();
  const nested = {
    ...{ base: known.facts.base, filter: '(&(objectClass=group)(memberOf=*))' },
    ...{ attributes: NAMED_ATTRIBUTES, controls: [EXTENDED_NAMES] },
  };
  for await (const { dn, attributes } of client.search(nested))
    unlessDamaged(() => rememberNamed(known, extendedName(dn).dn, attributes));
}
