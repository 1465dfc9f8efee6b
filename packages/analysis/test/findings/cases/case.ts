/** How cases of list findings are written: objects with a setting, and objects without it. */
import { DAY, type Fact, NOW, OTHER_SID, SID, TENANT, type Thing, type World } from '../worlds.ts';

/** The objects that are found, and similar ones that must not be found. */
export interface Case extends World {
  readonly finds: readonly string[];
  readonly not: readonly string[];
  readonly scanned?: readonly string[];
}

export type Props = NonNullable<Thing[2]>;

export const user = (id: string, props: Props = {}): Thing => [id, 'User', { enabled: true, ...props }];
export const computer = (id: string, props: Props = {}): Thing => [
  id,
  'Computer',
  { enabled: true, ...props },
];
export const group = (id: string, name = ''): Thing => [id, 'Group', name === '' ? {} : { name }];
export const daysAgo = (days: number): number => NOW - days * DAY;
export const suffixed = (suffix: string): string => `${SID}-${suffix}`;

/** Objects with a setting, and the same without it. */
export function bySetting(
  make: (id: string, props: Props) => Thing,
  bad: Props,
  ...good: readonly Props[]
): Case {
  const others = good.map((props, at) => make(`GOOD${at}`, props));
  const facts: Fact[] = [];
  return { things: [make('BAD', bad), ...others], facts, finds: ['BAD'], not: others.map(([id]) => id) };
}

export const ofUsers = (bad: Props, ...good: readonly Props[]) => bySetting(user, bad, ...good);
export const ofComputers = (bad: Props, ...good: readonly Props[]) => bySetting(computer, bad, ...good);
export const ofKind =
  (kind: Thing[1]) =>
  (bad: Props, ...good: readonly Props[]): Case =>
    bySetting((id, props) => [id, kind, props], bad, ...good);

/** The same with all of them in Tier Zero, and one with the setting outside. */
export function inTierZero(given: Case): Case {
  const [bad] = given.things.filter(([id]) => id === 'BAD');
  return {
    ...given,
    things: [...given.things, ['ELSEWHERE', bad[1], bad[2]]],
    tierZero: [...given.things.map(([id]) => id)],
    not: [...given.not, 'ELSEWHERE'],
  };
}

/** Domain controllers, and one computer with the setting that is not a controller. */
export function ofControllers(bad: Props, ...good: readonly Props[]): Case {
  const given = ofComputers(bad, ...good);
  return {
    ...given,
    things: [...given.things, computer('MEMBER', bad)],
    facts: given.things.map(([id]): Fact => [id, 'DCFor', SID]),
    not: [...given.not, 'MEMBER'],
  };
}

/** Domains, this one with the setting and the other without. */
export function ofDomains(bad: Props, good: Props, facts: readonly Fact[] = []): Case {
  return {
    things: [
      [SID, 'Domain', { domainsid: SID, name: 'CORP.LOCAL', ...bad }],
      [OTHER_SID, 'Domain', { domainsid: OTHER_SID, name: 'OTHER.LOCAL', ...good }],
    ],
    facts,
    finds: [SID],
    not: [OTHER_SID],
  };
}

/** A group with members, and another without. */
export function filledGroups(filled: Thing, empty: Thing): Case {
  return {
    things: [filled, empty, user('U')],
    facts: [['U', 'MemberOf', filled[0]]],
    finds: [filled[0]],
    not: [empty[0]],
  };
}

export const TEMPLATE: Props = {
  schemaversion: 2,
  authorizedsignatures: 0,
  requiresmanagerapproval: false,
  authenticationenabled: true,
  enrolleesuppliessubject: false,
  nosecurityextension: false,
  effectiveekus: ['1.3.6.1.5.5.7.3.2'],
};
export const AGENT = '1.3.6.1.4.1.311.20.2.1';

export function ofTemplates(bad: Props, ...good: readonly Props[]): Case {
  const given = ofKind('CertTemplate')(
    { ...TEMPLATE, ...bad },
    ...good.map((props) => ({ ...TEMPLATE, ...props })),
  );
  return {
    things: [
      ...given.things,
      ['CA', 'EnterpriseCA'],
      ['UNPUBLISHED', 'CertTemplate', { ...TEMPLATE, ...bad }],
      ['STAFF', 'Group', {}],
    ],
    facts: [
      ...given.things.map(([id]): Fact => [id, 'PublishedTo', 'CA']),
      ...[...given.things.map(([id]) => id), 'UNPUBLISHED'].map((id): Fact => ['STAFF', 'Enroll', id]),
    ],
    finds: ['BAD'],
    not: [...given.not, 'UNPUBLISHED'],
  };
}

/** Published templates in which administrators enroll, and one in which others may. */
export function ofTemplatesFor(bad: Props): Case {
  const template = (id: string): Thing => [id, 'CertTemplate', { ...TEMPLATE, ...bad }];
  return {
    things: [
      template('BAD'),
      template('PRIVATE'),
      ['CA', 'EnterpriseCA'],
      group(suffixed('512')),
      group('STAFF'),
    ],
    facts: [
      ['BAD', 'PublishedTo', 'CA'],
      ['PRIVATE', 'PublishedTo', 'CA'],
      ['STAFF', 'Enroll', 'BAD'],
      [suffixed('512'), 'Enroll', 'BAD'],
      [suffixed('512'), 'Enroll', 'PRIVATE'],
    ],
    tierZero: [suffixed('512')],
    finds: ['BAD'],
    not: ['PRIVATE'],
  };
}

export const members = (role: string, edge: Fact[1], ids: readonly string[]): Fact[] =>
  ids.map((id) => [id, edge, role]);
export const GLOBAL_ADMINISTRATOR = `62E90394-69F5-4237-9190-012177145E10@${TENANT}`;
export const GLOBAL: Thing = [
  GLOBAL_ADMINISTRATOR,
  'AZRole',
  { templateid: '62e90394-69f5-4237-9190-012177145e10' },
];
export const cloudUsers = (count: number): Thing[] =>
  Array.from({ length: count }, (_, at) => [`U${at}`, 'AZUser', { enabled: true }]);

export function globalAdministrators(count: number, tenants: { finds: string[]; not: string[] }): Case {
  const users = cloudUsers(count);
  const ids = users.map(([id]) => id);
  return {
    things: [
      ...users,
      GLOBAL,
      ['OFF', 'AZUser', { enabled: false }],
      [TENANT, 'AZTenant', { tenantid: TENANT }],
    ],
    facts: [
      [TENANT, 'AZContains', GLOBAL_ADMINISTRATOR],
      ['OFF', 'AZHasRole', GLOBAL_ADMINISTRATOR],
      ...members(GLOBAL_ADMINISTRATOR, 'AZHasRole', ids.slice(0, 1)),
      ...members(GLOBAL_ADMINISTRATOR, 'AZRoleEligible', ids.slice(1)),
    ],
    ...tenants,
  };
}

/** Cases by id of the finding; several where one world cannot hold them all. */
export type Cases = Readonly<Record<string, Case | readonly Case[]>>;
