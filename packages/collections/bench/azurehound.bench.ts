/**
 * Measures the AzureHound reader on the main contents of large tenants: users, devices and group members. At scale `large` the file has 5
 * GB, and memory must stay constant.
 */
import { type LongFile, type Measurement, measureLongFile } from './longFile.ts';

const BYTES = { small: 200e6, large: 5e9 } as const;
const TENANT = '6c12b0b0-b2cc-4a73-8252-0b94bfca2145';
const USERS = 1000;
const GROUPS = 100;
const MEMBERS = 50;

export default {
  name: 'collections: AzureHound reader',
  async run({ scale }: { readonly scale: keyof typeof BYTES }): Promise<Measurement[]> {
    return [await measureLongFile(tenantFile(), BYTES[scale])];
  },
};

function tenantFile(): LongFile {
  const objects = [
    ...Array.from({ length: USERS }, (_, n) => userItem(n)),
    ...Array.from({ length: USERS }, (_, n) => deviceItem(n)),
    ...Array.from({ length: GROUPS }, (_, n) => membersItem(n)),
  ];
  return {
    name: 'users, devices and members of groups',
    before: '{"data":[',
    block: Buffer.from(objects.map((object) => JSON.stringify(object)).join(',')),
    objects: objects.length,
    // The tenant contains users and devices.
    edges: 2 * USERS + GROUPS * MEMBERS,
    after: '],"meta":{"type":"azure","version":5,"count":0}}',
  };
}

const idOf = (type: number, n: number): string =>
  `0000000${type}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

function userItem(n: number): object {
  return {
    kind: 'AZUser',
    data: {
      id: idOf(1, n),
      accountEnabled: true,
      createdDateTime: '2023-02-11T10:00:00Z',
      displayName: `User ${n}`,
      jobTitle: 'Engineer',
      lastPasswordChangeDateTime: '2024-02-11T10:00:00Z',
      mail: `user${n}@contoso.example`,
      onPremisesSecurityIdentifier: `S-1-5-21-1-2-3-${1100 + n}`,
      onPremisesSyncEnabled: true,
      userPrincipalName: `user${n}@contoso.example`,
      userType: 'Member',
      tenantId: TENANT,
      tenantName: 'CONTOSO',
    },
  };
}

function deviceItem(n: number): object {
  return {
    kind: 'AZDevice',
    data: {
      id: idOf(2, n),
      displayName: `DESKTOP-${n}`,
      operatingSystem: 'Windows',
      deviceId: idOf(3, n),
      operatingSystemVersion: '10.0.22631',
      trustType: 'AzureAd',
      mdmAppId: idOf(4, 0),
      tenantId: TENANT,
      tenantName: 'CONTOSO',
    },
  };
}

function membersItem(n: number): object {
  const groupId = idOf(5, n);
  const members = Array.from({ length: MEMBERS }, (_, at) => ({
    member: {
      '@odata.type': '#microsoft.graph.user',
      id: idOf(1, (n * MEMBERS + at) % USERS),
      displayName: `User ${at}`,
    },
    groupId,
  }));
  return { kind: 'AZGroupMember', data: { groupId, members } };
}
