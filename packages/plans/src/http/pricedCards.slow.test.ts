/**
 * Cards with their reasons through the real service, for a hand-made forest: why this change, why not another, questions and their answers.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { addAgents, handFiles } from '@clew/planning/testing';
import { ServiceUnderTest } from '@clew/service/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

const HAND = new URL('../../../planning/test/hand.zip', import.meta.url);

let test: ServiceUnderTest;

const planned = async (query = ''): Promise<Json> => {
  await vi.waitUntil(async () => (await test.call('GET', `plan${query}`)).json.data?.computing === null, {
    timeout: 120_000,
  });
  return test.data('GET', `plan${query}`);
};

beforeAll(async () => {
  test = await ServiceUnderTest.start({ CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' });
  await test.uploadBytes([await readFile(HAND)]);
}, 240_000);
afterAll(() => test.stop());

it('says of each change why, who uses what it takes, and what would do the same', async () => {
  const { cards, decisions, end } = await planned();
  const packages: Json[] = cards.flatMap((card: Json) => card.packages);
  const group = packages.find(({ title }) =>
    title.startsWith('Remove DOMAIN USERS@HAND.TEST from T0_SERVER_ADMINS'),
  );
  expect(group).toMatchObject({
    ...{ cost: 1, is_kept: false, why: 'DOMAIN USERS@HAND.TEST contains nearly everyone.' },
    prices: [{ reason: 'intruder', work: 1, breaks: 0, change_count: 1 }],
    uses: {
      active_count: expect.any(Number),
      text: expect.stringMatching(/^\d+ of the principals that lose access/),
    },
  });
  expect(group.not_this.map(({ text }: Json) => text)).toContainEqual(
    expect.stringMatching(
      /^Not: remove T0_SERVER_ADMINS@HAND.TEST from .+: T0_SERVER_ADMINS@HAND.TEST administers 1 of/,
    ),
  );
  expect(group.not_this[0].packages[0]).toMatchObject({
    is_kept: true,
    references: [{ kind: 'remove-local-member' }],
  });
  expect(packages.flatMap(({ title }) => title).filter((title) => /Remote Desktop/.test(title))).toEqual([]);
  expect({ reason: end.reason, decisions }).toEqual({ reason: 'goal', decisions: [] });
});

it('counts those who lose access in the same way on each card and its packages', async () => {
  const { cards } = await planned('?goal=0&limit=50');
  const counts: [card: number, packages: number[]][] = cards.map((card: Json) => [
    card.affected_count,
    card.packages.map((one: Json) => one.affected_count),
  ]);
  const alone = counts.filter(([, packages]) => packages.length === 1);
  expect(alone.length).toBeGreaterThan(0);
  for (const [card, [only]] of alone) expect(card).toBe(only);
  // Principals that lose access through two packages count once.
  for (const [card, packages] of counts) {
    expect(card).toBeGreaterThanOrEqual(Math.max(...packages));
    expect(card).toBeLessThanOrEqual(packages.reduce((sum, count) => sum + count, 0));
  }
  expect(Math.max(...counts.map(([card]) => card))).toBeGreaterThan(0);
});

it('keeps answers to its questions, and plans with them', async () => {
  const before = await planned('?goal=0&limit=50');
  const asked: Json = before.cards
    .flatMap((card: Json) => card.packages)
    .find(({ questions }: Json) => questions.length > 0);
  const [question] = asked.questions;
  expect(question).toMatchObject({
    question: expect.stringMatching(/\?$/),
    unneeded: { cost: expect.any(Number) },
  });
  const body = { subject: 'unneeded', repairs: question.references, reason: 'no one has used it for a year' };
  const made = await test.call('POST', 'plan/constraints', body);
  expect([made.status, made.json.data.subject]).toEqual([201, 'unneeded']);
  const after = await planned('?goal=0&limit=50');
  const answered: Json = after.cards
    .flatMap((card: Json) => card.packages)
    .find(({ key }: Json) => key === asked.key);
  expect(answered).toMatchObject({
    why: 'Someone answered that no one needs it.',
    cost: question.unneeded.cost,
  });
  expect(answered.questions).toEqual([]);
  expect(after.excluded).toMatchObject({ constraints: [{ subject: 'unneeded' }] });
  await test.call('DELETE', `plan/constraints/${made.json.data.id}`);
});

it('counts what falls with a synchronization server by the rights of its connector account: all 375', async () => {
  const filter = 'finding=eq:ProbablyTierZero&limit=100';
  const rows: Json[] = (await test.call('GET', `attack-paths/findings?${filter}`)).json.data;
  expect(rows.map((row) => [row.target_principal_name, row.impact_count]).sort()).toEqual([
    ['AADC01.HAND.TEST', 375],
    ['MSOL_0A1B2C3D4E5F@HAND.TEST', 375],
    ['SERVER TEAM@HAND.TEST', 375],
  ]);
  const query = 'MATCH p = (:Computer)-[:SynchronizesAs]->(:User) RETURN p';
  const { nodes } = (await test.call('POST', 'graphs/cypher', { query })).json.data;
  expect(
    Object.values(nodes as Json)
      .map(({ label }: Json) => label)
      .sort(),
  ).toEqual(['AADC01.HAND.TEST', 'MSOL_0A1B2C3D4E5F@HAND.TEST']);
});

it('says of each critical and high finding of a list whether the plan ends it', async () => {
  await planned();
  const listed = async (): Promise<Json[]> =>
    (await test.call('GET', 'attack-paths/findings?finding_type=eq:list&limit=1000')).json.data.filter(
      ({ severity }: Json) => severity === 'critical' || severity === 'high',
    );
  const isSaid = ({ closed_by, not_closed, lowered_by }: Json) => closed_by ?? not_closed ?? lowered_by;
  await vi
    .waitUntil(async () => (await listed()).every(isSaid), { timeout: 30_000, interval: 200 })
    .catch(() => {});
  const rows = await listed();
  expect(rows.filter((row) => !isSaid(row)).map(({ finding }) => finding)).toEqual([]);
  expect(rows).toHaveLength(10);
  const closed = rows.filter((row) => row.closed_by !== undefined);
  expect(closed.map(({ finding }) => finding).sort()).toEqual([
    'BroadGroupInAdministrators',
    'TemplateAgentOpen',
    'TemplateESC1',
  ]);
});

it('refuses an answer that names no changes', async () => {
  const refused = await test.call('POST', 'plan/constraints', {
    subject: 'unneeded',
    object_id: 'X',
    reason: 'r',
  });
  expect([refused.status, refused.json.errors[0].message]).toEqual([
    400,
    expect.stringContaining('a constraint on unneeded has repairs, and nothing else'),
  ]);
});

/** The template for users, of version 1, now names the subject and does not allow logon: ADCSESC15. */
const openTemplate = () => {
  const sid = 'S-1-5-21-989376793-2474125187-1697477595';
  const entry = (holder: string, right: string) => ({
    ...{ PrincipalSID: `${sid}-${holder}`, PrincipalType: 'Group', RightName: right },
    ...{ IsInherited: false, InheritanceHash: '' },
  });
  const usages = ['1.3.6.1.5.5.7.3.1'];
  return {
    meta: { type: 'certtemplates', version: 6, count: 1, methods: 0 },
    data: [
      {
        ObjectIdentifier: '2229D4D6-67E0-509C-8F3A-9E5A9E839503',
        Aces: [entry('512', 'GenericAll'), entry('513', 'Enroll')],
        ...{ IsDeleted: false, IsACLProtected: false, ContainedBy: null },
        Properties: {
          ...{ domain: 'HAND.TEST', name: 'USER@HAND.TEST', domainsid: sid },
          distinguishedname:
            'CN=USER,CN=CERTIFICATE TEMPLATES,CN=PUBLIC KEY SERVICES,CN=SERVICES,CN=CONFIGURATION,DC=HAND,DC=TEST',
          ...{ schemaversion: 1, authorizedsignatures: 0, requiresmanagerapproval: false },
          ...{ authenticationenabled: false, schannelauthenticationenabled: false },
          ...{ enrolleesuppliessubject: true, nosecurityextension: false },
          ...{ ekus: usages, effectiveekus: usages, certificateapplicationpolicy: usages },
          ...{ applicationpolicies: [], issuancepolicies: [], certificatepolicy: [] },
        },
      },
    ],
  };
};

