import { type EdgeRef, FINDING_TYPES, FindingFacts, type SettingName } from '@clew/analysis';
import {
  ACCOUNTS_CASES,
  type Case,
  type Cases,
  CERTIFICATES_CASES,
  contextOf,
  ENTRA_CASES,
  type Fact,
  type Found,
  findIn,
  KERBEROS_CASES,
  NOW,
  OTHER_SID,
  PRIVILEGES_CASES,
  RESOURCES_CASES,
  SID,
  type Thing,
  type World,
} from '@clew/analysis/testing';
import { NodeSet } from '@clew/graph';
import { type EdgeKindName, edgeKindById } from '@clew/model';
import { describe, expect, it, test } from 'vitest';
import { changeOf } from '../repairs/repair.ts';
import { type PropertyChange, settingChanges } from '../repairs/settings.ts';
import { evidenceOf } from './evidence.ts';
import { closingRelations, foundRelations, isRepairedByRelations } from './foundRelations.ts';

const CASES: Cases = {
  ...ACCOUNTS_CASES,
  ...CERTIFICATES_CASES,
  ...ENTRA_CASES,
  ...KERBEROS_CASES,
  ...PRIVILEGES_CASES,
  ...RESOURCES_CASES,
};

const cases = FINDING_TYPES.filter(({ id }) => isRepairedByRelations(id)).flatMap(({ id }) =>
  [CASES[id]].flat().map((given, at): [string, number, Case] => [id, at + 1, given]),
);

const tierZeroOf = ({ world }: Found, { tierZero = [] }: World): NodeSet =>
  NodeSet.of(world.graph.nodeCount, tierZero.map(world.node));

function factsOf(found: Found, given: World): FindingFacts {
  return new FindingFacts(contextOf(found.world), tierZeroOf(found, given), NOW);
}

/** @returns relations as `source KIND target` */
const textsOf = (found: Found, relations: readonly EdgeRef[]): string[] =>
  relations.map(({ start, kind, end }) => {
    const [from, to] = found.world.ids([start, end]);
    return `${from} ${edgeKindById(kind)?.name} ${to}`;
  });

const relationsOf = (found: Found, given: World, id: string, object: string): string[] =>
  textsOf(found, foundRelations(factsOf(found, given), id, found.world.node(object)));

function closingOf(found: Found, given: World, id: string, object: string): string[][] {
  const facts = factsOf(found, given);
  const target = found.world.node(object);
  return closingRelations(facts, id, target, foundRelations(facts, id, target)).map((all) =>
    textsOf(found, all),
  );
}

const factText = ([start, kind, end]: Fact): string => `${start} ${kind} ${end}`;

describe('relations of a list finding', () => {
  test.each(cases)(
    '%s of each list that closes it are all that its rule found: without them the finding disappears (%i)',
    (id, _, given) => {
      const found = findIn(given);
      for (const object of found.of(id))
        for (const relations of closingOf(found, given, id, object)) {
          if (relations.length === 0) continue;
          const facts = (given.facts ?? []).filter((fact) => !relations.includes(factText(fact)));
          expect([object, findIn({ ...given, facts }).of(id)]).toEqual([
            object,
            expect.not.arrayContaining([object]),
          ]);
        }
    },
  );

  // Membership in a role that the account may keep is sufficient for synchronization.
  const enough = cases.filter(([id]) => id !== 'AzureSyncAccountPrivileges');

  test.each(enough)(
    '%s are enough: with no others of their kinds there is still one (%i)',
    (id, _, given) => {
      const found = findIn(given);
      for (const object of found.of(id)) {
        const relations = relationsOf(found, given, id, object);
        if (relations.length === 0) continue;
        const kinds = new Set(relations.map((text) => text.split(' ')[1]));
        const facts = (given.facts ?? []).filter((fact) => {
          const isOfObject = fact[0] === object || fact[2] === object;
          return !isOfObject || !kinds.has(fact[1]) || relations.includes(factText(fact));
        });
        expect([object, findIn({ ...given, facts }).of(id)]).toEqual([
          object,
          expect.arrayContaining([object]),
        ]);
      }
    },
  );
});

