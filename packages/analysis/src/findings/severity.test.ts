import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { severityTexts } from '../../test/findings/severityTexts.ts';
import { type Fact, findIn, SID, type Thing, type World } from '../../test/findings/worlds.ts';
import {
  SEVERITIES,
  SEVERITY_ROWS,
  type SeverityReason,
  type SeverityRow,
  severitySentence,
} from './severity.ts';

const AUTHENTICATED = 'CORP.LOCAL-S-1-5-11';
const DOMAIN_USERS = `${SID}-513`;

/** Twenty users and ten computers of one domain with its default groups, an authority, and a template for logon. */
const PEOPLE = Array.from({ length: 20 }, (_, at) => `U${String(at).padStart(2, '0')}`);
const HOSTS = Array.from({ length: 10 }, (_, at) => `PC${at}`);
const TEMPLATE = {
  ...{ schemaversion: 2, authorizedsignatures: 0, requiresmanagerapproval: false },
  ...{ authenticationenabled: true, enrolleesuppliessubject: true, nosecurityextension: false },
  effectiveekus: ['1.3.6.1.5.5.7.3.2'],
};

function directory(more: Partial<World>): World {
  const things: Thing[] = [
    [AUTHENTICATED, 'Group'],
    [DOMAIN_USERS, 'Group'],
    ['DA', 'Group'],
    ['ADMIN', 'User', { enabled: true }],
    ['T', 'CertTemplate', TEMPLATE],
    ['CA', 'EnterpriseCA'],
    ['STORE', 'NTAuthStore'],
    ...PEOPLE.map((id): Thing => [id, 'User', { enabled: true }]),
    ...HOSTS.map((id): Thing => [id, 'Computer', { enabled: true }]),
  ];
  const facts: Fact[] = [
    ...[...PEOPLE, 'ADMIN'].map((id): Fact => [id, 'MemberOf', DOMAIN_USERS]),
    ...HOSTS.map((id): Fact => [id, 'MemberOf', AUTHENTICATED]),
    [DOMAIN_USERS, 'MemberOf', AUTHENTICATED],
    ['ADMIN', 'MemberOf', 'DA'],
    ...[...PEOPLE, ...HOSTS, 'ADMIN', 'DA'].map((id): Fact => [SID, 'Contains', id]),
    ['DA', 'GenericAll', SID],
    ['T', 'PublishedTo', 'CA'],
    ['CA', 'TrustedForNTAuth', 'STORE'],
    ['STORE', 'NTAuthStoreFor', SID],
    [AUTHENTICATED, 'Enroll', 'CA'],
  ];
  const given = new Map((more.things ?? []).map((thing) => [thing[0], thing]));
  return {
    things: [
      ...things.map((thing) => given.get(thing[0]) ?? thing),
      ...(more.things ?? []).filter(([id]) => !things.some(([known]) => known === id)),
    ],
    facts: [...facts, ...(more.facts ?? [])],
    tierZero: [SID, 'DA', 'ADMIN', ...(more.tierZero ?? [])],
  };
}

/** Severity and reason, by text of the finding. */
const severities = (more: Partial<World>) => severityTexts(findIn(directory(more)));

