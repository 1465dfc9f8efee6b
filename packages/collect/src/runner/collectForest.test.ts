import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { descriptorBytes, sidBytes } from '../../test/descriptors.ts';
import { type ServedDirectory, SimulatedDirectory, type Values } from '../../test/simulatedDirectory.ts';
import {
  PASSWORD,
  REALM,
  SERVICE_KEY,
  type SimulatedKerberos,
  simulatedKerberos,
  USER,
} from '../../test/simulatedKerberos.ts';
import { DomainChanges } from '../directory/changes.ts';
import type { Controller } from '../signIn/signIn.ts';
import { collectAll, collectChanges } from './collectDomain.ts';
import { collectForest, type ForestRequest } from './collectForest.ts';

/** A chain of three domains: the account belongs to the first, and only the second trusts the third. */
const NAMES = [REALM, `SOUTH.${REALM}`, `DEEP.SOUTH.${REALM}`] as const;
const SIDS = ['S-1-5-21-1-2-10', 'S-1-5-21-1-2-20', 'S-1-5-21-1-2-30'] as const;
const BASES = NAMES.map((name) => `DC=${name.toLowerCase().split('.').join(',DC=')}`);
const HOSTS = NAMES.map((name) => `dc1.${name.toLowerCase()}`);
const list = descriptorBytes('S-1-5-32-544', [{ sid: `${SIDS[1]}-1101`, mask: 0xf01ff }]);

const account = (sid: string, name: string, more: Values = {}): Values => ({
  ...{ objectClass: ['top', 'user'], objectSid: [sidBytes(sid)], sAMAccountName: [name] },
  ...{ sAMAccountType: ['805306368'], nTSecurityDescriptor: [list], ...more },
});