const evidence = (given: World, id: string, object: string) => {
  const found = findIn(given);
  expect(found.of(id)).toContain(object);
  const { world } = found;
  const type = FINDING_TYPES.findIndex((one) => one.id === id);
  const { relations, repairs, advice } = evidenceOf(
    contextOf(world),
    { type, target: world.node(object) },
    tierZeroOf(found, given),
  );
  return {
    advice,
    relations: relations.map(({ start, kind, end }) => [
      ...world.ids([start]),
      edgeKindById(kind)?.name as EdgeKindName,
      ...world.ids([end]),
    ]),
    repairs: repairs.map(({ kind, object: what, principal }) => [
      kind,
      ...world.ids([what]),
      ...(principal === undefined ? [] : world.ids([principal])),
    ]),
  };
};

describe('what to change here', () => {
  it.each([20, 21, 60])('says whether %i relations and repairs are all of them', (count) => {
    const hosts = Array.from({ length: count }, (_, at) => `H${String(at).padStart(2, '0')}`);
    const krbtgt = `${SID}-502`;
    const given: World = {
      things: [
        [krbtgt, 'User', { enabled: false, name: 'KRBTGT@CORP.LOCAL' }],
        ...hosts.map((id): World['things'][number] => [id, 'Computer', { enabled: true, name: id }]),
      ],
      facts: hosts.map((id) => [id, 'AllowedToAct', krbtgt]),
    };
    const found = findIn(given);
    expect(found.of('KrbtgtDelegation')).toContain(krbtgt);
    const type = FINDING_TYPES.findIndex(({ id }) => id === 'KrbtgtDelegation');
    const told = evidenceOf(contextOf(found.world), { type, target: found.world.node(krbtgt) });
    expect([told.relations.length, told.repairs.length]).toEqual([Math.min(count, 50), Math.min(count, 20)]);
    expect(told.isComplete).toEqual({ relations: count <= 50, repairs: count <= 20 });
  });

  it('of a member from another domain is the membership that the finding objects to, never its own groups', () => {
    const given: World = {
      things: [
        ['FOREIGN', 'User', { domainsid: OTHER_SID, enabled: true, name: 'FOREIGN@OTHER.LOCAL' }],
        ['ADMINS', 'Group', { name: 'ADMINS@CORP.LOCAL' }],
        ['PRINTERS', 'Group', { name: 'PRINTERS@CORP.LOCAL' }],
        [`${OTHER_SID}-513`, 'Group', { domainsid: OTHER_SID, name: 'DOMAIN USERS@OTHER.LOCAL' }],
        ['AUTHENTICATED', 'Group', { name: 'AUTHENTICATED USERS@CORP.LOCAL' }],
      ],
      facts: [
        ['FOREIGN', 'MemberOf', 'ADMINS'],
        ['FOREIGN', 'MemberOf', 'PRINTERS'],
        ['FOREIGN', 'MemberOf', `${OTHER_SID}-513`, {}, 8],
      ],
      tierZero: ['ADMINS'],
    };
    const { relations, repairs } = evidence(given, 'NestedForeignPrincipals', 'FOREIGN');
    expect(relations).toEqual([['FOREIGN', 'MemberOf', 'ADMINS']]);
    expect(repairs).toEqual([['remove-member', 'ADMINS', 'FOREIGN']]);
    // The finding is reported where the membership must be removed.
    const { result, texts, world } = findIn(given);
    const at = texts.indexOf('NestedForeignPrincipals: FOREIGN');
    const environment = result.environments.nodes[result.found.environments[at]];
    expect(world.ids([environment])).toEqual([SID]);
  });

  it.each([
    ['AzureT0DisabledUser', { enabled: false }],
    ['AzureT0GuestHolder', { usertype: 'Guest' }],
    ['AzureT0StaleUser', { lastsuccessfulsignindatetime: '2020-01-01T00:00:00Z' }],
    ['AzureT0SyncedUser', { onpremsyncenabled: true }],
  ] as const)('of %s are the roles and groups of Tier Zero that the user has, and no others', (id, props) => {
    const role = (name: string): Thing => [name, 'AZRole', { name }];
    const given: World = {
      things: [
        ['ANN', 'AZUser', { name: 'ANN@TENANT', ...props }],
        ...[role('ADMINS'), role('APPROVERS'), role('READERS')],
        ['GROUP', 'AZGroup', { name: 'GROUP' }],
      ],
      facts: [
        ['ANN', 'AZHasRole', 'ADMINS'],
        ['ANN', 'AZRoleEligible', 'APPROVERS'],
        ['ANN', 'AZMemberOf', 'GROUP'],
        ['ANN', 'AZHasRole', 'READERS'],
      ],
      tierZero: ['ANN', 'ADMINS', 'APPROVERS', 'GROUP'],
    };
    const { relations, repairs } = evidence(given, id, 'ANN');
    expect(relations.map(([, kind, end]) => `${kind} ${end}`).sort()).toEqual([
      'AZHasRole ADMINS',
      'AZMemberOf GROUP',
      'AZRoleEligible APPROVERS',
    ]);
    expect(repairs.map((one) => one.join(' ')).sort()).toEqual([
      'remove-member GROUP ANN',
      'remove-role ADMINS ANN',
      'remove-role APPROVERS ANN',
    ]);
  });

  it('in Pre-Windows 2000 Compatible Access are the broad members, never the computer of an authority', () => {
    const group = `CORP.LOCAL-S-1-5-32-554`;
    const given: World = {
      things: [
        [group, 'Group'],
        ['CORP.LOCAL-S-1-5-11', 'Group'],
        ['CAHOST', 'Computer', { enabled: true }],
      ],
      facts: [
        ['CORP.LOCAL-S-1-5-11', 'MemberOf', group],
        ['CAHOST', 'MemberOf', group],
      ],
    };
    const { relations, repairs } = evidence(given, 'PreWindows2000Access', group);
    expect(relations).toEqual([['CORP.LOCAL-S-1-5-11', 'MemberOf', group]]);
    expect(repairs).toEqual([['remove-member', group, 'CORP.LOCAL-S-1-5-11']]);
  });

  it('of exceptions of Netlogon is the list on all controllers of the domain, and emptying it closes the finding', () => {
    const key = 'vulnerablenetlogonsecuritydescriptor';
    const controller = (id: string, list: string, domainsid = SID): Thing => [
      id,
      'Computer',
      { enabled: true, domainsid, [key]: list, [`${key}collected`]: true },
    ];
    const things = [
      ...[controller('DC1', 'O:BAG:BA'), controller('DC2', 'O:BAG:BA'), controller('DC3', '')],
      controller('ELSEWHERE', 'O:BAG:BA', OTHER_SID),
    ];
    const given: World = {
      things,
      facts: things.map(([id]) => [id, 'DCFor', id === 'ELSEWHERE' ? OTHER_SID : SID]),
    };
    const found = findIn(given);
    const type = FINDING_TYPES.findIndex(({ id }) => id === 'DCVulnerableNetlogonAllowList');
    const context = contextOf(found.world);
    const { repairs } = evidenceOf(context, { type, target: found.world.node('DC1') });
    expect(repairs.map(({ kind, object }) => [kind, ...found.world.ids([object])])).toEqual([
      ['controllers-netlogon-exceptions', SID],
    ]);
    const { properties } = repairs[0].change;
    expect(properties.map(({ node, value }) => [...found.world.ids([node]), value])).toEqual([
      ['DC1', ''],
      ['DC2', ''],
    ]);
    const changed = new Map(properties.map(({ node, value }) => [found.world.ids([node])[0], value]));
    const after = things.map(
      ([id, kind, props]): Thing => [
        id,
        kind,
        { ...props, ...(changed.has(id) && { [key]: changed.get(id) ?? null }) },
      ],
    );
    expect(found.of('DCVulnerableNetlogonAllowList')).toEqual(['DC1', 'DC2', 'ELSEWHERE']);
    expect(findIn({ ...given, things: after }).of('DCVulnerableNetlogonAllowList')).toEqual(['ELSEWHERE']);
  });

  it('of a group in a cycle are the memberships of the cycle, and any that ends it closes the finding', () => {
    const groups = (...ids: string[]) => ids.map((id): Thing => [id, 'Group', { name: `${id}@CORP.LOCAL` }]);
    const ring: World = {
      things: groups('GUESTS', 'ARCHIVE', 'OLD', 'STAFF'),
      facts: [
        ['GUESTS', 'MemberOf', 'ARCHIVE'],
        ['ARCHIVE', 'MemberOf', 'OLD'],
        ['OLD', 'MemberOf', 'GUESTS'],
        ['STAFF', 'MemberOf', 'GUESTS'],
        ['OLD', 'MemberOf', 'STAFF'],
      ],
    };
    const closing = (given: World, object: string): string[][] =>
      closingOf(findIn(given), given, 'CircularMembership', object).map((all) => all.sort());
    // Two cycles share two memberships: each of these ends both.
    expect(closing(ring, 'GUESTS').sort()).toEqual([['ARCHIVE MemberOf OLD'], ['GUESTS MemberOf ARCHIVE']]);
    const two: World = { ...ring, facts: [...(ring.facts ?? []), ['GUESTS', 'MemberOf', 'OLD']] };
    const alone = closing(
      { ...two, facts: [...(two.facts ?? []), ['OLD', 'MemberOf', 'ARCHIVE']] },
      'GUESTS',
    );
    expect(alone).toEqual([
      ['GUESTS MemberOf ARCHIVE', 'GUESTS MemberOf OLD'],
      ['OLD MemberOf GUESTS', 'STAFF MemberOf GUESTS'],
    ]);
  });

  it('of SID history are its entries, and the finding disappears with the last of them', () => {
    const former = [`${OTHER_SID}-1105`, `${OTHER_SID}-1106`];
    const given: World = {
      things: [
        ['TWO', 'User', { enabled: true, sidhistory: former }],
        ['ONE', 'User', { enabled: true, sidhistory: `${OTHER_SID}-1105` }],
        ...former.map((id): Thing => [id, 'Base', { domainsid: OTHER_SID }]),
      ],
      facts: [
        ['TWO', 'HasSIDHistory', former[0]!],
        ['TWO', 'HasSIDHistory', former[1]!],
        ['ONE', 'HasSIDHistory', former[0]!],
      ],
    };
    const found = findIn(given);
    const id = 'SIDHistoryPresent';
    const type = FINDING_TYPES.findIndex((one) => one.id === id);
    const after = (object: string, count: number): string[] => {
      const question = { type, target: found.world.node(object) };
      const { repairs, closing } = evidenceOf(contextOf(found.world), question);
      expect([...closing].length).toBe(object === 'ONE' ? 1 : 0);
      const { removed, properties } = changeOf(repairs.slice(0, count));
      const gone = new Set(textsOf(found, removed));
      const values = new Map(properties.map(({ node, value }) => [found.world.ids([node])[0], value]));
      return findIn({
        things: given.things.map(([name, kind, props]) => {
          const value = values.get(name);
          return [name, kind, { ...props, ...(value !== undefined && { sidhistory: value }) }];
        }),
        facts: (given.facts ?? []).filter((fact) => !gone.has(factText(fact))),
      })
        .of(id)
        .sort();
    };
    expect(found.of(id).sort()).toEqual(['ONE', 'TWO']);
    expect([after('ONE', 1), after('TWO', 1), after('TWO', 2)]).toEqual([['TWO'], ['ONE', 'TWO'], ['ONE']]);
  });

  it('of a synchronization server never close the finding: it belongs to Tier Zero without any', () => {
    const given: World = {
      things: [
        ['DC', 'Computer', { enabled: true, name: 'DC.CORP.LOCAL' }],
        ['SYNCHOST', 'Computer', { enabled: true, name: 'SYNCHOST.CORP.LOCAL' }],
        ['CLOUD', 'AZUser', { name: 'SYNC_SYNCHOST_0123456789AB@CORP.ONMICROSOFT.COM' }],
        ['ADMINS', 'Group', { name: 'ADMINS@CORP.LOCAL' }],
        ['PC', 'Computer', { enabled: true, name: 'PC.CORP.LOCAL' }],
      ],
      facts: [
        ['DC', 'DCFor', SID],
        ['SYNCHOST', 'AdminTo', 'DC'],
        ['ADMINS', 'AdminTo', 'DC'],
        ['ADMINS', 'AdminTo', 'PC'],
      ],
      tierZero: ['DC', 'PC'],
    };
    const found = findIn(given);
    expect(found.of('ProbablyTierZero').sort()).toEqual(['ADMINS', 'SYNCHOST']);
    expect(closingOf(found, given, 'ProbablyTierZero', 'SYNCHOST')).toEqual([]);
    // Only administration of controllers counts.
    expect(closingOf(found, given, 'ProbablyTierZero', 'ADMINS')).toEqual([['ADMINS AdminTo DC']]);
  });

  it('of replication rights that may not be needed is a question, and takes nothing away', () => {
    const given: World = {
      things: [['SYNC', 'User', { enabled: true, name: 'MSOL_12AB@CORP.LOCAL' }]],
      facts: [
        ['SYNC', 'DCSync', SID],
        ['SYNC', 'GetChangesAll', SID],
      ],
      tierZero: [SID, 'SYNC'],
    };
    const { repairs, advice, relations } = evidence(given, 'ConnectorReplicationRights', 'SYNC');
    expect([repairs, advice]).toEqual([[], []]);
    expect(relations).toContainEqual(['SYNC', 'GetChangesAll', SID]);
  });

  it('of passwords that read-only controllers may keep are the members that are missing', () => {
    const given: World = {
      things: [
        [`${SID}-512`, 'Group', { name: 'DOMAIN ADMINS@CORP.LOCAL' }],
        [`${SID}-520`, 'Group', { name: 'GROUP POLICY CREATOR OWNERS@CORP.LOCAL' }],
        [`${SID}-572`, 'Group', { name: 'DENIED@CORP.LOCAL' }],
        ['CORP.LOCAL-S-1-5-32-544', 'Group'],
      ],
      facts: [
        [`${SID}-512`, 'MemberOf', 'CORP.LOCAL-S-1-5-32-544'],
        [`${SID}-512`, 'MemberOf', `${SID}-572`],
      ],
    };
    expect(evidence(given, 'RodcDeniedGroupIncomplete', `${SID}-572`).advice).toEqual([
      'Add to DENIED@CORP.LOCAL: GROUP POLICY CREATOR OWNERS@CORP.LOCAL.',
    ]);
  });

  it('of a connector account is never its replication rights, and the advice says where it belongs', () => {
    const given: World = {
      things: [['SYNC', 'User', { enabled: true, name: 'MSOL_12AB@CORP.LOCAL' }]],
      facts: [
        ['SYNC', 'DCSync', SID],
        ['SYNC', 'GetChanges', SID],
        ['SYNC', 'GetChangesAll', SID],
        ['SYNC', 'GenericAll', SID],
      ],
      tierZero: [SID],
    };
    const { repairs, advice } = evidence(given, 'ProbablyTierZero', 'SYNC');
    expect(repairs).toEqual([['remove-permission', SID, 'SYNC']]);
    expect(advice.join(' ')).toContain('password hash synchronization stops');
    const found = findIn(given);
    const type = FINDING_TYPES.findIndex(({ id }) => id === 'NonT0DCSyncers');
    const at = found.texts.indexOf(`NonT0DCSyncers: SYNC -> ${SID}`);
    const { edgeKinds } = found.result.found;
    const question = {
      type,
      source: found.world.node('SYNC'),
      edgeKind: edgeKinds[at],
      target: found.world.node(SID),
    };
    const told = evidenceOf(contextOf(found.world), question, tierZeroOf(found, given));
    expect(told.repairs).toEqual([]);
    expect(told.advice.join(' ')).toContain('Tier Zero');
  });

  it('of a computer in a privileged group names the group, and takes it out', () => {
    const given: World = {
      things: [
        ['PC', 'Computer', { enabled: true }],
        ['ADMINS', 'Group', { name: 'ADMINS@CORP.LOCAL' }],
        ['STAFF', 'Group', { name: 'STAFF@CORP.LOCAL' }],
      ],
      facts: [
        ['PC', 'MemberOf', 'ADMINS'],
        ['PC', 'MemberOf', 'STAFF'],
      ],
      tierZero: ['ADMINS'],
    };
    const { relations, repairs } = evidence(given, 'ComputersInPrivilegedGroups', 'PC');
    expect(relations).toEqual([['PC', 'MemberOf', 'ADMINS']]);
    expect(repairs).toEqual([['remove-member', 'ADMINS', 'PC']]);
  });

  it('of a template names the authorities that publish it and who may enroll', () => {
    const [given] = [CASES.TemplateESC1].flat();
    const { relations, repairs } = evidence(given, 'TemplateESC1', 'BAD');
    expect(relations).toEqual([
      ['BAD', 'PublishedTo', 'CA'],
      ['STAFF', 'Enroll', 'BAD'],
    ]);
    expect(repairs.map(([kind]) => kind)).toEqual([
      'template-subject',
      'remove-enrollment',
      'template-approval',
      'unpublish-template',
    ]);
  });

  it.each([
    'TemplateESC1',
    'TemplateESC2',
    'TemplateESC15',
    'TemplateESC17',
    'TemplateAgentOpen',
    'TemplateNoSecurityExtension',
  ])('of %s are the settings that each close it', (id) => {
    const [given] = [CASES[id]].flat() as Case[];
    const found = findIn(given!);
    const [object] = found.of(id);
    const context = contextOf(found.world);
    const type = FINDING_TYPES.findIndex((one) => one.id === id);
    const question = { type, target: found.world.node(object!) };
    const { closing } = evidenceOf(context, question, tierZeroOf(found, given!));
    const isOpenAfter = (setting: SettingName): boolean => {
      const [{ key, value }] = settingChanges(context, setting, question.target) as [PropertyChange];
      const things = given!.things.map(
        ([name, kind, props]): Thing => [name, kind, { ...props, ...(name === object && { [key]: value }) }],
      );
      return findIn({ ...given!, things })
        .of(id)
        .includes(object!);
    };
    const all = ['template-subject', 'template-approval', 'template-security-extension'] as const;
    const offered = [...closing].map(({ kind }) => kind);
    for (const setting of all)
      expect([setting, isOpenAfter(setting)]).toEqual([setting, !offered.includes(setting)]);
  });
});

it('removes the rights on a template whose flags outsiders may write, and keeps it published', () => {
  const [given] = [CERTIFICATES_CASES.TemplateFlagsWritable].flat() as readonly World[];
  const { relations, repairs } = evidence(given!, 'TemplateFlagsWritable', 'BAD');
  expect(relations).toContainEqual(['BAD', 'PublishedTo', 'CA']);
  expect(repairs.map(([kind]) => kind)).toEqual(['remove-enrollment']);
});