describe('severity', () => {
  it('of a template open to Authenticated Users is that of one open to Domain Users, and both say why', () => {
    const open = (group: string) =>
      severities({
        facts: [
          [group, 'Enroll', 'T'],
          [group, 'ADCSESC1', SID],
        ],
      }).get('TemplateESC1: T');
    expect(open(AUTHENTICATED)).toBe(
      'critical: the object controls 31 of all 31 users and computers through its own rights, and can be taken over with one action',
    );
    // The ten computers cannot, but every user can.
    expect(open(DOMAIN_USERS)).toBe(
      'critical: 20 of 30 users and computers outside the zone can use it with one action',
    );
    expect(open('U00')).toBe('high: 1 of 30 users and computers outside the zone can use it with one action');
  });

  it('of an account that controls Tier Zero is high, even with a template that gives everybody the domain', () => {
    const beside: Fact[] = [
      [AUTHENTICATED, 'Enroll', 'T'],
      [AUTHENTICATED, 'ADCSESC1', SID],
    ];
    const found = severities({
      things: [
        ['ADMIN', 'User', { enabled: true, passwordnotreqd: true }],
        ['U01', 'User', { enabled: true, hasspn: true }],
        ['U02', 'User', { enabled: true, hasspn: true }],
      ],
      facts: [...beside, ['U01', 'GenericAll', 'DA']],
    });
    expect(found.get('PasswordNotRequired: ADMIN')).toMatch(/^high: the object controls .* by luck$/);
    expect(found.get('Kerberoasting: U01')).toMatch(
      /^high: the object controls 31 of all 31 users and computers through its own rights, and can be taken over by luck$/,
    );
    // An account that has only the rights of everybody.
    expect(found.get('Kerberoasting: U02')).toMatch(/^low: .* controls 1 of all 31 /);
  });

  test.each<[string, Fact, string]>([
    ['DCSync', ['U00', 'DCSync', SID], 'NonT0DCSyncers: U00 -> S-1-5-21-1-2-3'],
    ['AddMember', ['U00', 'AddMember', 'DA'], 'T0AddMember: U00 -> DA'],
    ['GenericAll', ['U00', 'GenericAll', 'DA'], 'T0GenericAll: U00 -> DA'],
    ['WriteDacl', ['U00', 'WriteDacl', 'ADMIN'], 'T0WriteDACL: U00 -> ADMIN'],
  ])('of direct control of Tier Zero by one user is high: %s', (_, fact, text) => {
    expect(severities({ facts: [fact] }).get(text)).toMatch(
      /^high: 1 of 30 users and computers outside the zone can exploit it; the step itself takes (one|several) action/,
    );
  });

  it('is low where no one holds the right today, and moderate where a condition must hold', () => {
    const found = severities({
      things: [
        ['EMPTY', 'Group'],
        ['TRUSTED', 'Computer', { enabled: true, unconstraineddelegation: true }],
      ],
      facts: [
        ['EMPTY', 'GenericAll', 'DA'],
        ['TRUSTED', 'CoerceToTGT', SID],
      ],
    });
    expect(found.get('T0GenericAll: EMPTY -> DA')).toBe(
      'low: no user or computer outside the zone can use it today',
    );
    expect(found.get(`T0CoerceToTGT: TRUSTED -> ${SID}`)).toMatch(/^high: /);
  });

  it.each<[string, Thing, Fact, string, RegExp]>([
    [
      'a disabled computer with unconstrained delegation',
      ['TRUSTED', 'Computer', { enabled: false, unconstraineddelegation: true }],
      ['TRUSTED', 'CoerceToTGT', SID],
      `T0CoerceToTGT: TRUSTED -> ${SID}`,
      /^low: 1 of 31 .* itself depends on luck$/,
    ],
    [
      'an enabled account whose password may be set',
      ['ADMIN', 'User', { enabled: true }],
      ['U00', 'ForceChangePassword', 'ADMIN'],
      'T0ForceChangePassword: U00 -> ADMIN',
      /^high: .* itself takes one action$/,
    ],
    [
      'a disabled account whose password may be set',
      ['ADMIN', 'User', { enabled: false }],
      ['U00', 'ForceChangePassword', 'ADMIN'],
      'T0ForceChangePassword: U00 -> ADMIN',
      /^low: .* itself depends on luck$/,
    ],
    [
      'a session of a service account',
      ['ADMIN', 'User', { enabled: true, hasspn: true }],
      ['PC0', 'HasSession', 'ADMIN'],
      'T0Logins: PC0 -> ADMIN',
      /^high: .* itself takes several actions$/,
    ],
  ])('follows the effort that facts about the ends give: %s', (_, thing, fact, text, expected) => {
    expect(severities({ things: [thing], facts: [fact] }).get(text)).toMatch(expected);
  });
});

