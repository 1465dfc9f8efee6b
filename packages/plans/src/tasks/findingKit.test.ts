/** Kits of findings outside the plan: which accounts have a script, by the facts of the graph. */
import { AnalysisContext, defaultOptions, findingTypesOf, remedyOf } from '@clew/analysis';
import type { Generation } from '@clew/generation';
import type { JsonObject } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, effortTable, NodeKind, type NodeKindName } from '@clew/model';
import { analyzedWorld } from '@clew/planning/testing';
import { TIER_ZERO } from '@clew/store';
import { expect, it } from 'vitest';
import { findingKit } from './findingKit.ts';
import type { PlanState } from './planState.ts';

const SID = 'S-1-5-21-1-2-3';
const OTHER = 'S-1-5-21-4-5-6';

const NODES: readonly (readonly [id: string, kind: NodeKindName, props: JsonObject])[] = [
  [SID, 'Domain', { domainsid: SID, collected: true }],
  [OTHER, 'Domain', { domainsid: OTHER, collected: true }],
  [`${SID}-1101`, 'User', { domainsid: SID, hasspn: false }],
  [`${SID}-1102`, 'User', { domainsid: SID, hasspn: true }],
  [`${SID}-1103`, 'User', { domainsid: SID }],
  [`${SID}-1104`, 'User', { domainsid: SID, hasspn: false }],
  [`${SID}-1105`, 'Computer', { domainsid: SID }],
  [`${SID}-1106`, 'Computer', { domainsid: SID }],
  [`${SID}-1107`, 'User', { domainsid: SID, gmsa: true, hasspn: true }],
];

const ASKED = { zone: TIER_ZERO, constraints: [], seen: null };

function stateIn(content: Parameters<typeof graphOf>[0]): PlanState {
  const test = graphOf(content);
  const context = new AnalysisContext({ ...test, options: defaultOptions() });
  const { graph } = test;
  const generation = {
    ...{ id: 1, publishedAt: '2026-06-01T00:00:00.000000Z', graph, zones: [], environments: [] },
    ...{ customNodeKinds: new Map(), customEdgeKinds: new Map() },
  } as unknown as Generation;
  return {
    ...{ generation, costs: {}, efforts: effortTable({}) },
    world: analyzedWorld({ context, graph, collected: graph, nodeOf: test.node }),
    before: () => ({ exposures: [], findings: new Map() }),
  } as unknown as PlanState;
}

function stateOf(): PlanState {
  return stateIn({
    nodes: NODES.map(([id, kind, props]) => ({
      ...{ id, name: `${id}@CORP.EXAMPLE`, environment: SID, props },
      kinds: [NodeKind.Base, NodeKind[kind]],
    })),
    edges: [
      [OTHER, EdgeKind.HasTrustKeys, `${SID}-1104`],
      [`${SID}-1106`, EdgeKind.DCFor, SID],
    ],
  });
}

it('scripts what stops no service, controller or trust, and gives the reason otherwise', async () => {
  const state = stateOf();
  const changeOf = async (finding: string, id: number) => {
    const input = { finding, source_id: '', target_id: `${SID}-${id}`, edge_kind: null, ...ASKED };
    return (await findingKit(state, input))?.changes[0];
  };
  const person = await changeOf('PasswordNeverExpires', 1101);
  expect(person?.script).toContain('# 2. Set a new password together with the owner before');
  for (const [finding, id, why] of [
    ['PasswordNeverExpires', 1102, 'The account has a service principal name.'],
    ['PasswordNeverExpires', 1103, 'The collection does not show whether'],
    ['DESOnlyAccounts', 1105, 'The account has a service principal name.'],
    ['PasswordNotRequired', 1104, 'It is the account of a trust'],
    ['StaleComputers', 1106, 'It is a domain controller'],
  ] as const) {
    const change = await changeOf(finding, id);
    expect([finding, id, change?.script]).toEqual([finding, id, null]);
    expect(change?.why).toContain(why);
    expect(change?.steps.length).toBeGreaterThan(2);
  }
  expect((await changeOf('StaleComputers', 1105))?.script).toContain('# May stop: Clusters');
});

