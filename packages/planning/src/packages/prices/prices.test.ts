/** Tests each rule for prices with a case that would have a wrong price without the rule. */
import { describe, expect, it } from 'vitest';
import { PricedWorld, SID } from '../../../test/packages/prices/pricedWorld.ts';
import { DEFAULT_COSTS } from '../../repairs/repairKinds.ts';
import { isKept, PRICE_REASONS } from './reasons.ts';

const DOMAIN_USERS = `${SID}-513`;

/** T0_SERVER_ADMINS has one administrator, administers one host of three, and contains everyone. */
const serverAdmins = () =>
  new PricedWorld()
    .add('Group', { admincount: true }, 'T0_SERVER_ADMINS', 'DA')
    .groups(DOMAIN_USERS)
    .filled('DEPT', 12)
    .filled('CREW', 30)
    .users('admin')
    .hosts('SERVERS', 'CAHOST', 'H2', 'H3')
    .zone('DA', 'CAHOST', 'T0_SERVER_ADMINS')
    .facts(
      'admin MemberOf T0_SERVER_ADMINS',
      'admin MemberOf DA',
      'T0_SERVER_ADMINS MemberOfLocalGroup CAHOST-544',
    );

describe('members of groups', () => {
  it('nearly everyone among administrators is an intruder, however many they are', () => {
    const world = serverAdmins().facts(
      `${DOMAIN_USERS} MemberOf T0_SERVER_ADMINS`,
      'CREW MemberOf T0_SERVER_ADMINS',
    );
    const built = world.build();
    expect(built.price(`${DOMAIN_USERS} MemberOf T0_SERVER_ADMINS`)).toMatchObject({
      work: 1,
      breaks: 0,
      reason: 'intruder',
    });
    expect(built.price('CREW MemberOf T0_SERVER_ADMINS')).toEqual({
      ...{ work: 1, breaks: 0, reason: 'intruder', facts: { principals: 30 } },
    });
  });

  it('a small department among administrators is one too: its accounts are ordinary ones', () => {
    const built = serverAdmins().facts('DEPT MemberOf T0_SERVER_ADMINS').build();
    expect(built.reason('DEPT MemberOf T0_SERVER_ADMINS')).toBe('intruder');
  });

  it('a group of administrators in another is design, like an administrator among others', () => {
    const built = serverAdmins()
      .groups('CREW2', 'CREW3')
      .users('a1', 'a2')
      .facts('a1 MemberOf DA', 'a2 MemberOf DA', 'a1 MemberOf CREW2', 'a2 MemberOf CREW2')
      .facts('a2 MemberOf CREW3', 'CREW3 MemberOf T0_SERVER_ADMINS')
      .facts('CREW2 MemberOf T0_SERVER_ADMINS', 'a1 MemberOf T0_SERVER_ADMINS')
      .build();
    expect(built.reason('CREW2 MemberOf T0_SERVER_ADMINS')).toBe('design');
    expect(built.reason('a1 MemberOf T0_SERVER_ADMINS')).toBe('design');
  });

  it('a member of another kind and place than all others is an exception', () => {
    const built = serverAdmins()
      .add('OU', {}, 'ADMINS', 'STAFF')
      .users('a1', 'a2', 'person')
      .facts('ADMINS Contains a1', 'ADMINS Contains a2', 'STAFF Contains person')
      .facts('a1 MemberOf DA', 'a2 MemberOf DA', 'person MemberOf DA')
      .build();
    expect(built.reason('person MemberOf DA')).toBe('exception');
  });

  it('an account of a service in a group of the zone is an exception, a person there is design', () => {
    const built = serverAdmins()
      .users('a1', 'a2')
      .add('User', { hasspn: true }, 'SVC')
      .add('User', { gmsa: true }, 'GMSA')
      .facts('a1 MemberOf DA', 'a2 MemberOf DA', 'SVC MemberOf DA', 'GMSA MemberOf DA')
      .build();
    for (const name of ['SVC', 'GMSA']) expect(built.reason(`${name} MemberOf DA`)).toBe('exception');
    expect(built.reason('a1 MemberOf DA')).toBe('design');
  });

  it('people stay in their department: the fault is in its rights', () => {
    const built = serverAdmins()
      .groups('TEAM')
      .users('p')
      .facts('TEAM MemberOf DEPT', 'p MemberOf TEAM')
      .build();
    expect(built.price('TEAM MemberOf DEPT')).toMatchObject({ work: 1, breaks: 10, reason: 'membership' });
  });

  it('a department that a policy makes administrators of a unit is still a department', () => {
    const built = serverAdmins()
      .facts('DEPT MemberOfLocalGroup H2-544', 'DEPT MemberOfLocalGroup H3-544')
      .groups('TEAM')
      .users('p')
      .facts('TEAM MemberOf DEPT', 'p MemberOf TEAM')
      .build();
    expect(built.reason('TEAM MemberOf DEPT')).toBe('membership');
  });

  it('a disabled account leaves administrators for nothing, and an ordinary group as others do: its rights are the fault', () => {
    const built = serverAdmins()
      .add('User', { enabled: false }, 'leaver')
      .facts('leaver MemberOf T0_SERVER_ADMINS', 'leaver MemberOf DEPT')
      .build();
    expect(built.reason('leaver MemberOf T0_SERVER_ADMINS')).toBe('left');
    expect(built.price('leaver MemberOf DEPT')).toMatchObject({ breaks: 6, reason: 'left-behind' });
    expect(isKept({ reason: 'left-behind' })).toBe(true);
  });
});