let root: string;
let directories: readonly SimulatedDirectory[];
let servers: ServedDirectory[];
let kerberos: SimulatedKerberos[];
let request: ForestRequest;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'clew-forest-'));
  directories = NAMES.map((_, at) => new SimulatedDirectory(HOSTS[at], BASES[at], SIDS[at], BASES[0]));
  for (const [at, directory] of directories.entries()) {
    const [base, sid] = [BASES[at], SIDS[at]];
    directory.put(base, { nTSecurityDescriptor: [list] });
    directory.put(`CN=Ann,${base}`, account(`${sid}-1101`, 'ann'));
    directory.put(`CN=DC1,${base}`, {
      ...account(`${sid}-1000`, 'DC1$', { dNSHostName: [HOSTS[at]], userAccountControl: ['8192'] }),
      ...{ objectClass: ['top', 'user', 'computer'], sAMAccountType: ['805306369'], primaryGroupID: ['516'] },
    });
    addConfiguration(directory);
  }
  const south = `<SID=${SIDS[1]}-1101>;CN=Ann,${BASES[1]}`;
  directories[0].put(`CN=Team,${BASES[0]}`, {
    ...{ objectClass: ['top', 'group'], objectSid: [sidBytes(`${SIDS[0]}-1102`)], sAMAccountName: ['Team'] },
    ...{ nTSecurityDescriptor: [list], member: [south, `<SID=${SIDS[2]}-1000>;CN=DC1,${BASES[2]}`] },
  });
  for (const directory of directories)
    directory.shareCatalog(...directories.filter((one) => one !== directory));
  kerberos = [
    await simulatedKerberos({ trusts: [NAMES[1]] }),
    await simulatedKerberos({ trusts: [NAMES[2]], grantingKey: SERVICE_KEY }),
    await simulatedKerberos({ grantingKey: SERVICE_KEY }),
  ];
  servers = [];
  const controllers: Controller[] = [];
  for (const [at, directory] of directories.entries()) {
    const [plain, catalog] = [await directory.serveSealed(), await directory.serveSealed(true)];
    servers.push(plain, catalog);
    controllers.push({
      ...{ host: HOSTS[at], address: '127.0.0.1', port: plain.port, catalogPort: catalog.port },
      kerberosPort: kerberos[at].port,
    });
  }
  request = {
    ...{ controllers: [controllers[0]], directory: root, collector: 'clew test', encryption: 'sealed' },
    credentials: {
      kind: 'kerberos',
      account: { user: USER, realm: REALM, secret: { password: PASSWORD } },
    },
    controllersOf: new Map(NAMES.map((name, at) => [name, [controllers[at]]])),
  };
});
afterEach(async () => {
  for (const server of [...servers, ...kerberos]) await server[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

/** The configuration shared by all controllers. */
function addConfiguration(directory: SimulatedDirectory): void {
  const { configuration } = directory;
  for (const [at, name] of NAMES.entries()) {
    directory.put(`CN=${name},CN=Partitions,${configuration}`, {
      ...{ objectClass: ['top', 'crossRef'], nETBIOSName: [`N${at}`], systemFlags: ['3'] },
      nCName: [`<SID=${SIDS[at]}>;${BASES[at]}`],
    });
    directory.put(`CN=DC${at},CN=Servers,CN=Here,CN=Sites,${configuration}`, {
      ...{ objectClass: ['top', 'server'], dNSHostName: [HOSTS[at]] },
      ...{ serverReference: [`CN=DC1,${BASES[at]}`], nTSecurityDescriptor: [list] },
    });
  }
  directory.put(`CN=DNS,CN=Partitions,${configuration}`, {
    ...{ objectClass: ['top', 'crossRef'], systemFlags: ['5'], nCName: ['DC=DomainDnsZones'] },
  });
}

type Written = Record<string, unknown> & { readonly ObjectIdentifier: string };
const recordsOf = (domain: string, type: string): readonly Written[] =>
  JSON.parse(readFileSync(join(root, `clew_${domain.toLowerCase()}_${type}.json`), 'utf8')).data;
const recordOf = (domain: string, type: string, id: string): Written | undefined =>
  recordsOf(domain, type).find(({ ObjectIdentifier }) => ObjectIdentifier === id);

it('reads each domain from its own controller, with tickets along the trusts', async () => {
  const { domains, unread } = await collectForest(request);
  expect([domains.map(({ facts }) => facts.domain), unread]).toEqual([NAMES, []]);
  for (const [at, name] of NAMES.entries())
    expect(recordOf(name, 'users', `${SIDS[at]}-1101`)).toMatchObject({
      Properties: { name: `ANN@${name}` },
      DomainSID: SIDS[at],
    });
  expect(domains.map(({ facts }) => [facts.netbios, facts.forestSid])).toEqual(
    NAMES.map((_, at) => [`N${at}`, SIDS[0]]),
  );
  // The account signs in only to its own domain; others receive tickets.
  expect(kerberos[0].requests).toContain('proof');
  for (const other of kerberos.slice(1))
    expect(other.requests.filter((kind) => kind !== 'ticket')).toEqual([]);
});

it('finds kinds and names of members of other domains in the global catalog', async () => {
  const { domains } = await collectForest(request);
  expect(recordOf(REALM, 'groups', `${SIDS[0]}-1102`)?.Members).toEqual([
    { ObjectIdentifier: `${SIDS[1]}-1101`, ObjectType: 'User' },
    { ObjectIdentifier: `${SIDS[2]}-1000`, ObjectType: 'Computer' },
  ]);
  // Only its name: an empty list of rights would replace the one from its own domain.
  const named = recordOf(REALM, 'users', `${SIDS[1]}-1101`);
  expect(named).toMatchObject({ Properties: { name: `ANN@${NAMES[1]}`, domainsid: SIDS[1] } });
  expect(Object.keys(named ?? {})).toEqual(['ObjectIdentifier', 'Properties', 'IsDeleted']);
  expect(recordOf(REALM, 'users', `${SIDS[0]}-1101`)?.Aces).toContainEqual(
    expect.objectContaining({ PrincipalSID: `${SIDS[1]}-1101`, PrincipalType: 'User' }),
  );
  for (const name of NAMES) {
    const all = recordOf(name, 'groups', `${REALM}-S-1-5-9`)?.Members as readonly Written[];
    expect(all.map(({ ObjectIdentifier }) => ObjectIdentifier).sort()).toEqual(
      SIDS.map((sid) => `${sid}-1000`),
    );
  }
  expect(domains.flatMap(({ notes }) => notes).filter(({ what }) => what.includes('catalog'))).toEqual([]);
  // The configuration, which all domains share, is read once.
  expect(readdirSync(root).filter((name) => name.includes('siteservers'))).toEqual([
    `clew_${REALM.toLowerCase()}_siteservers.json`,
  ]);
});

it('refuses controllers of a domain that the forest lacks, with its name', async () => {
  const [controller] = request.controllers;
  const controllersOf = new Map(request.controllersOf).set('SUOTH.TEST', [controller]);
  await expect(collectForest({ ...request, controllersOf })).rejects.toThrow(
    `the forest has no domain SUOTH.TEST (--domain-host): its domains are ${NAMES.join(', ')}`,
  );
  expect(readdirSync(root)).toEqual([]);
});

it('reads hosts from the configuration, in the order of DNS, and ignores hosts that only DNS names', async () => {
  const asked: string[] = [];
  const hostsOf = async (domain: string): Promise<readonly string[]> => {
    asked.push(domain);
    return ['dc.elsewhere.test', HOSTS[1]];
  };
  const { domains, unread } = await collectForest({ ...request, controllersOf: undefined, hostsOf });
  expect(asked).toEqual(NAMES.slice(1));
  expect(domains).toHaveLength(1);
  expect(unread.map(({ domain }) => domain)).toEqual(NAMES.slice(1));
  for (const { reason } of unread) expect(reason).not.toContain('elsewhere');
  expect(unread[0].reason).toContain(HOSTS[1]);
});

it('notes that no global catalog answers, and still reads the domain', async () => {
  const [first] = request.controllers;
  const { domains } = await collectForest({
    ...request,
    controllers: [{ ...first, catalogPort: 1 }],
    controllersOf: new Map(),
  });
  expect(domains[0].notes).toContainEqual({
    what: expect.stringContaining('the global catalog does not respond: members of other domains'),
    ...{ count: 1, first: expect.stringContaining('no service is listening there') },
  });
  expect(recordOf(REALM, 'groups', `${SIDS[0]}-1102`)?.Members).toContainEqual({
    ...{ ObjectIdentifier: `${SIDS[1]}-1101`, ObjectType: 'Base' },
  });
  // A list of its own controllers would replace that of the whole forest.
  const controllers = recordOf(REALM, 'groups', `${REALM}-S-1-5-9`);
  expect(controllers).toMatchObject({ Properties: { name: `ENTERPRISE DOMAIN CONTROLLERS@${REALM}` } });
  expect(Object.keys(controllers ?? {})).not.toContain('Members');
  expect(domains[0].notes.map(({ what }) => what)).toContainEqual(
    expect.stringContaining('members of Enterprise Domain Controllers are omitted'),
  );
});

it('requests controllers from the catalog only in full readings', async () => {
  const changes = new DomainChanges();
  const [first] = directories;
  const asksForControllers = () =>
    first.catalogFilters.filter((filter) => /useraccountcontrol/i.test(filter));
  await collectAll(request, changes);
  changes.commit();
  // The query uses an index.
  expect(asksForControllers()).toEqual([expect.stringMatching(/primaryGroupID/i)]);
  first.put(`CN=Team,${BASES[0]}`, { description: ['since then'] });
  const { counts } = await collectChanges({ ...request, sweeps: false }, changes);
  changes.commit();
  expect([counts, asksForControllers().length]).toEqual([{ groups: 1 }, 1]);
  // A new controller is added to the list of the forest.
  first.put(`CN=DC2,${BASES[0]}`, {
    ...account(`${SIDS[0]}-1200`, 'DC2$', { userAccountControl: ['8192'], primaryGroupID: ['516'] }),
    ...{ objectClass: ['top', 'user', 'computer'], sAMAccountType: ['805306369'] },
  });
  await collectChanges({ ...request, sweeps: false, label: REALM.toLowerCase() }, changes);
  const all = recordOf(REALM, 'groups', `${REALM}-S-1-5-9`)?.Members as readonly Written[];
  expect(all.map(({ ObjectIdentifier }) => ObjectIdentifier).sort()).toEqual(
    [...SIDS.map((sid) => `${sid}-1000`), `${SIDS[0]}-1200`].sort(),
  );
});

it('reopens a lost connection to the global catalog', async () => {
  const searches = new Set<number>();
  directories[0].catalogLoses = (search) => {
    searches.add(search);
    return search % 2 === 1;
  };
  const { domains } = await collectForest({ ...request, controllersOf: new Map() });
  expect(searches.size).toBeGreaterThan(3);
  expect(domains[0].notes.filter(({ what }) => what.includes('catalog'))).toEqual([]);
  expect(recordOf(REALM, 'groups', `${SIDS[0]}-1102`)?.Members).toContainEqual({
    ...{ ObjectIdentifier: `${SIDS[1]}-1101`, ObjectType: 'User' },
  });
});

it('continues without a global catalog that is lost twice in a row', async () => {
  directories[0].catalogLoses = () => true;
  const { domains } = await collectForest({ ...request, controllersOf: new Map() });
  expect(domains[0].notes).toContainEqual({
    what: expect.stringContaining('the global catalog does not respond: members of other domains'),
    ...{ count: 1, first: expect.stringContaining('closed the connection') },
  });
  expect(recordOf(REALM, 'users', `${SIDS[0]}-1101`)).toMatchObject({ Properties: { name: `ANN@${REALM}` } });
});

it('tries no further domain after a refused sign-in', async () => {
  await kerberos[1][Symbol.asyncDispose]();
  kerberos[1] = await simulatedKerberos({ ticketError: 12 });
  const [controller] = request.controllersOf?.get(NAMES[1]) ?? [];
  const controllersOf = new Map(request.controllersOf).set(NAMES[1], [
    { ...controller, kerberosPort: kerberos[1].port },
  ]);
  const { unread } = await collectForest({ ...request, controllersOf });
  expect(unread).toEqual([
    { domain: NAMES[1], reason: expect.stringContaining('cannot sign in now or from this host') },
    { domain: NAMES[2], reason: 'not tried after a refused sign-in' },
  ]);
});