it('asks no one to set the password of a managed account', async () => {
  const stepsOf = async (id: number) => {
    const of = {
      finding: 'T0OldPassword',
      source_id: '',
      target_id: `${SID}-${id}`,
      edge_kind: null,
      ...ASKED,
    };
    return (await findingKit(stateOf(), of))?.changes[0]?.steps.join('\n');
  };
  expect(await stepsOf(1101)).toContain('Change the password together with the owner');
  expect(await stepsOf(1107)).not.toContain('together with the owner');
  expect(await stepsOf(1107)).toContain('Test-ADServiceAccount');
});

it('says the remedy once in the readme, with a script and without one', async () => {
  const state = stateOf();
  for (const [finding, id, isScripted] of [
    ['StaleComputers', 1105, true],
    ['StaleComputers', 1106, false],
  ] as const) {
    const input = { finding, source_id: '', target_id: `${SID}-${id}`, edge_kind: null, ...ASKED };
    const readme = (await findingKit(state, input))?.files.find(({ name }) => name === 'README.md')?.text;
    const countOf = (text: string): number => (readme ?? '').split(text).length - 1;
    const { fix, verify } = remedyOf(
      findingTypesOf(state.generation.graph).find((type) => type.id === finding)!,
    );
    expect(readme).toContain(`- Successful if: ${verify.join(' ')}\n`);
    expect([id, countOf('whole remedy'), countOf(fix)]).toEqual([id, ...(isScripted ? [1, 0] : [0, 1])]);
  }
});

const idOf = (id: string): string => `${SID}-${id}`;

/** A deleted account with rights on two objects. */
const stateOfRights = (): PlanState =>
  stateOfGraph(
    [
      [SID, 'Domain'],
      [idOf('1200'), undefined],
      [idOf('1201'), 'Group'],
      [idOf('1202'), 'User'],
    ],
    [
      [idOf('1200'), EdgeKind.GenericAll, idOf('1201')],
      [idOf('1200'), EdgeKind.WriteDacl, idOf('1202')],
    ],
  );

function stateOfGraph(
  nodes: readonly (readonly [id: string, kind: NodeKindName | undefined, name?: string])[],
  edges: Parameters<typeof graphOf>[0]['edges'],
): PlanState {
  return stateIn({
    nodes: nodes.map(([id, kind, name = `${id}@CORP.EXAMPLE`]) => ({
      ...{ id, name: kind === undefined ? id : name, environment: SID },
      props: { domainsid: SID, ...(kind === undefined ? {} : { collected: true, enabled: true }) },
      kinds: kind === undefined ? [NodeKind.Base] : [NodeKind.Base, NodeKind[kind]],
    })),
    edges,
  });
}

it('has all repairs that close the finding together, and says so', async () => {
  const state = stateOfRights();
  const input = { finding: 'DeletedAccountRights', source_id: '', target_id: idOf('1200') };
  const kit = await findingKit(state, { ...input, edge_kind: null, ...ASKED });
  expect(kit?.changes.map(({ script }) => script === null)).toEqual([false, false]);
  expect(kit?.note).toBe('None of these 2 changes closes the finding alone: make all of them.');
  expect(kit?.files[0]?.text).toContain('None of these 2 changes closes the finding alone');
});

it('has the remedy of the finding in the readme and above each script of its repairs', async () => {
  const state = stateOfRights();
  const input = { finding: 'DeletedAccountRights', source_id: '', target_id: idOf('1200') };
  const kit = await findingKit(state, { ...input, edge_kind: null, ...ASKED });
  const { steps, care } = remedyOf(
    findingTypesOf(state.generation.graph).find(({ id }) => id === input.finding)!,
  );
  const scripts = kit?.changes.map(({ script }) => script ?? '') ?? [];
  expect(scripts).toHaveLength(2);
  expect(steps.length).toBeGreaterThan(1);
  for (const text of [kit?.files[0]?.text.replaceAll('\\', ''), ...scripts])
    for (const part of [...steps, care]) expect(text).toContain(part);
});