describe('members of local groups', () => {
  it('administrators keep their hosts, and a broad group that no one made for that leaves', () => {
    const built = serverAdmins()
      .facts('CREW MemberOfLocalGroup CAHOST-544', 'DEPT MemberOfLocalGroup CAHOST-544')
      .build();
    expect(built.price('T0_SERVER_ADMINS MemberOfLocalGroup CAHOST-544')).toEqual({
      ...{
        work: 1,
        breaks: 6,
        reason: 'design',
        facts: { hosts: 1, here: 1, unit: 3, computers: 3, container: built.test.node('SERVERS') },
      },
    });
    expect(built.reason('CREW MemberOfLocalGroup CAHOST-544')).toBe('intruder');
    expect(built.reason('DEPT MemberOfLocalGroup CAHOST-544')).toBe('exception');
  });

  it('the administrators of the only server of a unit keep it, whatever their name, and with a team among them', () => {
    const world = new PricedWorld()
      .users('da')
      .zone('da', 'CORE')
      .groups('CORE', 'PLATFORM')
      .filled('CREW', 30)
      .hosts('VAULT', 'BACKUP')
      .facts('da MemberOf CORE', 'CORE MemberOf PLATFORM', 'CREW MemberOf PLATFORM')
      .facts('PLATFORM MemberOfLocalGroup BACKUP-544', 'CREW MemberOfLocalGroup BACKUP-544');
    const built = world.build();
    expect(built.reason('PLATFORM MemberOfLocalGroup BACKUP-544')).toBe('design');
    expect(built.reason('CREW MemberOf PLATFORM')).toBe('intruder');
    // Administering one server does not make a group without privileged members administrative.
    expect(built.reason('CREW MemberOfLocalGroup BACKUP-544')).toBe('intruder');
  });

  it('a service keeps the server where it runs, and an account elsewhere is an exception', () => {
    const built = serverAdmins()
      .users('svc')
      .facts('svc MemberOfLocalGroup H2-544', 'svc MemberOfLocalGroup H3-544', 'H2 HasSession svc')
      .build();
    expect(built.reason('svc MemberOfLocalGroup H2-544')).toBe('in-use');
    expect(built.reason('svc MemberOfLocalGroup H3-544')).toBe('exception');
  });

  it('Remote Desktop of a broad group is that of a crowd; from outside into the zone it is against the tier', () => {
    const built = serverAdmins()
      .facts(
        'CREW MemberOfLocalGroup H2-555',
        'DEPT MemberOfLocalGroup H2-555',
        'DEPT MemberOfLocalGroup CAHOST-555',
      )
      .build();
    expect(built.reason('CREW MemberOfLocalGroup H2-555')).toBe('crowd');
    expect(built.reason('DEPT MemberOfLocalGroup H2-555')).toBe('design');
    expect(built.reason('DEPT MemberOfLocalGroup CAHOST-555')).toBe('against-tier');
  });

  it('administrators of many servers keep remote management of one in the zone at a higher price than of a few', () => {
    const built = serverAdmins()
      .hosts('MORE', 'H4', 'H5')
      .facts(...['CAHOST', 'H2', 'H3', 'H4'].map((host) => `CREW MemberOfLocalGroup ${host}-555`))
      .facts('DEPT MemberOfLocalGroup CAHOST-555', 'DEPT MemberOfLocalGroup H5-555')
      .facts('DEPT MemberOfLocalGroup H2-544', 'DEPT MemberOfLocalGroup H3-544')
      .build();
    expect(built.price('CREW MemberOfLocalGroup CAHOST-555')).toEqual({
      ...{ work: 1, breaks: 2, reason: 'shared', facts: { same: 4, all: 5 } },
    });
    expect(built.reason('DEPT MemberOfLocalGroup CAHOST-555')).toBe('against-tier');
  });

  it('the administrators that the setup of Exchange puts on its servers stay there, and elsewhere are a team like any other', () => {
    const built = serverAdmins()
      .users('mailer')
      .groups('ORGANIZATION_MANAGEMENT', 'EXCHANGE_SERVERS')
      .named('ORGANIZATION_MANAGEMENT', 'Organization Management@CORP')
      .named('EXCHANGE_SERVERS', 'EXCHANGE SERVERS@CORP')
      .facts('mailer MemberOf ORGANIZATION_MANAGEMENT', 'H2 MemberOf EXCHANGE_SERVERS')
      .facts(...['H2-544', 'H3-544'].map((group) => `ORGANIZATION_MANAGEMENT MemberOfLocalGroup ${group}`))
      .build();
    expect(built.reason('ORGANIZATION_MANAGEMENT MemberOfLocalGroup H2-544')).toBe('default');
    expect(built.reason('ORGANIZATION_MANAGEMENT MemberOfLocalGroup H3-544')).toBe('exception');
  });

  it('a holder that a collected domain no longer describes was deleted; one of another is unknown', () => {
    const built = serverAdmins()
      .add('Base', {}, `${SID}-9999`, 'S-1-5-21-7-7-7-1001')
      .unnamed(`${SID}-9999`, 'S-1-5-21-7-7-7-1001')
      .facts(`${SID}-9999 MemberOfLocalGroup H2-544`, 'S-1-5-21-7-7-7-1001 MemberOfLocalGroup H2-544');
    expect(built.build().reason(`${SID}-9999 MemberOfLocalGroup H2-544`)).toBe('left');
  });
});

