/**
 * Users of a domain: built-in accounts, people, administrators of three tiers, service and managed accounts, and
 * accounts of former people.
 */
import type { Tier } from './dialects/dialect.ts';
import { dialectOf } from './dialects/index.ts';
import { applicationName } from './names.ts';
import { mailName, type Person, personName } from './people.ts';
import { containedBy, DISABLED_USERS, type Place, placeOfPerson } from './places.ts';
import {
  type Block,
  blockId,
  blockPrincipal,
  type DomainPlan,
  hostName,
  orphanedKeyId,
  prefixedId,
  relativeId,
  replicatesPasswords,
  SPECIAL_ACCOUNTS,
  SYNCHRONIZATION_HOST,
} from './plan.ts';
import { below, digestOf, heavyTail, type Stream } from './random.ts';
import { ace, type CollectedObject, computer, type Principal } from './records.ts';
import type { DomainWorld } from './world.ts';

const DAY_SECONDS = 86_400;

interface Account {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly place: Place;
  /** Protected by AdminSDHolder. */
  readonly isProtected?: boolean;
  readonly primaryGroup?: number;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly spnTargets?: readonly object[];
  readonly allowedToDelegate?: readonly Principal[];
  /** Principals that may read the password of a group managed account. */
  readonly passwordReaders?: readonly Principal[];
}

/** The properties that are the same for most accounts; properties of the account take precedence. */
function baseProperties(world: DomainWorld, account: Account): Record<string, unknown> {
  const { plan } = world;
  const isProtected = account.isProtected ?? false;
  return {
    domain: plan.name,
    name: `${account.name}@${plan.name}`,
    distinguishedname: `CN=${account.name.replace('$', '')},${account.place.distinguishedName}`,
    domainsid: plan.sid,
    samaccountname: account.account,
    isaclprotected: isProtected,
    description: null,
    whencreated: plan.collectedAt - 900 * DAY_SECONDS,
    ...{ sensitive: false, dontreqpreauth: false, passwordnotreqd: false, unconstraineddelegation: false },
    ...{ pwdneverexpires: false, enabled: true, trustedtoauth: false, smartcardrequired: false },
    ...{ encryptedtextpwdallowed: false, usedeskeyonly: false, logonscriptenabled: false },
    ...{
      lastlogon: plan.collectedAt - 2 * DAY_SECONDS,
      lastlogontimestamp: plan.collectedAt - 5 * DAY_SECONDS,
    },
    pwdlastset: plan.collectedAt - 60 * DAY_SECONDS,
    ...{ serviceprincipalnames: [], hasspn: false, displayname: null, email: null, title: null },
    ...{ homedirectory: null, userpassword: null, unixpassword: null, unicodepassword: null },
    ...{ sfupassword: null, logonscript: null, admincount: isProtected, sidhistory: [] },
    ...{ supportedencryptiontypes: ['Not defined'], gmsa: false, msa: false },
    ...{ doesanyacegrantownerrights: false, doesanyinheritedacegrantownerrights: false },
  };
}

function userRecord(world: DomainWorld, account: Account): CollectedObject {
  const { plan } = world;
  const changes = world.overlay.at(account.id);
  const delegates = [...(account.allowedToDelegate ?? []), ...changes.allowedToDelegate];
  const properties: Record<string, unknown> = {
    ...baseProperties(world, account),
    ...account.properties,
    ...(changes.sidHistory.length > 0 && {
      sidhistory: changes.sidHistory.map((origin) => origin.ObjectIdentifier),
    }),
    ...changes.properties,
  };
  const aces = account.isProtected
    ? world.protectedAces(account.id, 'User')
    : world.acesOf(account.id, 'User', account.place);
  return {
    Properties: properties,
    AllowedToDelegate: delegates,
    PrimaryGroupSID: relativeId(plan, account.primaryGroup ?? 513),
    HasSIDHistory: changes.sidHistory,
    SPNTargets: account.spnTargets ?? [],
    UnconstrainedDelegation: properties.unconstraineddelegation === true,
    DomainSID: plan.sid,
    Aces: [...aces, ...(account.passwordReaders ?? []).map((reader) => ace(reader, 'ReadGMSAPassword'))],
    ObjectIdentifier: account.id,
    IsDeleted: false,
    IsACLProtected: account.isProtected ?? false,
    ContainedBy: containedBy(account.place),
  };
}

