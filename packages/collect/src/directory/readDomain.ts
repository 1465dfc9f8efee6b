/**
 * Reads a domain in two passes: objects that others refer to (`knownObjects.ts`), then each object (`secondPass.ts`). Memory grows only by
 * one byte per account, and by hosts and groups.
 */
import type { LdapClient } from '../ldap/ldapClient.ts';
import { type PolicyFiles, readPolicy } from '../sysvol/policyFiles.ts';
import type { PolicySettings } from '../sysvol/policySettings.ts';
import { DOMAIN_FILTER } from './attributes.ts';
import { type DomainFacts, readDomainFacts, readSchemaIds } from './domainFacts.ts';
import { ForestCatalog } from './forestCatalog.ts';
import { type KnownObjects, readKnownObjects } from './knownObjects.ts';
import { Writers } from './lastWrites.ts';
import { Memberships } from './memberships.ts';
import { type Note, Notes } from './notes.ts';
import type { Reading } from './records.ts';
import { type FileType, type PassOptions, SecondPass, type WriteRecord } from './secondPass.ts';

export interface ReadOptions extends PassOptions {
  /** Policy files; without them, SYSVOL is not read. */
  readonly policyFiles?: PolicyFiles;
  /** Signs in to a global catalog of the forest; called at the first principal of another domain. */
  readonly openCatalog?: () => Promise<LdapClient>;
  /** Whether to read what all domains of a forest share; default: yes. */
  readonly readsConfiguration?: boolean;
  /** Whether to read time, controller and number of the last writes. */
  readonly readsWrites?: boolean;
}

export interface DomainReport {
  readonly facts: DomainFacts;
  /** Number of objects read, by file. */
  readonly counts: Readonly<Partial<Record<FileType, number>>>;
  readonly notes: readonly Note[];
  /** Used by the next reading of changes. */
  readonly reading: Reading;
}

/** @throws Error with the remedy; records written before it must not be used */
export async function readDomain(
  client: LdapClient,
  write: WriteRecord,
  options: ReadOptions = {},
): Promise<DomainReport> {
  const { pageSize, policyFiles, onProgress = () => undefined } = options;
  const facts = await readDomainFacts(client);
  const schema = await readSchemaIds(client, facts);
  const known = await readKnownObjects(client, facts, {
    pageSize,
    onPage: (count) => onProgress(`first pass: ${count} objects`),
  });
  const notes = new Notes();
  const settings = new Map<string, PolicySettings>();
  if (policyFiles !== undefined)
    await readPolicies(policyFiles, known, { names: known.policies.keys(), settings, notes });
  const catalog = catalogOf(known, notes, options);
  for (const { members, rights } of settings.values()) {
    for (const group of Object.values(members)) await catalog.load(group);
    for (const holders of rights.values()) await catalog.load(holders);
  }
  const memberships = new Memberships(client, known);
  const readsSysvol = policyFiles !== undefined;
  const lists: Reading['lists'] = new Map();
  const reading: Reading = {
    client,
    known,
    schema,
    memberships,
    notes,
    lists,
    settings,
    readsSysvol,
    catalog,
    ...(options.readsWrites && { writers: Writers.of(client, facts.configuration) }),
  };
  const pass = new SecondPass(reading, write, options);
  try {
    await pass.read([{ base: facts.base, filter: DOMAIN_FILTER }], options.readsConfiguration ?? true);
  } finally {
    await catalog.close();
  }
  return { facts, counts: pass.counts, notes: notes.list(), reading };
}

export function catalogOf(
  known: KnownObjects,
  notes: Notes,
  { openCatalog }: Pick<ReadOptions, 'openCatalog'>,
): ForestCatalog {
  const open = openCatalog ?? (() => Promise.reject(new Error('no connection to it is configured')));
  return new ForestCatalog({ known, notes, open });
}

interface PolicyReading {
  /** Names of policies in lower case. */
  readonly names: Iterable<string>;
  readonly settings: Map<string, PolicySettings>;
  readonly notes: Notes;
}

/** Reads policy settings into `settings`. */
export async function readPolicies(
  files: PolicyFiles,
  { facts }: KnownObjects,
  { names, settings, notes }: PolicyReading,
): Promise<void> {
  for (const dn of names) {
    const folder = /^cn=(\{[0-9a-f-]{36}\}),/i.exec(dn)?.[1];
    if (folder === undefined) continue;
    try {
      settings.set(dn, await readPolicy(files, facts.domain.toLowerCase(), folder.toUpperCase()));
    } catch (error) {
      notes.add(`files of policies that are not readable: ${(error as Error).message}`, dn);
    }
  }
}