describe('logons', () => {
  const terminals = () => {
    const people = Array.from({ length: 6 }, (_, at) => `p${at}`);
    return serverAdmins()
      .hosts('TERMINALS', 'TS01')
      .add('Computer', { operatingsystem: 'Windows 11', enabled: true }, 'WS1')
      .users(...people, 'help')
      .groups('HELPDESK ADMINS'.replace(' ', '_'))
      .facts(
        ...people.map((person) => `TS01 HasSession ${person}`),
        'TS01-555 RemoteInteractiveLogonRight TS01',
      )
      .facts(
        'TS01 HasSession admin',
        'WS1 HasSession help',
        'help MemberOf HELPDESK_ADMINS',
        'HELPDESK_ADMINS AdminTo WS1',
      )
      .zone('admin');
  };

  it('no one takes Remote Desktop from all users of a terminal server: the administrator stays off it', () => {
    const built = terminals().build();
    expect(built.price('TS01-555 RemoteInteractiveLogonRight TS01')).toMatchObject({
      work: 1,
      breaks: 12,
      reason: 'outage',
    });
    expect(built.price('TS01 HasSession admin')).toMatchObject({
      work: 2,
      breaks: 0,
      reason: 'against-tier',
    });
    expect(built.price('TS01 HasSession p0')).toMatchObject({
      breaks: 10,
      reason: 'crowd',
      facts: { sessions: 7 },
    });
  });

  it('a helpdesk works on the clients that it administers', () => {
    expect(terminals().build().reason('WS1 HasSession help')).toBe('in-use');
  });
});

