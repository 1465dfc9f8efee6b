import { generate } from 'selfsigned';
import { expect, it } from 'vitest';
import { descriptorBytes, sidBytes } from '../../test/descriptors.ts';
import {
  entryMessage,
  type LdapRequest,
  openOverTls,
  searchDone,
  simulatedLdap,
} from '../../test/simulatedLdap.ts';
import { RIGHT } from '../descriptor/securityDescriptor.ts';
import { TAG } from '../ldap/messages.ts';
import { type DomainReport, readDomain } from './readDomain.ts';

type Values = Readonly<Record<string, readonly (string | Buffer)[]>>;

const DOMAIN = 'S-1-5-21-1-2-3';
const BASE = 'DC=lab,DC=test';
const CONFIGURATION = `CN=Configuration,${BASE}`;
const [ANN, BOB, TEAM] = [`${DOMAIN}-1101`, `${DOMAIN}-1102`, `${DOMAIN}-1103`];
const guid = (number: number): Buffer => Buffer.alloc(16, number);
const list = descriptorBytes('S-1-5-32-544', [{ sid: ANN, mask: RIGHT.all }]);
const user = (sid: string, number: number, more: Values = {}): Values => ({
  ...{ objectClass: ['top', 'user'], objectSid: [sidBytes(sid)], objectGUID: [guid(number)] },
  ...{
    sAMAccountType: ['805306368'],
    sAMAccountName: [`user${number}`],
    nTSecurityDescriptor: [list],
    ...more,
  },
});

const DIRECTORY: Readonly<Record<string, Values>> = {
  [BASE]: { objectClass: ['top', 'domainDNS'], objectSid: [sidBytes(DOMAIN)], nTSecurityDescriptor: [list] },
  [`CN=Ann,${BASE}`]: user(ANN, 1),
  [`CN=Bob,${BASE}`]: user(BOB, 2, { nTSecurityDescriptor: [Buffer.from('damaged')] }),
  [`CN=Hidden,${BASE}`]: user(`${DOMAIN}-1104`, 3, { nTSecurityDescriptor: [] }),
  [`CN=Damaged,${BASE}`]: user(`${DOMAIN}-1105`, 4, { objectSid: [Buffer.from('no SID')] }),
  [`CN=Old,${BASE}`]: user(`${DOMAIN}-1106`, 5, { sIDHistory: [Buffer.alloc(3)] }),
  [`CN=Team,${BASE}`]: {
    ...{ objectClass: ['top', 'group'], objectSid: [sidBytes(TEAM)], objectGUID: [guid(6)] },
    ...{ sAMAccountName: ['Team'], groupType: ['-2147483646'], nTSecurityDescriptor: [list] },
    member: [`<GUID=01010101-0101-0101-0101-010101010101>;<SID=${ANN}>;CN=Ann,${BASE}`, 'CN=Contact'],
  },
};

/** Answers like a directory whose filters match every object, and which returns more attributes than requested. */
function answer({ id, tag, body, send }: LdapRequest): void {
  if (tag !== TAG.search) return;
  const base = body.text();
  const scope = body.integer(0x0a);
  if (base === '') {
    send(
      entryMessage(id, '', {
        ...{ defaultNamingContext: [BASE], configurationNamingContext: [CONFIGURATION] },
        ...{ schemaNamingContext: [`CN=Schema,${CONFIGURATION}`], rootDomainNamingContext: [BASE] },
        ...{ dnsHostName: ['dc1.lab.test'], highestCommittedUSN: ['4711'] },
      }),
      searchDone(id),
    );
    return;
  }
  const entries = Object.entries(DIRECTORY).filter(([dn]) =>
    scope === 0 ? dn === base : base === BASE && scope === 2,
  );
  const known = entries.map(([dn, values]) =>
    entryMessage(id, dn, Object.fromEntries(Object.entries(values).filter(([, all]) => all.length > 0))),
  );
  send(...known, searchDone(id));
}

const pem = await generate([{ name: 'commonName', value: 'dc1.lab.test' }]);

interface Read {
  readonly report: DomainReport;
  readonly records: ReadonlyMap<string, Record<string, unknown>>;
}

async function read(): Promise<Read> {
  await using server = await simulatedLdap(answer, pem);
  const client = await openOverTls(server, pem);
  const records = new Map<string, Record<string, unknown>>();
  try {
    const report = await readDomain(client, async (_, record) => {
      records.set(String(record.ObjectIdentifier), record);
    });
    return { report, records };
  } finally {
    client.close();
  }
}

it('reads all readable objects, and notes the others with their number and first example', async () => {
  const { report, records } = await read();
  expect(report.facts).toMatchObject({
    domain: 'LAB.TEST',
    sid: DOMAIN,
    controller: 'dc1.lab.test',
    highestUsn: 4711,
  });
  expect(report.notes).toEqual([
    {
      what: 'access lists that are not readable: the bytes are not a security descriptor',
      ...{ count: 1, first: `CN=Bob,${BASE}` },
    },
    { what: 'access control lists that this account cannot read', count: 1, first: `CN=Hidden,${BASE}` },
    { what: 'objects that are not readable: a SID is cut off', count: 2, first: `CN=Damaged,${BASE}` },
    { what: 'members of groups without a SID (contacts)', count: 1, first: 'TEAM@LAB.TEST: CN=Contact' },
  ]);
  expect(records.get(ANN)).toMatchObject({
    Aces: [
      { PrincipalSID: 'LAB.TEST-S-1-5-32-544', RightName: 'Owns' },
      { PrincipalSID: ANN, RightName: 'GenericAll' },
    ],
    Properties: { name: 'USER1@LAB.TEST', domainsid: DOMAIN },
  });
  expect(records.get(BOB)).toMatchObject({ Aces: [] });
  expect(records.get(TEAM)).toMatchObject({ Members: [{ ObjectIdentifier: ANN, ObjectType: 'User' }] });
  expect(records.get('LAB.TEST-S-1-1-0')).toMatchObject({ Properties: { name: 'EVERYONE@LAB.TEST' } });
  expect(records.get(DOMAIN)).toMatchObject({ Trusts: [], Properties: { collected: true } });
});