/** Receives the webhooks. */
async function startReceiver() {
  const events: Json[] = [];
  const server = createServer(async (request, response) => {
    events.push(JSON.parse(await text(request)));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const eventOf = async (type: string): Promise<Json> => {
    const last = () => events.findLast((event) => event.type === type && event.data.because !== undefined);
    await vi.waitUntil(() => last() !== undefined, { timeout: 120_000, interval: 100 });
    return last();
  };
  return { url, eventOf, stop: () => server.close() };
}

/** Reads the reasons of ESC15 findings in the list, file, groups and inbox. */
async function reasonsShown(): Promise<Record<string, unknown[]>> {
  const isOf15 = ({ finding }: Json): boolean => /ESC15/.test(finding);
  const list = (await test.data('GET', 'attack-paths/findings?limit=1000')).filter(isOf15);
  const groups = (await test.data('GET', 'attack-paths/finding-groups?by=type&limit=1000'))
    .map(({ lead }: Json) => lead)
    .filter(isOf15);
  const inbox = (await test.data('GET', 'inbox?all=true&limit=200')).groups.flatMap(
    ({ items }: Json) => items,
  );
  const of = (kind: string) =>
    inbox
      .filter((item: Json) => item.kind === kind && isOf15(item.finding))
      .map(({ finding }: Json) => finding);
  const file = await fetch(`${test.service.url}/api/v2/attack-paths/findings?Accept=text/csv`, {
    headers: { authorization: test.authorization },
  });
  const lines = (await file.text()).trim().split('\r\n');
  expect(lines[0]).toMatch(
    /,ChangedBecause,Due,ID,ExposureCount,ExposurePercentage,ImpactCount,ImpactPercentage$/,
  );
  const reasons = (findings: Json[]) => [...new Set(findings.map(({ changed_because }) => changed_because))];
  return {
    ...{
      list: reasons(list),
      groups: reasons(groups),
      opened: reasons(of('opened')),
      closed: reasons(of('closed')),
    },
    file: [...new Set(lines.filter((line) => /ESC15/.test(line)).map((line) => line.split(',').at(-7)))],
  };
}

it('asks whether an authority has the update of November 2024, and the answer decides plan, exposure and findings', async () => {
  await test.upload(openTemplate());
  const rows = async (): Promise<number> =>
    (await test.data('GET', 'attack-paths/findings?finding=eq:LargeDefaultGroupsADCSESC15&limit=10')).length +
    (await test.data('GET', 'attack-paths/findings?finding=eq:T0ADCSESC15&limit=10')).length;
  const exposed = ({ before }: Json): number => before[0].exposed_count;
  const open = await planned();
  expect(open.authority_questions).toEqual([
    {
      authority: expect.objectContaining({ name: 'CA@HAND.TEST', kind: 'EnterpriseCA' }),
      question: 'Is the update of November 2024 (CVE-2024-49019) installed on CA@HAND.TEST?',
      templates: [expect.objectContaining({ name: 'USER@HAND.TEST' })],
      ...{ template_count: 1, principal_count: expect.any(Number), answer: null },
    },
  ]);
  expect(await rows()).toBeGreaterThan(0);
  const { object_id: id } = open.authority_questions[0].authority;

  const before = new Date().toISOString();
  const place = (await test.call('GET', 'changes')).json.next;
  const receiver = await startReceiver();
  const hook = await test.call('POST', 'webhooks', {
    ...{ name: 'answers', url: receiver.url, event_types: ['finding.opened', 'finding.resolved'] },
  });
  expect(hook.status).toBe(201);
  const kept = await test.call('PUT', `plan/authority-answers/${id}`, { is_updated: true });
  expect([kept.status, kept.json.data]).toEqual([
    200,
    expect.objectContaining({ authority_id: id, name: 'CA@HAND.TEST', is_updated: true }),
  ]);
  await vi.waitUntil(async () => (await rows()) === 0, { timeout: 120_000, interval: 500 });
  const answered = await planned();
  expect(answered.generation).toBeGreaterThan(open.generation);
  // The question stays with its answer; the relationship says whose answer excludes it.
  expect(answered.authority_questions[0].answer).toEqual(kept.json.data);
  const { answered_by, answered_at } = kept.json.data;
  const query = 'MATCH p = ()-[:ADCSESC15Updated]->() RETURN p';
  const { edges } = (await test.call('POST', 'graphs/cypher', { query, include_properties: true })).json.data;
  expect(Object.values(edges)).toContainEqual(
    expect.objectContaining({
      kind: 'ADCSESC15Updated',
      properties: expect.objectContaining({ answeredby: answered_by, answeredat: answered_at }),
    }),
  );
  expect((await test.data('GET', 'audit?action=eq:AnswerAuthorityQuestion')).logs).toHaveLength(1);

  // Posture, the feed, the difference and the closed findings name the user, the answer and its time.
  const day = answered_at.slice(0, 10);
  const because = `${answered_by} answered on ${day} that the update of November 2024 (CVE-2024-49019) is installed on CA@HAND.TEST`;
  const summary = await test.data('GET', 'posture/summary');
  expect(summary.authority_answers).toEqual([
    {
      ...{ authority_id: id, name: 'CA@HAND.TEST', answered_by, answered_at: expect.any(String) },
      text: `ESC15 of CA@HAND.TEST does not count: ${answered_by} answered on ${day} that the update is installed`,
    },
  ]);
  expect(summary.analysis_changes.at(-1)).toMatchObject({
    cause: 'answers',
    came_count: 0,
    because: [because],
  });
  expect(summary.analysis_changes.at(-1).went_count).toBeGreaterThan(0);
  const feed = (await test.call('GET', `changes?since=${encodeURIComponent(place)}`)).json.data;
  const ended = feed.filter(
    ({ type, finding }: Json) => type === 'finding.resolved' && /ESC15/.test(finding.finding),
  );
  expect(ended.length).toBeGreaterThan(0);
  for (const { cause, finding } of ended)
    expect({ cause, ...finding }).toMatchObject({
      ...{ cause: 'answers', status: 'deprecated', changed_by: 'answers', changed_because: because },
    });
  const { findings } = await test.data('GET', `analysis/difference?since=${before}&by=answers`);
  expect(findings).toMatchObject({ because: [because], went_count: findings.causes.answers.went_count });
  expect(findings.causes).toMatchObject({ rules: { went_count: 0 } });

  const none = { list: [], groups: [], opened: [], file: [] };
  expect(await reasonsShown()).toEqual({ ...none, closed: [because] });
  expect((await receiver.eventOf('finding.resolved')).data.because).toEqual([because]);

  // After "no" or a withdrawal, the authority counts as before.
  await test.call('PUT', `plan/authority-answers/${id}`, { is_updated: false });
  await vi.waitUntil(async () => (await rows()) > 0, { timeout: 120_000, interval: 500 });
  expect(exposed(await planned())).toBe(exposed(open));
  expect(await test.data('GET', 'plan/authority-answers')).toMatchObject([{ is_updated: false }]);
  const not = because.replace('is installed', 'is not installed');
  const each = { list: [not], groups: [not], opened: [not], file: [not] };
  expect(await reasonsShown()).toEqual({ ...each, closed: [because] });
  expect((await receiver.eventOf('finding.opened')).data.because).toEqual([not]);
  receiver.stop();
  const again = await test.data('GET', 'posture/summary');
  expect(again.authority_answers).toEqual([]);
  expect(again.analysis_changes.at(-1)).toMatchObject({
    cause: 'answers',
    because: [expect.stringMatching(/ is not installed on CA@HAND\.TEST$/)],
  });
  expect((await test.call('DELETE', `plan/authority-answers/${id}`)).status).toBe(204);
  expect((await test.call('DELETE', `plan/authority-answers/${id}`)).status).toBe(404);
  expect((await test.call('PUT', 'plan/authority-answers/X', { is_updated: true })).status).toBe(404);
}, 400_000);

it('says of 45 severe rows of lists which 38 the plan ends, and these end when its changes are made', async () => {
  const files = await handFiles();
  const { certtemplates, enterprisecas, groups } = files;
  addAgents(files, 35);
  const severe = async (): Promise<Json[]> =>
    (await test.data('GET', 'attack-paths/findings?finding_type=eq:list&limit=1000')).filter(
      ({ severity }: Json) => severity === 'critical' || severity === 'high',
    );
  await test.upload(certtemplates, enterprisecas);
  await test.settled();
  await planned();
  const isSaid = ({ closed_by, not_closed, lowered_by }: Json) => closed_by ?? not_closed ?? lowered_by;
  await vi.waitUntil(async () => (await severe()).length === 45 && (await severe()).every(isSaid), {
    ...{ timeout: 120_000, interval: 500 },
  });
  const rows = await severe();
  const ended = rows.filter((row) => row.closed_by !== undefined);
  expect([rows.length, ended.length]).toEqual([45, 38]);

  for (const template of certtemplates.data) {
    if (template.Properties.name === 'WEBSERVER-CLIENT@HAND.TEST')
      template.Properties.requiresmanagerapproval = true;
    if (template.Properties.name.startsWith('AGENT'))
      template.Aces = template.Aces.filter(({ PrincipalSID }: Json) => !PrincipalSID.endsWith('-513'));
  }
  for (const group of groups.data)
    if (group.Properties.name === 'T0_SERVER_ADMINS@HAND.TEST')
      group.Members = group.Members.filter(
        ({ ObjectIdentifier }: Json) => !ObjectIdentifier.endsWith('-513'),
      );
  await test.upload(certtemplates, groups);
  await test.settled();
  const ids = new Set(ended.map(({ id }) => id));
  const open = async () => (await severe()).filter(({ id }) => ids.has(id)).map(({ title }) => title);
  await vi
    .waitUntil(async () => (await open()).length === 0, { timeout: 60_000, interval: 500 })
    .catch(() => {});
  expect(await open()).toEqual([]);
}, 400_000);

it('each card starts with the figures that the one before it leaves', async () => {
  const { before, cards } = await planned();
  const sum = (all: Json[], of: string): number => all.reduce((total, one) => total + one[of], 0);
  expect(cards.length).toBeGreaterThan(1);
  for (const [at, { exposed_before, principals_before }] of cards.entries()) {
    const earlier = cards[at - 1]?.exposure ?? before;
    expect([exposed_before, principals_before]).toEqual([
      sum(earlier, 'exposed_count'),
      sum(earlier, 'principal_count'),
    ]);
  }
});