describe('entries of access lists', () => {
  const tree = () =>
    serverAdmins()
      .add('OU', {}, 'UNIT', 'ADMINUNIT')
      .users('u1', 'u2', 'boss')
      .add('Container', {}, 'HOLDER')
      .groups('TOOL', 'HELP')
      .zone('boss')
      .facts('UNIT Contains u1', 'UNIT Contains u2', 'ADMINUNIT Contains boss')
      .facts('HOLDER ProtectAdminGroups boss');

  it('computers go on reading the password of the managed account that their service runs as, and people do not', () => {
    const built = tree()
      .add('User', { gmsa: true, enabled: true }, 'gmsa')
      .zone('gmsa')
      .groups('HOSTS', 'MIXED', 'NONE')
      .facts('H2 MemberOf HOSTS', 'H3 MemberOf HOSTS', 'H2 MemberOf MIXED', 'u1 MemberOf MIXED')
      .facts(...['HOSTS', 'MIXED', 'NONE', 'H2', 'u2'].map((reader) => `${reader} ReadGMSAPassword gmsa`))
      .build();
    for (const reader of ['HOSTS', 'H2'])
      expect(built.reason(`${reader} ReadGMSAPassword gmsa`)).toBe('in-use');
    for (const reader of ['MIXED', 'NONE', 'u2'])
      expect(built.reason(`${reader} ReadGMSAPassword gmsa`)).toBe('against-tier');
  });

  it('that only the objects below have come from one place above: one price for all of them', () => {
    const built = tree()
      .filled('STAFF', 6)
      .facts(...Array.from({ length: 6 }, (_, at) => `UNIT Contains STAFF-u${at}`))
      .facts(...Array.from({ length: 6 }, (_, at) => `HELP ForceChangePassword~ STAFF-u${at}`))
      .facts('HELP ForceChangePassword~ u1', 'HELP ForceChangePassword~ u2')
      .facts('TOOL ForceChangePassword~ boss')
      .build();
    expect(built.reason('HELP ForceChangePassword u1')).toBe('delegation');
    expect(built.reason('HELP ForceChangePassword STAFF-u3')).toBe('delegation');
    expect(built.reason('TOOL ForceChangePassword boss')).toBe('against-tier');
  });

  it('with which an account joins computers break more if several computers inherit them', () => {
    const computers = ['J1', 'J2', 'J3', 'J4'];
    const built = (count: number) =>
      tree()
        .hosts('JOINED', ...computers)
        .zone('J1')
        .facts(...computers.slice(0, count).map((computer) => `TOOL WriteAccountRestrictions~ ${computer}`))
        .facts(...computers.map((computer) => `HELP GenericWrite~ ${computer}`))
        .build();
    for (const computer of computers)
      expect(built(4).price(`TOOL WriteAccountRestrictions ${computer}`)).toMatchObject({
        ...{ breaks: 2, reason: 'shared', facts: { same: 4 } },
      });
    expect(built(3).reason('TOOL WriteAccountRestrictions J1')).toBe('against-tier');
    expect(built(4).reason('HELP GenericWrite J1')).toBe('against-tier');
  });

  it('of a container are priced there, the same for each object below', () => {
    const built = tree()
      .facts('TOOL GenericAll ADMINUNIT', 'TOOL GenericAll~ boss')
      .facts('HELP GenericAll UNIT', 'HELP GenericAll~ u1', 'HELP GenericAll~ u2')
      .build();
    for (const object of ['boss', 'ADMINUNIT'])
      expect(built.price(`TOOL GenericAll ${object}`)).toEqual({
        work: 1,
        breaks: 0,
        reason: 'against-tier',
      });
    for (const object of ['u1', 'u2', 'UNIT'])
      expect(built.price(`HELP GenericAll ${object}`)).toEqual({ work: 1, breaks: 5, reason: 'delegation' });
  });

  it('that Windows copies from AdminSDHolder are those of AdminSDHolder; owners are not', () => {
    const built = tree()
      .facts('HELP GenericAll HOLDER', 'HELP GenericAll boss', 'TOOL Owns HOLDER', 'TOOL Owns boss')
      .build();
    for (const object of ['boss', 'HOLDER'])
      expect(built.reason(`HELP GenericAll ${object}`)).toBe('against-tier');
    expect(built.reason('TOOL Owns boss')).toBe('exception');
  });

  it('on most objects of a kind are design, and into the zone they are shared', () => {
    const built = tree()
      .users('u3', 'u4')
      .facts(...['u1', 'u2', 'u3', 'u4'].map((user) => `HELP ForceChangePassword ${user}`))
      .facts('HELP ForceChangePassword boss', 'TOOL ForceChangePassword u1');
    const users = 12 + 30 + 1 + 3 + 2;
    expect(users).toBeGreaterThan(20);
    // Five of 48 are less than a fifth.
    expect(built.build().reason('HELP ForceChangePassword u1')).toBe('exception');
    const many = Array.from({ length: 20 }, (_, at) => `HELP ForceChangePassword CREW-u${at}`);
    const dense = built.facts(...many).build();
    expect(dense.price('HELP ForceChangePassword u1')).toMatchObject({
      breaks: 6,
      reason: 'design',
      facts: { same: 25 },
    });
    expect(dense.price('HELP ForceChangePassword boss')).toMatchObject({ breaks: 2, reason: 'shared' });
    expect(dense.reason('TOOL ForceChangePassword u1')).toBe('exception');
  });

  it('that every domain is born with are kept by holder, right and kind, and no other right of the holder is', () => {
    const operators = `DOM-S-1-5-32-548`;
    const built = tree()
      .groups(operators, `${SID}-527`)
      .facts(`${operators} GenericAll u1`, `${operators} WriteDacl boss`)
      .facts(`${SID}-527 AddKeyCredentialLink ${SID}`, `${SID}-527 GenericAll ${SID}`)
      .zone(SID)
      .build();
    expect(built.reason(`${operators} GenericAll u1`)).toBe('default');
    expect(built.reason(`${operators} WriteDacl boss`)).toBe('against-tier');
    expect(built.reason(`${SID}-527 AddKeyCredentialLink ${SID}`)).toBe('default');
    expect(built.reason(`${SID}-527 GenericAll ${SID}`)).toBe('against-tier');
  });

  it('of hosts that read the password of a managed account are in use while the account is enabled', () => {
    const built = serverAdmins()
      .add('User', { enabled: true, gmsa: true }, 'RUNS')
      .add('User', { enabled: false, gmsa: true }, 'OFF')
      .facts('H2 ReadGMSAPassword RUNS', 'H2 ReadGMSAPassword OFF')
      .build();
    expect(built.price('H2 ReadGMSAPassword RUNS')).toMatchObject({ breaks: 6, reason: 'in-use' });
    expect(built.price('H2 ReadGMSAPassword OFF')).toMatchObject({ breaks: 0, reason: 'left' });
  });

  it('of officers on an authority are in use', () => {
    const built = tree()
      .add('EnterpriseCA', {}, 'CA')
      .facts('TOOL ManageCertificates CA', 'TOOL ManageCA CA')
      .zone('CA')
      .build();
    expect(built.reason('TOOL ManageCertificates CA')).toBe('in-use');
    expect(built.reason('TOOL ManageCA CA')).toBe('against-tier');
  });
});