function* builtInAccounts(world: DomainWorld): Generator<Account> {
  const { plan } = world;
  const place = world.places.at('USERS');
  const at = plan.collectedAt;
  yield {
    ...{
      id: relativeId(plan, 500),
      name: dialectOf(plan).builtIn('ADMINISTRATOR'),
      account: 'Administrator',
      place,
      isProtected: true,
    },
    properties: {
      pwdneverexpires: true,
      pwdlastset: at - 700 * DAY_SECONDS,
      lastlogon: at - 120 * DAY_SECONDS,
    },
  };
  yield {
    ...{
      id: relativeId(plan, 501),
      name: dialectOf(plan).builtIn('GUEST'),
      account: 'Guest',
      place,
      primaryGroup: 514,
    },
    properties: {
      enabled: false,
      passwordnotreqd: true,
      lastlogon: 0,
      lastlogontimestamp: -1,
      pwdlastset: 0,
    },
  };
  yield {
    ...{ id: relativeId(plan, 502), name: 'KRBTGT', account: 'krbtgt', place, isProtected: true },
    properties: {
      ...{ enabled: false, hasspn: true, serviceprincipalnames: ['kadmin/changepw'] },
      ...{
        lastlogon: 0,
        lastlogontimestamp: -1,
        pwdlastset: at - (plan.isForestRoot ? 90 : 800) * DAY_SECONDS,
      },
    },
  };
}

function* people(world: DomainWorld): Generator<Account> {
  const { plan } = world;
  const fate = world.stream('person/fate');
  const age = world.stream('person/age');
  const habit = world.stream('person/habit');
  for (let index = 0; index < plan.counts.person; index++) {
    const person = personName(index, plan);
    yield {
      id: blockId(plan, 'person', index),
      name: person.account,
      account: person.account.toLowerCase(),
      place: world.places.at(placeOfPerson(plan, index)),
      properties: personProperties(world, person, index, { fate, age, habit }),
    };
  }
}

/** One in sixteen is disabled, one in fifteen is stale, one in fifty never logged on; the others log on. */
function personProperties(
  world: DomainWorld,
  person: Person,
  index: number,
  { fate, age, habit }: { fate: Stream; age: Stream; habit: Stream },
): Record<string, unknown> {
  const at = world.plan.collectedAt;
  const luck = fate(index);
  const created = at - below(3000, age(index)) * DAY_SECONDS;
  const lastSeen =
    luck < 0.08
      ? 0
      : at - (luck < 0.147 ? 100 + below(400, age(index, 1)) : below(14, age(index, 1))) * DAY_SECONDS;
  return {
    displayname: `${title(person.first)} ${title(person.last)}`,
    email: `${mailName(person, index)}@${world.plan.name.toLowerCase()}`,
    whencreated: created,
    enabled: luck >= 0.06,
    lastlogon: lastSeen,
    lastlogontimestamp: lastSeen === 0 ? -1 : lastSeen - below(9, age(index, 2)) * DAY_SECONDS,
    pwdlastset: Math.max(created, at - below(365, age(index, 3)) * DAY_SECONDS),
    pwdneverexpires: habit(index) < world.plan.traits.neverExpires,
    passwordnotreqd: habit(index, 1) < 0.002,
    dontreqpreauth: habit(index, 2) < 0.003,
    encryptedtextpwdallowed: habit(index, 3) < 0.001,
  };
}

const title = (word: string): string => word.charAt(0) + word.slice(1).toLowerCase();

const TIERS: readonly { block: Block; tier: Tier; path: string; isProtected: boolean }[] = [
  { block: 'tier0Admin', tier: 0, path: 'TIER0/ACCOUNTS', isProtected: true },
  { block: 'tier1Admin', tier: 1, path: 'TIER1/ACCOUNTS', isProtected: false },
  { block: 'helpdeskAdmin', tier: 2, path: 'TIER2/ACCOUNTS', isProtected: false },
];

