/** Tests the plan on the command line and over HTTP, with a running service. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CardRecord, PackageRecord, PlanRecord, SimulationRecord, UnifiedFindingRow } from '@clew/api';
import { ApiError, ClewClient } from '@clew/client';
import { costText, effortWords, shareOf } from '@clew/model';
import { ADMIN_PASSWORD, type ServiceHere, serveHere } from '@clew/service/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConstraints } from '../test/plan/constraints.ts';
import { type RunningPlan, referencesOf } from '../test/plan/runningPlan.ts';
import { testStartedPlans } from '../test/plan/startedPlans.ts';
import { runCommand } from '../test/runCommand.ts';

let directory: string;
let service: ServiceHere;
let client: ClewClient;
let plan: PlanRecord;

const running: RunningPlan = {
  get client() {
    return client;
  },
  get plan() {
    return plan;
  },
  get user() {
    return { url: service.url, home: join(directory, 'home'), directory };
  },
  clew: (...args) => runCommand(running.user, args),
};
const { clew } = running;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-plan-'));
  service = await serveHere(directory);
  client = new ClewClient({ url: service.url });
  await client.login('admin', ADMIN_PASSWORD);
  await clew('login', '--user', 'admin');
  const archive = join(directory, 'forest.zip');
  await writeForestZip(generateForest({ users: 150, seed: 11 }), archive);
  const { jobId } = await client.uploadFiles([archive]);
  await client.waitForJob(jobId);
  plan = await client.plan({ limit: 5 });
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

const principalsOf = (exposures: PlanRecord['before']): number =>
  exposures.reduce((sum, { principal_count }) => sum + principal_count, 0);

const exposed = (exposures: PlanRecord['before']): number =>
  exposures.reduce((sum, { exposed_count }) => sum + exposed_count, 0);

describe('the plan', () => {
  it('determines the order of findings: rows name the repair that closes them, and repairs group them', async () => {
    const closing = plan.cards.findIndex(({ closed_count }) => Number(closed_count) > 0) + 1;
    // The list is updated right after the plan is stored.
    let rows: UnifiedFindingRow[] = [];
    for (let wait = 0; wait < 50 && !rows.some(({ repair }) => repair === closing); wait++) {
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, 200));
      rows = JSON.parse((await clew('findings', '--json', '--limit', '100')).stdout);
    }
    const closed = rows.filter(({ repair }) => repair === closing);
    expect(closed.length).toBeGreaterThan(0);
    const after = plan.cards[closing - 1] as CardRecord;
    const share =
      exposed(after.exposure) / after.exposure.reduce((sum, { principal_count }) => sum + principal_count, 0);
    expect(closed[0]?.exposure_after).toBeCloseTo(share, 6);
    expect(closed[0]?.closed_by).toMatch(
      new RegExp(`^closed by card ${closing} of the plan: afterward, [\\d.]+% are exposed$`),
    );
    const groups = JSON.parse((await clew('findings', '--json', '--by', 'repair', '--limit', '5')).stdout);
    expect(groups[0].lead.repair).toBe(closing);
    const silent = rows.filter(
      ({ severity, finding_type, closed_by, not_closed }) =>
        ['critical', 'high'].includes(severity) &&
        finding_type === 'relationship' &&
        closed_by === undefined &&
        not_closed === undefined,
    );
    expect(silent).toEqual([]);
    expect(rows.some(({ not_closed }) => not_closed !== undefined)).toBe(true);
    const [open] = rows.filter(({ not_closed }) => not_closed !== undefined);
    expect((await clew('finding', String(open?.id))).stdout).toContain(open?.not_closed);
  });

  it('explains how it was made, on request', async () => {
    const { data } = await client.call('GetPlan', { query: { limit: 1, explain: true } }, { wait: 60 });
    expect([plan.explanation, plan.exceptions]).toEqual([null, []]);
    const { searches, stages } = (data as PlanRecord).explanation as NonNullable<PlanRecord['explanation']>;
    const [all] = searches;
    expect(searches.map(({ packages }) => packages)).toEqual(['all']);
    expect(all).toMatchObject({ way: 'whole', card_count: plan.card_count, seed_count: 0 });
    expect(all?.flow_count).toBeGreaterThan(0);
    expect(stages.map(({ stage }) => stage)).toEqual(
      expect.arrayContaining(['graph', 'search', 'simulation', 'bounds', 'left']),
    );
    const { stdout } = await clew('plan', '--explain', '--limit', '1');
    expect(stdout).toMatch(/How the plan was computed:[\s\S]*all +all at once[\s\S]*search for cards/);
    expect((await clew('plan', '--limit', '1')).stdout).not.toContain('How the plan was computed');
  });

  it('names the changes, their effect, and the findings that they close', async () => {
    expect(plan.cards.length).toBeGreaterThan(0);
    const steps = [plan.before, ...plan.cards.map(({ exposure }) => exposure)].map(exposed);
    for (const [at, each] of steps.entries()) if (at > 0) expect(each).toBeLessThan(steps[at - 1] as number);
    expect(steps.at(-1)).toBeLessThan((steps[0] as number) / 2);
    for (const { effect, cost, bound, paths, packages } of plan.cards) {
      expect(effect.text).toMatch(/\d/);
      expect(bound?.text).toMatch(/\.$/);
      expect(cost).toBeGreaterThan(0);
      for (const { before, cut } of paths) {
        expect(before.steps).toHaveLength(before.nodes.length - 1);
        expect(before.steps[cut]).toBeDefined();
        expect(before.effort).toBe(before.steps.reduce((sum, step) => sum + step.effort, 0));
      }
      for (const { title, fix, check, risk, changes, references, change_count } of packages) {
        for (const text of [title, fix, check, risk]) expect(text).not.toMatch(/undefined|\bnull\b|^$/);
        expect(references).toHaveLength(change_count);
        expect(changes.map(({ repair }) => repair)).toEqual(references.slice(0, 100));
      }
    }
    expect(plan.cards.reduce((sum, { closed_count }) => sum + Number(closed_count), 0)).toBeGreaterThan(0);
    expect(plan.effort.reduce((sum, { bands }) => sum + bands.none, 0)).toBe(
      plan.before.reduce((sum, one) => sum + one.principal_count - one.exposed_count, 0),
    );
    const postures = (await client.call('GetPostureStats', { query: { limit: 100 } } as never)).data as {
      readonly domain_sid: string;
      readonly asset_group_tag_id: number;
      readonly exposure_index: number;
    }[];
    for (const { environment_id, exposure } of plan.before) {
      const posture = postures.find(
        (one) => one.domain_sid === environment_id && one.asset_group_tag_id === 1,
      );
      expect([environment_id, exposure]).toEqual([environment_id, posture?.exposure_index]);
    }
  });

  it('writes a change kit for each card, with complete files, and overwrites none', async () => {
    const args = ['plan', '--limit', '2', '--scripts', 'kits'];
    const written = await clew(...args);
    expect(written.code).toBe(0);
    expect(written.stderr).toMatch(/kits\/card-02: \d+ changes?, \d+ scripts?/);
    const folder = join(directory, 'kits', 'card-01');
    const sums = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trim().split('\n');
    for (const line of sums) {
      const [digest, name = ''] = line.split('  ');
      const bytes = await readFile(join(folder, name));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(digest);
    }
    const declared = JSON.parse(await readFile(join(folder, 'changes.json'), 'utf8'));
    expect(declared).toHaveLength(referencesOf(plan.cards[0] as CardRecord).slice(0, 100).length);
    const again = await clew(...args);
    expect(again.code).not.toBe(0);
    expect(again.stderr).toContain('may contain backups');
  });

  it('writes detection rules for what no card cuts, with complete files, and overwrites none', async () => {
    const args = ['plan', '--limit', '1', '--rules', 'rules'];
    const written = await clew(...args);
    expect(written.code).toBe(0);
    const body = { repairs: (await client.plan({ limit: 50 })).cards.flatMap(referencesOf), limit: 10 };
    const { paths } = (await client.call('GetRemainingPaths', { body })).data;
    expect(paths.length).toBeGreaterThan(0);
    expect(written.stderr).toMatch(
      new RegExp(
        `rules: \\d+ detection rules? for \\d+ steps? of ${paths.length} paths? that remains? after \\d+ cards?\\.`,
      ),
    );
    const folder = join(directory, 'rules');
    const readme = await readFile(join(folder, 'README.md'), 'utf8');
    const files = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trim().split('\n');
    const rules = files.map((line) => line.split('  ')[1] ?? '').filter((name) => name.endsWith('.yml'));
    expect(rules.length).toBeGreaterThan(0);
    for (const name of rules) {
      expect(readme).toContain(name);
      expect(await readFile(join(folder, name), 'utf8')).toMatch(/^title: "[\s\S]*\nlevel: high\n$/);
    }
    expect((await clew(...args)).code).not.toBe(0);
  });

  it('equals the effect of its cards in a simulation', async () => {
    for (const count of plan.cards.keys()) {
      const cards = plan.cards.slice(0, count + 1);
      const body = { repairs: cards.flatMap(referencesOf) };
      const { data } = await client.call('SimulatePlan', { body });
      expect(data.before).toEqual(plan.before);
      expect(data.after).toEqual(cards.at(-1)?.exposure);
    }
  });

  it('has the same first cards for any requested number, and ends at the goal', async () => {
    const all = await client.plan({ limit: 50 });
    expect(all.card_count).toBe(all.cards.length);
    for (const limit of [1, 5, 20, 40]) {
      const some = await client.plan({ limit });
      expect(some.cards).toEqual(all.cards.slice(0, limit));
      expect(some.repairs.map(({ repair }) => repair)).toEqual(some.cards.flatMap(referencesOf));
    }
    const half = await client.plan({ limit: 50, goal: 0.5 });
    expect(half.cards).toEqual(all.cards.slice(0, half.cards.length));
    const ends = half.cards.at(-1)!.exposure;
    expect(ends.length).toBeGreaterThan(0);
    for (const { exposure } of ends) expect(exposure).toBeLessThanOrEqual(0.5);
  });

  it('plans with excluded changes, within one environment, and with other costs', async () => {
    const [card] = plan.cards as [CardRecord];
    const [first] = card.packages as [PackageRecord];
    const without = await client.plan({ limit: 50, exclude: first.key });
    const keys = without.cards.flatMap(({ packages }) => packages.flatMap(({ references }) => references));
    for (const reference of first.references) expect(keys).not.toContainEqual(reference);
    let changed = 0;
    for (const { environment_id: within, environment_name: name } of plan.before) {
      const { cards, computing } = await client.plan({ limit: 50, within });
      expect(computing).toBeNull();
      for (const { object } of cards.flatMap(({ packages }) => packages.flatMap(({ changes }) => changes))) {
        expect(object.name).toContain(name);
        changed++;
      }
    }
    expect(changed).toBeGreaterThan(0);
    const kind = first.references[0]?.kind;
    const dear = await client.plan({ limit: 50, cost: `${kind}:900` });
    expect(dear.cards.length).toBeGreaterThan(0);
    expect(
      dear.cards.every(({ cost, packages }) => cost >= 900 || packages.every((one) => one.kind !== kind)),
    ).toBe(true);
    for (const query of [
      { exclude: 'nothing' },
      { cost: 'hugs:1' },
      { cost: `${kind}:-1` },
      { owned_by: 999 },
    ])
      await expect(client.plan(query)).rejects.toThrow(ApiError);
  });

  it('removes relationships, adds them, and disables principals', async () => {
    const [finding] = (
      await client.call('ListAttackPathFindings', {
        query: { finding: 'eq:T0GenericAll', limit: 1 },
      } as never)
    ).data as { readonly source_principal_id: string; readonly target_principal_id: string }[];
    const relation = {
      source_id: finding?.source_principal_id ?? '',
      kind: 'GenericAll',
      target_id: finding?.target_principal_id ?? '',
    };
    const removed = (await client.call('SimulatePlan', { body: { remove: [relation] } })).data;
    expect(removed.closed.map((each) => each.finding)).toContain('T0GenericAll');
    const back = (await client.call('SimulatePlan', { body: { remove: [relation], add: [relation] } })).data;
    expect([back.closed_count, back.opened_count]).toEqual([0, 0]);
    const added = (await client.call('SimulatePlan', { body: { add: [{ ...relation, kind: 'WriteDacl' }] } }))
      .data as SimulationRecord;
    expect(added.opened.map((each) => each.finding)).toContain('T0WriteDACL');
    const disabled = await client.call('SimulatePlan', { body: { disable: [relation.source_id] } });
    expect(disabled.data.before).toEqual(plan.before);
    // Nothing is stored, and an unknown key changes nothing.
    for (const body of [{}, { surprise: true }])
      expect((await client.call('SimulatePlan', { body: body as object })).data.after).toEqual(plan.before);
  });

  it.each([
    [{ remove: [{ source_id: 'A', kind: 'GenericAll', target_id: 'B' }] }, 'no object has the id A'],
    [{ repairs: [{ kind: 'template-subject', object_id: 'NOWHERE' }] }, 'no object has the id NOWHERE'],
    [{ disable: ['nobody'] }, 'no object has the id nobody'],
    [{ remove: [{ source_id: 'A', kind: 'Hugs', target_id: 'B' }] }, 'the graph has no relationship Hugs'],
  ])('refuses %j', async (body, message) => {
    const asked = client.call('SimulatePlan', { body: body as never });
    await expect(asked).rejects.toThrow(ApiError);
    await expect(asked).rejects.toThrow(message);
  });

  it.each<[kind: string, relations?: string[]]>([
    ['remove-member', ['MemberOf']],
    ['remove-permission'],
    ['remove-permission', []],
    ['remove-permission', ['Hugs']],
    ['template-subject', ['MemberOf']],
    ['constructor'],
  ])('refuses the repair %s of %j, which changes nothing', async (kind, relations) => {
    const object_id = plan.before[0]?.environment_id ?? '';
    const ends = { object_id, ...(relations !== undefined && { principal_id: object_id, relations }) };
    const asked = client.call('SimulatePlan', { body: { repairs: [{ kind, ...ends }] } });
    await expect(asked).rejects.toThrow(/could not be understood: .*changes nothing/);
  });

  it.each(['domain-smb-signing', 'controllers-ldap-signing', 'separate-logons'])(
    'refuses the repair %s of an object that is not a domain',
    async (kind) => {
      const { data } = await client.call('Search', { query: { q: 'ADA.ABEL', type: 'User', limit: 1 } });
      const body = { repairs: [{ kind, object_id: data[0]?.objectid ?? '' }] };
      await expect(client.call('SimulatePlan', { body })).rejects.toThrow(/changes nothing/);
    },
  );

  it('refuses unknown zones', async () => {
    const query = { asset_group_tag_id: 99 };
    await expect(client.call('GetPlan', { query })).rejects.toThrow('not found');
    await expect(client.call('GetChokePoints', { query })).rejects.toThrow('not found');
    await expect(client.call('SimulatePlan', { body: query })).rejects.toThrow('not found');
  });
});

describe('clew plan', () => {
  it('describes the changes for users, programs and ticket systems', async () => {
    const text = await clew('plan');
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(/^Exposure \d.*% of|^Exposure .*users and computers can reach the zone/);
    for (const { packages } of plan.cards)
      for (const { title } of packages) expect(text.stdout).toContain(title);
    const asJson: PlanRecord = JSON.parse((await clew('plan', '--format', 'json')).stdout);
    // Accepted findings are known only after the cards were compared with the findings.
    const shown = ({ cards, ...rest }: PlanRecord) => ({
      ...rest,
      cards: cards.map(({ accepted: _, accepted_count: __, acceptances: ___, ...card }) => card),
    });
    expect(shown(asJson)).toEqual(shown(plan));
    const { stdout: csv, stderr } = await clew('plan', '--format', 'csv');
    expect(stderr).toBe(
      `${plan.card_count - plan.cards.length} more cards: --limit ${plan.card_count} shows them.\n`,
    );
    expect((await clew('plan', '--format', 'csv', '--limit', '50')).stderr).toBe('');
    expect(csv.split('\r\n')).toHaveLength(plan.cards.flatMap(({ packages }) => packages).length + 2);
    const markdown = (await clew('plan', '--format', 'markdown', '--limit', '2')).stdout;
    expect(markdown.match(/^## /gm)).toHaveLength(Math.min(2, plan.cards.length));
    const left = plan.cards[Math.min(2, plan.cards.length) - 1]?.exposure ?? [];
    expect(left.length).toBeGreaterThan(0);
    for (const { environment_id, environment_name, exposed_count, principal_count } of left) {
      const before = plan.before.find((one) => one.environment_id === environment_id);
      const shares = [before?.exposed_count ?? 0, exposed_count].map((count) =>
        shareOf(count, principal_count),
      );
      expect(markdown).toContain(`| ${[environment_name, ...shares].join(' | ')} |`);
    }
    expect(await clew('plan', '--zone', 'Nowhere')).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('no zone is named Nowhere') },
    });
  });

  it('shows the effect of changes', async () => {
    const five = await clew('simulate', '--repairs', '5');
    expect(five).toMatchObject({ code: 0, stdout: expect.stringMatching(/\d+ findings? would close/) });
    await writeFile(
      join(directory, 'changes.json'),
      JSON.stringify({ repairs: plan.repairs.map((each) => each.repair) }),
    );
    expect((await clew('simulate', '--file', 'changes.json')).stdout).toBe(five.stdout);
    expect((await clew('simulate', '--repairs', '5', '--zone', 'Tier Zero')).stdout).toBe(five.stdout);
    expect(await clew('simulate', '--repairs', '5', '--zone', 'Nowhere')).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('no zone is named Nowhere') },
    });
    const body = { repairs: plan.repairs.slice(0, 1).map((each) => each.repair), limit: 3 };
    const remaining = (await client.call('GetRemainingPaths', { body })).data;
    const { paths, end } = remaining;
    expect(paths.length).toBeGreaterThan(1);
    await writeFile(join(directory, 'first.json'), JSON.stringify({ repairs: body.repairs }));
    const left = (await clew('simulate', '--file', 'first.json', '--paths', '3')).stdout;
    expect(left).not.toContain('Left, among others');
    for (const [at, { effort, closed_by, steps }] of paths.entries()) {
      expect(left).toContain(`\n${at + 1}. ${effortWords(effort)}`);
      if (closed_by === null) continue;
      expect(steps[closed_by.step]).toBeDefined();
      const titles = closed_by.repairs.map(({ title }) => title).join('; ');
      expect(left).toContain(`Closed by: ${titles}. Cost ${costText(closed_by.cost)}.`);
    }
    const json = await clew('simulate', '--file', 'first.json', '--paths', '3', '--json');
    expect(JSON.parse(json.stdout).remaining_paths).toEqual(remaining);
    expect(left).toContain(`\n${end.text}\n`);
    // Each share has its base, and all shares of the paths have that of the first line.
    const bases = left.match(/Exposure of (.+?):? [\d.]+%/g)?.map((text) => text.replace(/:? [\d.]+%$/, ''));
    expect(bases?.length).toBeGreaterThan(1);
    expect(new Set(bases)).toEqual(new Set([`Exposure of ${remaining.exposure.length} environments`]));
    expect(left.split('\n')[0]).toContain(
      `-> ${shareOf(exposed(remaining.exposure), principalsOf(remaining.exposure))} of `,
    );
    expect((await clew('simulate', '--paths', '1')).stdout).toMatch(/\n1 path left, /);
    expect(await clew('simulate', '--file', 'missing.json')).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('missing.json cannot be read: ENOENT') },
    });
    expect(await clew('simulate')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('give the changes'),
    });
    expect(await clew('simulate', '--remove', 'A B')).toMatchObject({ code: 2 });
    await writeFile(join(directory, 'broken.json'), '{');
    expect(await clew('simulate', '--file', 'broken.json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('broken.json is not JSON'),
    });
  });
});

describe('saved plans', () => {
  it('keep their effect, and show their progress', async () => {
    const two = await client.plan({ limit: 2 });
    const repairs = two.repairs.map(({ repair }) => repair);
    const saved = await clew('simulate', '--repairs', '2', '--save', 'First quarter');
    expect(saved).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Saved as plan \d+:/) });
    const [first] = (await client.call('ListPlans', {})).data;
    expect(first).toMatchObject({
      name: 'First quarter',
      created_by: 'admin',
      request: { repairs },
    });
    expect(first?.expected.before).toEqual(plan.before);
    expect(first?.expected.after).toEqual(two.cards.at(-1)?.exposure);
    const params = { plan_id: first?.id ?? 0 };
    const { data } = await client.call('GetSavedPlan', { params });
    expect(data).toMatchObject({ name: 'First quarter', done: {}, left: { repairs } });
    expect(data.simulation.after).toEqual(first?.expected.after);
    expect((await clew('plans')).stdout).toMatch(
      new RegExp(`First quarter +${repairs.length} changes? +admin`),
    );
    expect((await clew('plans', 'show', String(params.plan_id))).stdout).toContain(
      `0 of ${repairs.length} change`,
    );
    expect(await clew('plans', 'delete', String(params.plan_id))).toMatchObject({ code: 0 });
    await expect(client.call('GetSavedPlan', { params })).rejects.toThrow('not found');
    await expect(client.call('DeletePlan', { params })).rejects.toThrow('not found');
    for (const verb of ['show', 'delete'])
      expect(await clew('plans', verb, '77')).toMatchObject({
        code: 1,
        stderr: 'clew: plan 77 not found\n',
      });
    expect(await clew('diff')).toMatchObject({
      ...{
        code: 0,
        stdout: '',
        stderr: expect.stringContaining('There is no earlier analysis to compare with'),
      },
    });
    expect(await clew('plans')).toMatchObject({ stderr: expect.stringContaining('No saved plans yet') });
  });

  it.each([
    [{ name: 'Empty' }, 'a plan must contain a change'],
    [{ name: '', disable: ['X'] }, 'name'],
    [{ name: 'Nowhere', disable: ['NOWHERE'] }, 'no object has the id NOWHERE'],
    [{ name: 'Zone', disable: ['NOWHERE'], asset_group_tag_id: 99 }, 'not found'],
  ])('are refused as %j', async (body, message) => {
    await expect(client.call('CreatePlan', { body })).rejects.toThrow(message);
  });
});

describe('constraints', () => testConstraints(running));

describe('a started plan', () => testStartedPlans(running));

describe('a stored report', () => {
  it('is generated, printed, scheduled and deleted', async () => {
    const made = await clew('reports', 'create', 'Board', '--schedule', 'weekly', '--masked');
    expect(made).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Report \d+ is created, and the next run is on/),
    });
    const [, id = ''] = /^Report (\d+)/.exec(made.stderr) ?? [];
    expect((await clew('reports')).stdout).toMatch(/Board \(masked\)\s+admin\s+weekly/);
    const shown = await clew('reports', 'show', id);
    expect(shown.stdout).toMatch(/^Board, .*\nExposure of Tier Zero: [\d.]+% /);
    expect(shown.stdout).toContain('DOMAIN-A');
    expect(JSON.parse((await clew('reports', 'show', id, '--json')).stdout).issue.content.zone).toBe(
      'Tier Zero',
    );
    expect((await clew('reports', 'make', id)).stderr).toBe(`Report ${id} will be generated again.\n`);
    expect((await clew('reports', 'schedule', id, 'none')).stderr).toBe(
      `Report ${id} no longer has a schedule.\n`,
    );
    expect(await clew('reports', 'schedule', id, 'hourly')).toMatchObject({ code: 2 });
    expect((await clew('reports', 'delete', id)).stderr).toBe(`Report ${id} is deleted.\n`);
    expect(await clew('reports', 'show', id)).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining(`report ${id} not found`) },
    });
  });
});

describe('choke points and alternatives', () => {
  it('are on every path: without them fewer principals can reach the zone', async () => {
    const { data } = await client.call('GetChokePoints', { query: { limit: 5 } });
    expect(data.exposed_count).toBe(exposed(plan.before));
    const [relation] = data.relations;
    const remove = (relation?.kinds ?? []).map((kind) => ({
      ...{ source_id: relation?.source.object_id ?? '', kind, target_id: relation?.target.object_id ?? '' },
    }));
    const after = (await client.call('SimulatePlan', { body: { remove } })).data.after;
    expect(exposed(plan.before) - exposed(after)).toBe(relation?.principal_count);
    const shown = await clew('choke-points', '--limit', '3');
    expect(shown).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^[\d,]+ users and computers can reach the zone/),
    });
  });

  it('are disjoint paths, or the nearest alternative', async () => {
    const left = (await client.call('SimulatePlan', { body: {} })).data.remaining_path;
    const [from, to] = [left?.nodes[0]?.object_id ?? '', left?.nodes.at(-1)?.object_id ?? ''];
    const easiest = await clew('path', from, to, '--weight', 'effort');
    expect(easiest).toMatchObject({ code: 0, stderr: '' });
    expect(easiest.stdout).toMatch(/^effort \d+ \([\d +]+\) {2}/);
    const some = await clew('path', from, to, '--alternatives', '3');
    expect(some.code).toBe(0);
    const lines = some.stdout.trim().split('\n');
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines[0]).toMatch(new RegExp(`^${left?.relations.length} `));
    const apart = await client.call('GetAlternativePaths', {
      query: { start_node: from, end_node: to, limit: 25, disjoint: true },
    });
    expect(apart.data.paths.length).toBeGreaterThan(0);
    const back = await clew('path', plan.before[0]?.environment_id ?? '', 'nobody', '--alternatives', '2');
    expect(back.code).toBe(1);
    const none = await client.call('GetAlternativePaths', { query: { start_node: from, end_node: from } });
    expect(none.data).toMatchObject({ paths: [], no_path: null });
  });
});

describe('evidence', () => {
  const findingsOf = async (finding: string) =>
    (await client.call('ListAttackPathFindings', { query: { finding: `eq:${finding}`, limit: 3 } } as never))
      .data as { readonly id: number; readonly target_principal_name: string }[];

  it('shows values, relationships and repairs of a finding', async () => {
    const [roastable] = await findingsOf('Kerberoasting');
    const values = (await client.call('GetFindingEvidence', { params: { finding_id: roastable?.id ?? 0 } }))
      .data;
    expect(values.values.map(({ property }) => property)).toEqual(
      expect.arrayContaining(['hasspn', 'pwdlastset']),
    );
    expect(values.seen).toMatchObject([{ name: roastable?.target_principal_name }]);
    expect(Date.now() - Date.parse(values.seen[0]?.last_seen ?? '')).toBeLessThan(600_000);
    expect((await clew('finding', String(roastable?.id))).stdout).toMatch(/last collected \d{4}-/);
    const [relayed] = await findingsOf('T0CoerceAndRelayNTLMToADCS');
    const derived = (await client.call('GetFindingEvidence', { params: { finding_id: relayed?.id ?? 0 } }))
      .data;
    expect(derived.relations.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['PublishedTo', 'TrustedForNTAuth']),
    );
    expect(derived.repairs.map(({ repair }) => repair.kind)).toContain('authority-web-enrollment');
    expect(values.attack_path).toBeNull();
    const path = derived.attack_path;
    expect(path).toMatchObject({ enters_zone: true });
    expect(path?.relations[path.finding_step]).toBe('CoerceAndRelayNTLMToADCS');
    expect(path?.nodes).toHaveLength((path?.relations.length ?? 0) + 1);
    expect(path?.nodes[0]?.object_id).toMatch(/-51[35]$/);
    expect(path?.efforts.reduce((sum, step) => sum + step, 0)).toBe(path?.effort);
    const shown = await clew('finding', String(relayed?.id));
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain(`The whole attack path: effort ${path?.effort}`);
    expect(shown.stdout).toContain('Repairs');
    expect(shown.stdout).toContain('web enrollment of CA');
    const { stdout: script } = await clew('finding', String(relayed?.id), '--script');
    expect(script).toMatch(/^# (Change|There is no script): /m);
    expect(script).toMatch(/^[\n -~]*$/);
  });

  it('has a script, or steps with the reason, for a finding that no repair closes', async () => {
    const scripts: string[] = [];
    for (const type of ['PasswordNeverExpires', 'T0MarkSensitive', 'StaleUsers', 'Kerberoasting']) {
      const [found] = await findingsOf(type);
      if (found === undefined) continue;
      const { code, stdout } = await clew('finding', String(found.id), '--script');
      expect([type, code]).toEqual([type, 0]);
      expect(stdout).toMatch(/^[\n -~]*$/);
      scripts.push(stdout);
    }
    expect(scripts.some((text) => text.includes("Attribute = 'userAccountControl'"))).toBe(true);
    expect(scripts.some((text) => /^# .*\n# There is no script: .*\n# /.test(text))).toBe(true);
  });

  it('has a repair for every finding about a relationship, which closes it or one of its paths', async () => {
    const all = (
      await client.call('ListAttackPathFindings', {
        query: { finding_type: 'eq:relationship', asset_group_tag_id: 'eq:1', limit: 40 },
      } as never)
    ).data as { readonly id: number; readonly finding: string }[];
    expect(all.length).toBeGreaterThan(5);
    const without: string[] = [];
    for (const { id, finding } of all) {
      const { repairs } = (await client.call('GetFindingEvidence', { params: { finding_id: id } })).data;
      if (repairs.length === 0) without.push(finding);
    }
    expect(without).toEqual([]);
  });

  it('is refused for an unknown finding', async () => {
    await expect(
      client.call('GetFindingEvidence', { params: { finding_id: 2_000_000_000 } }),
    ).rejects.toThrow('not found');
  });
});