describe('certificates', () => {
  const SAFE = { schemaversion: 2, effectiveekus: ['1.3.6.1.5.5.7.3.2'], enrolleesuppliessubject: false };
  const templates = () =>
    serverAdmins()
      .add('EnterpriseCA', {}, 'CA')
      .add('CertTemplate', SAFE, 'USER', 'SAFE')
      .add('CertTemplate', { ...SAFE, enrolleesuppliessubject: true }, 'FREE')
      .add('CertTemplate', { ...SAFE, enrolleesuppliessubject: true, schemaversion: 1 }, 'WEBSERVER')
      .add('CertTemplate', { ...SAFE, nosecurityextension: true, enrollmentflag: 'AUTO_ENROLLMENT' }, 'ALONE')
      .add('CertTemplate', { ...SAFE, schemaversion: 1, effectiveekus: ['1.3.6.1.4.1.311.20.2.1'] }, 'AGENT')
      .facts(`${DOMAIN_USERS} Enroll CA`)
      .facts(...['USER', 'SAFE', 'FREE', 'AGENT'].map((name) => `${DOMAIN_USERS} Enroll ${name}`))
      .facts(...['USER', 'SAFE', 'FREE', 'AGENT', 'WEBSERVER'].map((name) => `${name} PublishedTo CA`));

  it('what is dangerous by its own settings is closed, and what Microsoft ships stays', () => {
    const built = templates().build();
    expect(built.reason(`${DOMAIN_USERS} Enroll AGENT`)).toBe('intruder');
    expect(built.reason(`${DOMAIN_USERS} Enroll FREE`)).toBe('intruder');
    expect(built.price(`${DOMAIN_USERS} Enroll USER`)).toMatchObject({ breaks: 6, reason: 'default' });
    expect(built.reason(`${DOMAIN_USERS} Enroll SAFE`)).toBe('design');
    expect(built.reason('template-subject FREE')).toBe('dangerous-setting');
    expect(built.reason('FREE PublishedTo CA')).toBe('dangerous-setting');
    expect(built.reason('SAFE PublishedTo CA')).toBe('default');
  });

  it('Enroll of a disabled or deleted account is left, on a template and on an authority', () => {
    const built = templates()
      .add('User', { enabled: false }, 'OFF')
      .add('Base', {}, `${SID}-1601`, `${SID}-525`)
      .unnamed(`${SID}-1601`, `${SID}-525`)
      .facts(
        ...['OFF', `${SID}-1601`].flatMap((who) => ['CA', 'FREE', 'SAFE'].map((of) => `${who} Enroll ${of}`)),
      )
      .facts('T0_SERVER_ADMINS Enroll SAFE', `${SID}-525 Enroll SAFE`)
      .build();
    for (const who of ['OFF', `${SID}-1601`])
      for (const of of ['CA', 'FREE', 'SAFE'])
        expect(built.price(`${who} Enroll ${of}`)).toMatchObject({ breaks: 0, reason: 'left' });
    expect(built.reason('T0_SERVER_ADMINS Enroll SAFE')).toBe('design');
    // A group of Windows that the collection does not describe is not deleted.
    expect(built.reason(`${SID}-525 Enroll SAFE`)).toBe('design');
  });

  it('Enroll of nearly everyone on an authority ends all automatic enrollment', () => {
    expect(templates().build().price(`${DOMAIN_USERS} Enroll CA`)).toMatchObject({
      breaks: 12,
      reason: 'authority',
    });
  });

  it('a template of version 1 is copied before it is retired, and its subject stays', () => {
    const built = templates().build();
    expect(built.price('WEBSERVER PublishedTo CA')).toMatchObject({ breaks: 2, reason: 'replace' });
    expect(built.price('template-subject WEBSERVER')).toMatchObject({ breaks: 12, reason: 'outage' });
  });

  it('approval stops automatic enrollment', () => {
    expect(templates().build().reason('template-approval ALONE')).toBe('in-use');
    expect(templates().build().reason('template-security-extension ALONE')).toBe('dangerous-setting');
  });
});

