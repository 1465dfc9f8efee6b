/**
 * Tests `clew acceptances` on a running service: more acceptances than a page has, approvals that were not finished, templates and files.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../test/runCommand.ts';

let test: ServiceUnderTest;
let variables: Record<string, string>;

beforeAll(async () => {
  test = await ServiceUnderTest.start({}, { makesPlans: false });
  await test.upload(...twoDomains({ NORTH: [1101, 1102], SOUTH: [1101] }, [1101, 1102, 1103]));
  const token = await test.data('POST', 'tokens', { token_name: 'acceptances' });
  variables = { CLEW_TOKEN_ID: token.id, CLEW_TOKEN_KEY: token.key };
  await test.addUser('bob', 'Power User');
  await test.call('PUT', 'config', { key: 'findings.acceptance', value: { second_approver: true } });
}, 120_000);
afterAll(() => test.stop());

const run = (...args: string[]) =>
  runCommand({ url: test.service.url, home: test.directory, directory: test.directory, variables }, args);

it('lists all that wait, and approves one that waits for the rest of its findings', async () => {
  const findings: { readonly id: number; readonly environment_id: string }[] = await test.data(
    'GET',
    'attack-paths/findings',
  );
  const ids = findings.filter((row) => row.environment_id === sidOf('NORTH')).map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(1);
  const { json } = await test.as('bob', 'PUT', 'attack-paths/acceptance', { accepted: true, findings: ids });
  const id: number = json.data.acceptance_request_id;
  const { pool } = test.database;
  // Further requests like it.
  await pool.query(`
    with made as (
      insert into acceptance_request (user_id, requested_by, expires_at, reason, leave_out_of_plan, finding_count, finding_ids, title, environments)
      select user_id, 'bob', expires_at, reason, false, finding_count, finding_ids, title, environments
      from acceptance_request, generate_series(1, 220) returning id)
    insert into acceptance_request_finding (request_id, finding_id)
    select made.id, finding_id from made, acceptance_request_finding where request_id = ${id}`);
  const listed = JSON.parse((await run('acceptances', '--json')).stdout);
  expect(listed).toHaveLength(221);
  expect(new Set(listed.map((one: { readonly id: number }) => one.id)).size).toBe(221);
  // An approval accepted the first, and ended early; the second closed since.
  await pool.query(
    'update acceptance_request_finding set is_accepted = true where request_id = $1 and finding_id = $2',
    [id, ids[0]],
  );
  await pool.query('update acceptance_request set accepted_count = 1 where id = $1', [id]);
  await pool.query("update finding set deleted_at = clock_timestamp(), status = 'remediated' where id = $1", [
    ids[1],
  ]);
  const { stdout } = await run('acceptances');
  expect(stdout.split('\n').find((line) => line.includes('accepted'))).toContain(
    `1 of ${ids.length} accepted`,
  );
  expect(await run('acceptances', 'refuse', String(id))).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining('approve the acceptance again') },
  });
  const approved = await run('acceptances', 'approve', String(id));
  expect([approved.code, approved.stderr]).toEqual([
    0,
    expect.stringMatching(
      `is approved: ${ids.length - 1} findings? accepted; 1 finding closed or accepted otherwise since then stay`,
    ),
  ]);
});

it('undoing owners does not name a second approver', async () => {
  const findings: { readonly id: number }[] = await test.data('GET', 'attack-paths/findings');
  const [id] = findings.map((row) => String(row.id));
  await run('findings', 'assign', id, '--to', 'bob');
  const [{ id: change }] = await test.data('GET', 'attack-paths/bulk-changes');
  await run('findings', 'assign', id, '--to', 'me');
  const undone = await run('findings', 'undo', String(change));
  expect(undone.stderr).toContain('1 not restored, because they changed again or ended.');
});

it('keeps templates with files, shows them with the request, and saves a file where the user says', async () => {
  const path = (name: string): string => join(test.directory, name);
  await writeFile(path('policy.txt'), 'Policy 7');
  await writeFile(path('page.html'), '<html></html>');
  const set = (...args: string[]) => run('acceptances', 'templates', 'set', ...args);
  expect(await set('Legacy')).toMatchObject({ code: 1, stderr: expect.stringContaining('needs --reason') });
  expect((await set('Legacy', '--reason', 'It goes', '--days', '30', '--file', 'policy.txt')).code).toBe(0);
  expect(await set('legacy', '--file', 'page.html')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('markup'),
  });
  expect((await set('legacy', '--days', '0')).stderr).toContain('is changed');
  const [template] = JSON.parse((await run('acceptances', 'templates', '--json')).stdout);
  expect(template).toMatchObject({ name: 'legacy', reason: 'It goes', days: null });
  const [{ id: file }] = template.attachments;
  expect((await run('acceptances', 'templates')).stdout).toContain(`${file} policy.txt`);
  await test.database.pool.query('delete from acceptance_request');
  const [finding] = await test.data('GET', 'attack-paths/findings?status=eq:active');
  await test.as('bob', 'PUT', 'attack-paths/acceptance', {
    ...{ accepted: true, findings: [finding.id], template: template.id, reason: 'It goes in spring' },
  });
  const listed = (await run('acceptances')).stdout.split('\n').find((line) => line.includes('in spring'));
  expect(listed).toMatch(new RegExp(`legacy +${file} policy.txt`));
  const save = () => run('acceptances', 'file', String(file), '--out', 'saved.txt');
  expect((await save()).code).toBe(0);
  expect(await readFile(path('saved.txt'), 'utf8')).toBe('Policy 7');
  expect(await save()).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') });
  expect((await run('acceptances', 'file', '99999', '--out', 'none.txt')).code).toBe(1);
  // The page of the finding names the files once it is accepted.
  const [{ id: request }] = await test.data(
    'GET',
    'attack-paths/acceptance-requests?state=eq:waiting&limit=1',
  );
  expect((await run('acceptances', 'approve', String(request))).code).toBe(0);
  const { stdout: shown } = await run('finding', String(finding.id));
  expect(shown).toContain('accepted with the template legacy');
  expect(shown).toContain(`file ${file} of its acceptance: policy.txt, attached by admin`);
  expect((await run('acceptances', 'templates', 'remove', 'LEGACY')).code).toBe(0);
  expect((await run('acceptances', 'templates')).stderr).toContain('There are no templates.');
});

it('accepts findings until a day, leaves out others, reopens them, and undoes that', async () => {
  const active = async (): Promise<readonly { readonly id: number }[]> =>
    test.data('GET', 'attack-paths/findings?status=eq:active');
  await run('findings', 'reopen', '--all', '--status', 'accepted');
  const [one, two] = (await active()).map(({ id }) => String(id));
  const accept = (...args: string[]) => run('findings', 'accept', ...args);
  for (const [args, message] of [
    [[one, '--reason', 'It goes'], 'give --until, --days or --no-end'],
    [[one, '--no-end'], 'give --reason, or --template'],
    [[one, '--no-end', '--days', '3', '--reason', 'x'], 'give only one of'],
    [['--reason', 'x', '--no-end'], 'either finding numbers, or --all'],
    [[one, '--severity', 'low', '--reason', 'x', '--no-end'], 'filters need --all'],
    [[one, '--template', 'none', '--no-end'], 'there is no template none'],
  ] as const)
    expect(await accept(...(args as readonly string[]))).toMatchObject({
      ...{ code: expect.toSatisfy((code) => code !== 0), stderr: expect.stringContaining(message) },
    });
  // A second approver is needed.
  const asked = await accept(one as string, '--reason', 'It goes', '--until', '2090-02-03');
  expect(asked).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Acceptance \d+ of 1 finding waits/),
  });
  await run('acceptances', 'withdraw', /\d+/.exec(asked.stderr)?.[0] as string);
  await test.call('PUT', 'config', { key: 'findings.acceptance', value: { second_approver: false } });
  await run('acceptances', 'templates', 'set', 'Old', '--reason', 'Replaced in spring', '--days', '20');
  const made = await accept(one as string, two as string, '--template', 'old', '--leave-out-of-plan');
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('2 findings accepted until') });
  const { stdout } = await run('finding', one as string);
  expect(stdout).toContain('accepted with the template Old');
  expect(stdout).toContain('Replaced in spring');
  expect((await active()).map(({ id }) => String(id))).not.toContain(one);
  const reopened = await run('findings', 'reopen', '--all', '--status', 'accepted');
  expect(reopened).toMatchObject({ code: 0, stderr: expect.stringMatching(/^\d+ findings reopened\./) });
  expect((await active()).map(({ id }) => String(id))).toEqual(expect.arrayContaining([one, two]));
  expect((await run('findings', 'undo')).stderr).toContain('restored');
  expect((await active()).map(({ id }) => String(id))).not.toContain(one);
});