describe('the table of severities', () => {
  it('never ranks a greater share below a lesser one', () => {
    for (const { id, severities: row } of SEVERITY_ROWS as readonly SeverityRow[]) {
      const ranks = row.map((severity) => SEVERITIES.indexOf(severity));
      expect([id, ranks]).toEqual([id, [...ranks].sort((a, b) => a - b)]);
    }
  });

  it('never ranks a wider hole below a narrower one of the same kind', () => {
    const kinds = ['GenericAll', 'DCSync', 'AdminTo', 'CanRDP', 'HasSession', 'Enroll'] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.uniqueArray(fc.constantFrom(...PEOPLE, ...HOSTS), { maxLength: 30 }),
        fc.uniqueArray(fc.constantFrom(...PEOPLE, ...HOSTS), { maxLength: 8 }),
        fc.uniqueArray(fc.tuple(fc.constantFrom(...PEOPLE), fc.constantFrom(...PEOPLE, ...HOSTS)), {
          maxLength: 12,
        }),
        (kind, wide, roastable, steps) => {
          const narrow = wide.slice(0, Math.floor(wide.length / 2));
          const target = kind === 'Enroll' ? 'T' : kind === 'HasSession' ? 'ADMIN' : SID;
          const members = (group: string, ids: readonly string[]) =>
            ids.map((id): Fact => [id, 'MemberOf', group]);
          const ranks = (group: string) => {
            const found = findIn(
              directory({
                things: [
                  ['WIDE', 'Group'],
                  ['NARROW', 'Group'],
                  ...roastable.map((id): Thing => [id, 'User', { enabled: true, hasspn: true }]),
                ],
                facts: [
                  ...members('WIDE', wide),
                  ...members('NARROW', narrow),
                  ...steps.map(([from, to]): Fact => [from, 'GenericAll', to]),
                  [group, kind, target],
                  ...(kind === 'Enroll' ? [[group, 'ADCSESC1', SID] as Fact] : []),
                ],
              }),
            );
            return new Map(
              found.texts.map((text, at) => [
                text.replace(/WIDE|NARROW/, 'GROUP'),
                found.result.ratings.severities[at],
              ]),
            );
          };
          const [wider, narrower] = [ranks('WIDE'), ranks('NARROW')];
          for (const [text, severity] of narrower) {
            if (text.includes('GROUP') || text.startsWith('Template')) {
              expect([text, wider.get(text) ?? -1]).toEqual([
                text,
                expect.toSatisfy((one: number) => one >= severity),
              ]);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the reason', () => {
  const reason: SeverityReason = {
    ...{
      severity: 'low' as const,
      row: SEVERITY_ROWS.findIndex(({ id }) => id === 'boundary'),
      isByUsers: true,
    },
    ...{ count: 0, of: 0, effort: 4 as const, isForeign: false },
  };

  it('names the other environment whose users and computers count, where it is known', () => {
    const foreign = { ...reason, count: 240, of: 750, isForeign: true };
    expect(severitySentence({ ...foreign, environment: 'WEST.CORP' })).toContain(
      '240 of 750 users and computers of WEST.CORP outside the zone',
    );
    expect(severitySentence(foreign)).toContain('240 of 750 users and computers of another environment');
  });

  it('does not take an environment that was not collected for one without users', () => {
    const rated = (isCollected: boolean) =>
      severities({
        things: [
          ['S-1-5-21-9-9-9', 'Domain', { collected: isCollected, domainsid: 'S-1-5-21-9-9-9' }],
          ['S-1-5-21-9-9-9-1105', 'Group', { domainsid: 'S-1-5-21-9-9-9' }],
        ],
        facts: [['S-1-5-21-9-9-9-1105', 'GenericAll', 'DA']],
      }).get('T0GenericAll: S-1-5-21-9-9-9-1105 -> DA');
    expect(rated(true)).toBe('low: no user or computer outside the zone can use it today');
    expect(rated(false)).toBe(
      'low: the principals that can use it are unknown, because the environment of its source was not collected',
    );
    expect(severitySentence({ ...reason, isUnread: true, environment: 'OLD.CORP' })).toBe(
      'low: the principals that can use it are unknown, because OLD.CORP was not collected',
    );
  });
});

describe('one fact', () => {
  const leads = (more: Partial<World>) => {
    const { texts, result } = findIn(directory(more));
    const parts = new Set([...result.ratings.parts.values()].flat());
    return texts.filter((_, at) => !parts.has(at));
  };

  it('is one row for each account of Tier Zero, whatever its flags', () => {
    const rows = leads({
      things: [['ADMIN', 'User', { enabled: true, pwdneverexpires: true, sensitive: false, hasspn: false }]],
    }).filter((text) => text.endsWith(': ADMIN'));
    expect(rows).toEqual(['T0PasswordNeverExpires: ADMIN']);
  });

  it('is one row for each user whose password several roles may reset: the role that most can use', () => {
    const roles = ['HELPDESK', 'PASSWORDS', 'USERS'];
    const given: World = {
      things: [
        ...roles.map((id): Thing => [id, 'AZRole', {}]),
        ...['A', 'B', 'C', 'BOSS', 'CHIEF'].map((id): Thing => [id, 'AZUser', { enabled: true }]),
      ],
      facts: [
        ...roles.map((id): Fact => [id, 'AZResetPassword', 'BOSS']),
        ['HELPDESK', 'AZResetPassword', 'CHIEF'],
        ['A', 'AZHasRole', 'HELPDESK'],
        ...['A', 'B', 'C'].map((id): Fact => [id, 'AZHasRole', 'PASSWORDS']),
      ],
      tierZero: ['BOSS', 'CHIEF'],
    };
    const { texts, result } = findIn(given);
    const lead = texts.indexOf('AzureT0ResetPassword: PASSWORDS -> BOSS');
    const others = ['HELPDESK', 'USERS'].map((id) => texts.indexOf(`AzureT0ResetPassword: ${id} -> BOSS`));
    expect(Math.min(lead, ...others)).toBeGreaterThanOrEqual(0);
    expect([...result.ratings.parts]).toEqual([[lead, others.sort((a, b) => a - b)]]);
  });

  it('is one row for unconstrained delegation and the ticket that it leads to', () => {
    const trusted: Thing = ['TRUSTED', 'Computer', { enabled: true, unconstraineddelegation: true }];
    expect(
      leads({ things: [trusted], facts: [['TRUSTED', 'CoerceToTGT', SID]] }).filter((text) =>
        text.includes('TRUSTED'),
      ),
    ).toEqual([`T0CoerceToTGT: TRUSTED -> ${SID}`]);
    // If it leads nowhere, the setting is the finding.
    expect(leads({ things: [trusted] }).filter((text) => text.includes('TRUSTED'))).toEqual([
      'UnconstrainedDelegationComputers: TRUSTED',
    ]);
  });

  it('is one row for a default group and Tier Zero, which is critical', () => {
    const given: Partial<World> = { facts: [[DOMAIN_USERS, 'GenericAll', 'DA']] };
    expect(leads(given).filter((text) => text.includes('GenericAll'))).toEqual([
      `T0GenericAll: ${DOMAIN_USERS} -> DA`,
    ]);
    expect(severities(given).get(`T0GenericAll: ${DOMAIN_USERS} -> DA`)).toBe(
      'critical: nearly everyone can use it against Tier Zero with one action',
    );
  });

  it('is one row for both scenarios of a weakness of certificates from one principal to one domain', () => {
    const facts: World['facts'] = [
      ['U00', 'ADCSESC10a', SID],
      ['U00', 'ADCSESC10b', SID],
      ['U01', 'ADCSESC10b', SID],
    ];
    expect(leads({ facts }).filter((text) => text.includes('ESC10'))).toEqual([
      `T0ADCSESC10a: U00 -> ${SID}`,
      `T0ADCSESC10b: U01 -> ${SID}`,
    ]);
  });

  it('is one row for an object that belongs into the zone, as urgent as the worst of its relationships', () => {
    const given: Partial<World> = {
      things: [
        ['DC', 'Computer', { enabled: true }],
        ['T0-SERVERS', 'Group'],
      ],
      facts: [
        ['DC', 'DCFor', SID],
        ['U00', 'MemberOf', 'T0-SERVERS'],
        ['T0-SERVERS', 'AdminTo', 'DC'],
        ['T0-SERVERS', 'CanRDP', 'DC'],
        ['T0-SERVERS', 'GenericAll', 'ADMIN'],
      ],
      tierZero: ['DC'],
    };
    expect(leads(given).filter((text) => text.includes('T0-SERVERS'))).toEqual([
      'ProbablyTierZero: T0-SERVERS',
    ]);
    expect(severities(given).get('ProbablyTierZero: T0-SERVERS')).toBe(
      'high: 1 of 30 users and computers outside the zone can use it with one action',
    );
  });

  it('is one row for an entry of AdminSDHolder, which Windows copies to every protected object', () => {
    const rows = (facts: readonly Fact[]) =>
      leads({
        things: [
          ['HOLDER', 'Container'],
          ['HELPDESK', 'Group'],
        ],
        facts: [
          ['U00', 'MemberOf', 'HELPDESK'],
          ['HOLDER', 'ProtectAdminGroups', 'DA'],
          ['HOLDER', 'ProtectAdminGroups', 'ADMIN'],
          ...facts,
        ],
        tierZero: ['HOLDER'],
      }).filter((text) => text.includes('HELPDESK'));
    const copies: Fact[] = [
      ['HELPDESK', 'GenericAll', 'DA'],
      ['HELPDESK', 'GenericAll', 'ADMIN'],
    ];
    expect(rows([...copies, ['HELPDESK', 'GenericAll', 'HOLDER']])).toEqual([
      'T0GenericAll: HELPDESK -> HOLDER',
    ]);
    // Another right at the container is another entry; without an entry there, the entries belong to the objects.
    expect(rows([...copies, ['HELPDESK', 'WriteDacl', 'HOLDER']])).toHaveLength(3);
    expect(rows(copies)).toHaveLength(2);
  });

  it('stands for others once, and is itself part of none', () => {
    const accounts = PEOPLE.slice(0, 6);
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            hasspn: fc.boolean(),
            pwdneverexpires: fc.boolean(),
            unconstraineddelegation: fc.boolean(),
            dontreqpreauth: fc.boolean(),
            pwdlastset: fc.constantFrom(1, 1_767_000_000),
          }),
          { minLength: 6, maxLength: 6 },
        ),
        fc.subarray(accounts),
        fc.array(
          fc.tuple(
            fc.constantFrom(...accounts, DOMAIN_USERS),
            fc.constantFrom('GenericAll' as const, 'CoerceToTGT' as const, 'Owns' as const),
            fc.constantFrom(SID, 'DA', 'ADMIN'),
          ),
          { maxLength: 8 },
        ),
        (props, tierZero, facts) => {
          const { result } = findIn(
            directory({
              things: accounts.map((id, at): Thing => [id, 'User', { enabled: true, ...props[at] }]),
              facts,
              tierZero,
            }),
          );
          const { parts, severities: ranks } = result.ratings;
          const all = [...parts.values()].flat();
          expect(new Set(all).size).toBe(all.length);
          for (const [lead, others] of parts) {
            expect(all).not.toContain(lead);
            for (const at of others) expect(ranks[lead]).toBeGreaterThanOrEqual(ranks[at]);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