it('prices of operators are the whole price, and so is the work where someone answered that no one needs it', () => {
  const built = serverAdmins().build();
  const fact = 'T0_SERVER_ADMINS MemberOfLocalGroup CAHOST-544';
  const costs = { ...DEFAULT_COSTS, 'remove-local-member': 3 };
  expect(built.price(fact, { costs })).toEqual({ work: 3, breaks: 0, reason: 'work' });
  expect(built.price(fact, { isUnused: ({ kind }) => kind === 'remove-local-member' })).toEqual({
    ...{ work: 1, breaks: 0, reason: 'answered' },
  });
});

it('marks and facts say who is administrative where names do not', () => {
  const built = serverAdmins().facts(`${DOMAIN_USERS} MemberOf T0_SERVER_ADMINS`).withoutNames().build();
  expect(built.reason(`${DOMAIN_USERS} MemberOf T0_SERVER_ADMINS`)).toBe('intruder');
  expect(built.reason('T0_SERVER_ADMINS MemberOfLocalGroup CAHOST-544')).toBe('design');
});

it('what is kept is dearer than all that is not', () => {
  const rows = Object.entries(PRICE_REASONS);
  const [kept, others] = [true, false].map((is) =>
    rows.filter(([, row]) => row.isKept === is).map(([, { breaks }]) => breaks),
  );
  expect(Math.min(...(kept as number[]))).toBeGreaterThan(Math.max(...(others as number[])));
  expect(isKept({ reason: 'membership' })).toBe(true);
});

describe('other constants', () => {
  it('multiply what a reason breaks, and without any, kept changes are like all others', () => {
    const built = serverAdmins().facts('DEPT MemberOfLocalGroup H2-555').build();
    const fact = 'DEPT MemberOfLocalGroup H2-555';
    expect(built.price(fact)).toMatchObject({ work: 1, breaks: 6, reason: 'design' });
    expect(built.price(fact, { otherPrices: { breaks: 0.5 } })).toMatchObject({
      breaks: 3,
      reason: 'design',
    });
    expect(built.price(fact, { otherPrices: { breaks: 0 } })).toMatchObject({ breaks: 0, reason: 'work' });
  });
});