function* administrators(world: DomainWorld): Generator<Account> {
  const draw = world.stream('administrator');
  for (const { block, tier, path, isProtected } of TIERS) {
    for (let index = 0; index < world.plan.counts[block]; index++) {
      const { account } = personName(index, world.plan);
      const name = dialectOf(world.plan).administrator(tier, account, index);
      yield {
        id: blockId(world.plan, block, index),
        name,
        account: name.toLowerCase(),
        place: world.places.at(path),
        isProtected,
        properties: { sensitive: isProtected && draw(index) < 0.6 },
      };
    }
  }
}

/** Every application has a service account; a third of the accounts have a service principal name, a few have weak keys. */
function* serviceAccounts(world: DomainWorld): Generator<Account> {
  const { plan } = world;
  const draw = world.stream('service-account');
  const dialect = dialectOf(plan);
  const place = world.places.at('TIER1/SERVICE ACCOUNTS');
  for (let index = 0; index < plan.counts.serviceAccount; index++) {
    const application = applicationName(index);
    const server = Math.min(index * 3, plan.counts.server - 1);
    const hasSpn = draw(index) < 0.34;
    const runsSql = hasSpn && draw(index, 1) < 0.5;
    const name = dialect.service(application, index);
    const host = `${dialect.server(application, 1, index * 3)}.${plan.name}`.toLowerCase();
    yield {
      id: blockId(plan, 'serviceAccount', index),
      ...{ name, account: name.toLowerCase() },
      place,
      properties: {
        hasspn: hasSpn,
        serviceprincipalnames: hasSpn ? [runsSql ? `MSSQLSvc/${host}:1433` : `HTTP/${host}`] : [],
        pwdneverexpires: true,
        pwdlastset: plan.collectedAt - (200 + below(2000, draw(index, 2))) * DAY_SECONDS,
        supportedencryptiontypes: [draw(index, 3) < 0.2 ? 'RC4-HMAC-MD5' : 'AES256-CTS-HMAC-SHA1-96'],
      },
      spnTargets: runsSql
        ? [{ ComputerSID: blockId(plan, 'server', server), Port: 1433, Service: 'SQLAdmin' }]
        : [],
    };
  }
  for (let index = 0; index < plan.counts.managedAccount; index++) {
    const name = dialect.managed(applicationName(index * 5), index);
    const reader = Math.min(index * 15, plan.counts.server - 1);
    yield {
      ...{ id: blockId(plan, 'managedAccount', index), name, account: name.toLowerCase() },
      place: world.places.at('MANAGED SERVICE ACCOUNTS'),
      primaryGroup: 515,
      properties: { gmsa: true, pwdlastset: plan.collectedAt - 12 * DAY_SECONDS },
      passwordReaders: [computer(blockId(plan, 'server', reader))],
    };
  }
}

function* specialAccounts(world: DomainWorld): Generator<Account> {
  const { plan } = world;
  for (const [index, name] of SPECIAL_ACCOUNTS.entries()) {
    const isTier0 = name === 'SVC_SYNC' || name === 'SVC_BACKUP';
    const connector = name === 'SVC_SYNC' ? connectorOf(plan) : undefined;
    const called = connector?.name ?? dialectOf(plan).service(name.replace('SVC_', ''), 90_000 + index);
    yield {
      id: blockPrincipal(plan, 'specialAccount', index).ObjectIdentifier,
      ...{ name: called, account: called.toLowerCase() },
      place: world.places.at(isTier0 ? 'TIER0/ACCOUNTS' : 'TIER1/SERVICE ACCOUNTS'),
      isProtected: name === 'SVC_BACKUP',
      properties: {
        ...{ pwdneverexpires: true, pwdlastset: plan.collectedAt - 1100 * DAY_SECONDS },
        ...(connector !== undefined && { description: connector.description }),
      },
    };
  }
}

/**
 * @returns the name and description that the synchronization gives to the account that it creates for itself; only in shape 3, if the
 * domain has its server
 */
