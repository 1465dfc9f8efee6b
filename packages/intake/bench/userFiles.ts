/**
 * A SharpHound file of users with ten edges each (eight access entries, primary group, container), about 2 kB an
 * object, made while it is read: its size costs no memory.
 */

const DOMAIN = 'S-1-5-21-1004336348-1177238915-682003330';
const RIGHTS = [
  'GenericAll',
  'WriteDacl',
  'WriteOwner',
  'Owns',
  'AllExtendedRights',
  'GenericWrite',
  'AddKeyCredentialLink',
  'ForceChangePassword',
];
const GROUPS = 500;
const CHUNK_OBJECTS = 200;
export const EDGES_OF_USER = 10;

export interface UserFileOptions {
  readonly users: number;
  /** Makes the file another one although it says the same. */
  readonly run: number;
  /** Every so many users, one has another entry in this run; none when absent. */
  readonly changedEvery?: number;
}

export function* userFile({ users, run, changedEvery }: UserFileOptions): Generator<Buffer> {
  yield Buffer.from(
    `{"meta":{"methods":521215,"type":"users","count":${users},"version":6,"run":${run}},"data":[`,
  );
  for (let first = 0; first < users; first += CHUNK_OBJECTS) {
    const texts: string[] = [];
    for (let user = first; user < Math.min(users, first + CHUNK_OBJECTS); user++) {
      texts.push(userText(user, changedEvery !== undefined && user % changedEvery === 0 ? run : 0));
    }
    yield Buffer.from(`${first === 0 ? '' : ','}${texts.join()}`);
  }
  yield Buffer.from(']}');
}

function userText(user: number, change: number): string {
  const id = `${DOMAIN}-${10_000 + user}`;
  const name = `PERSON${user}`;
  const aces = RIGHTS.map((RightName, at) => ({
    PrincipalSID: `${DOMAIN}-${1000 + ((user * 31 + at * 7 + change) % GROUPS)}`,
    PrincipalType: 'Group',
    RightName,
    IsInherited: at % 2 === 0,
  }));
  return JSON.stringify({
    ObjectIdentifier: id,
    Properties: propertiesOf(user, name),
    Aces: aces,
    PrimaryGroupSID: `${DOMAIN}-513`,
    ContainedBy: { ObjectIdentifier: containerOf(user), ObjectType: 'OU' },
    AllowedToDelegate: [],
    SPNTargets: [],
    HasSIDHistory: [],
    IsDeleted: false,
    IsACLProtected: false,
  });
}

function containerOf(user: number): string {
  return `0E3A5C8B-7D21-4F6A-9B3C-${String(user % 97).padStart(12, '0')}`;
}

function propertiesOf(user: number, name: string): object {
  return {
    domain: 'CORP.EXAMPLE',
    name: `${name}@CORP.EXAMPLE`,
    distinguishedname: `CN=${name},OU=PEOPLE,DC=CORP,DC=EXAMPLE`,
    domainsid: DOMAIN,
    samaccountname: name.toLowerCase(),
    isaclprotected: false,
    description: null,
    whencreated: 1_500_000_000 + user,
    sensitive: false,
    dontreqpreauth: false,
    passwordnotreqd: false,
    unconstraineddelegation: false,
    pwdneverexpires: user % 7 === 0,
    enabled: user % 11 !== 0,
    trustedtoauth: false,
    lastlogon: 0,
    lastlogontimestamp: -1,
    pwdlastset: 1_600_000_000 + user,
    serviceprincipalnames: [],
    hasspn: false,
    displayname: `Person ${user}`,
    email: `${name.toLowerCase()}@corp.example`,
    title: 'Engineer',
    homedirectory: null,
    admincount: false,
    sidhistory: [],
  };
}