function connectorOf(plan: DomainPlan): { readonly name: string; readonly description: string } | undefined {
  if (!replicatesPasswords(plan)) return undefined;
  const installation = digestOf(`${plan.seed}/${plan.name}/connector`).slice(0, 32).toLowerCase();
  return {
    name: `MSOL_${installation.slice(0, 12).toUpperCase()}`,
    description:
      `Account created by Microsoft Azure Active Directory Connect with installation identifier ${installation} running on computer ` +
      `${hostName(plan, SYNCHRONIZATION_HOST)} configured to synchronize to tenant aurora.example. This account must have directory ` +
      'replication permissions in the local Active Directory and write permission on certain attributes to enable Hybrid Deployment.',
  };
}

/**
 * Accounts of former people: most are disabled and were moved to another unit; some were forgotten and still work. Accounts of former
 * administrators keep `adminCount`, but are no longer protected.
 */
function* leftoverUsers(world: DomainWorld): Generator<Account> {
  const { plan, places } = world;
  const draw = world.stream('leftover-user');
  for (let index = 0; index < plan.counts.leftoverUser; index++) {
    const { first, last } = personName(plan.counts.person + index, plan);
    const unused = heavyTail(draw(index), { least: 100, exponent: 1, most: 4000 });
    const lastSeen = plan.collectedAt - unused * DAY_SECONDS;
    const isForgotten = draw(index, 1) < 0.2;
    const name = dialectOf(plan).leaver(index + 1, last);
    yield {
      id: blockId(plan, 'leftoverUser', index),
      ...{ name, account: name.toLowerCase() },
      place: places.at(isForgotten ? 'USERS' : DISABLED_USERS),
      properties: {
        displayname: `${title(first)} ${title(last)}`,
        description: `Left \u{1F44B} ${new Date(lastSeen * 1000).getUTCFullYear()}`,
        enabled: isForgotten,
        admincount: draw(index, 2) < 0.05,
        whencreated: lastSeen - below(3000, draw(index, 3)) * DAY_SECONDS,
        ...{ lastlogon: lastSeen, lastlogontimestamp: lastSeen },
        pwdlastset: lastSeen - below(300, draw(index, 4)) * DAY_SECONDS,
        pwdneverexpires: draw(index, 5) < 0.3,
      },
    };
  }
}

/** The key account of a read-only controller that was removed without the tools of Windows, which is a flaw (`controllerFlaws.ts`). */
function* orphanedKeys(world: DomainWorld): Generator<Account> {
  const { plan } = world;
  const id = orphanedKeyId(plan);
  if (world.overlay.at(id).isAdded !== true) return;
  const name = `KRBTGT_${1 + below(65_535, world.stream('orphaned-key')(0))}`;
  const made = plan.collectedAt - 1500 * DAY_SECONDS;
  yield {
    ...{ id, name, account: name.toLowerCase(), place: world.places.at('USERS') },
    properties: {
      ...{ enabled: false, lastlogon: 0, lastlogontimestamp: -1, pwdlastset: made, whencreated: made },
      description: 'Key Distribution Center service account for read-only domain controller',
    },
  };
}

export function* makeUsers(world: DomainWorld): Generator<CollectedObject> {
  const families = [
    ...[builtInAccounts, people, administrators, serviceAccounts, specialAccounts],
    ...[leftoverUsers, orphanedKeys],
  ];
  for (const family of families) {
    for (const account of family(world)) yield userRecord(world, account);
  }
  yield serviceIdentity(world);
}

/** Collectors report NETWORK SERVICE as a bare user if a permission names it. */
function serviceIdentity({ plan }: DomainWorld): CollectedObject {
  return {
    Properties: {
      name: `${dialectOf(plan).builtIn('NETWORK SERVICE')}@${plan.name}`,
      domain: plan.name,
      domainsid: plan.sid,
      reconcile: false,
    },
    ...{ AllowedToDelegate: [], PrimaryGroupSID: null, HasSIDHistory: [], SPNTargets: [] },
    ...{ UnconstrainedDelegation: false, DomainSID: plan.sid, Aces: [] },
    ObjectIdentifier: prefixedId(plan, 'S-1-5-20'),
    ...{ IsDeleted: false, IsACLProtected: false, ContainedBy: null },
  };
}
