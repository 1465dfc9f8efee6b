/** Tests collectors from the command line on a running service, which is killed during a run. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ADMIN_PASSWORD,
  type FinishedProcess,
  type ServeProcess,
  SimulatedCollector,
  startServe,
} from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../test/runCommand.ts';

let directory: string;
let service: ServeProcess;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-cli-collectors-'));
  service = await startServe(join(directory, 'data'));
  await clew('login', '--user', 'admin');
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

function clew(...args: string[]): Promise<FinishedProcess> {
  return runCommand(
    { url: service.url, home: join(directory, 'home'), directory, secret: ADMIN_PASSWORD },
    args,
  );
}

const tokenIn = ({ stdout }: FinishedProcess) => {
  const [, id, key] = /^TOKEN_ID=(\S+)\nTOKEN_KEY=(\S+)\n$/.exec(stdout) ?? [];
  return { id: id as string, key: key as string };
};

const user = (number: number) => ({
  kind: 'AZUser',
  data: {
    id: `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`,
    userPrincipalName: `user${number}@aurora.example`,
    tenantId: '6C12B0B0-B2CC-4A73-8252-0B94BFCA2145',
    tenantName: 'Aurora',
  },
});

describe('a collector', () => {
  it('is registered, gets a schedule and a job, and is watched during its run', async () => {
    expect((await clew('clients')).stderr).toMatch(/No collector clients; "clew client add NAME/);
    const added = await clew('client', 'add', 'Berlin', '--type', 'azurehound');
    expect(added.stderr).toMatch(/shown only once/);
    const collector = new SimulatedCollector(service.url, tokenIn(added));
    expect((await clew('clients')).stdout).toMatch(/Berlin +azurehound +never seen/);
    await collector.start();
    expect((await clew('clients')).stdout).toMatch(/Berlin +azurehound +ready .* v2\.2\.1 +collector-1/);

    const planned = await clew(
      'schedule',
      'add',
      'berlin',
      'daily',
      '--start',
      '2030-07-01T02:30',
      '--zone',
      'Europe/Berlin',
    );
    expect(planned.stderr).toMatch(/^Schedule 1 of berlin: next run 2030-0/);
    expect((await clew('schedule', 'list')).stdout).toMatch(
      /1 +Berlin .*DTSTART;TZID=Europe\/Berlin:20300701T023000 RRULE:FREQ=DAILY/,
    );
    expect(await clew('schedule', 'add', 'Berlin', 'FREQ=MINUTELY')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it can run at most once per hour'),
    });
    expect((await clew('schedule', 'remove', '1')).code).toBe(0);

    expect((await clew('client', 'collect', 'Berlin')).stderr).toMatch(/^Job 1 waits for Berlin/);
    expect((await clew('jobs')).stdout).toMatch(/1 +Berlin +waiting/);
    const job = await collector.pick();
    expect(job?.id).toBe(1);
    expect((await clew('jobs', '--client', 'Berlin')).stdout).toMatch(/1 +Berlin +running/);
    const followed = clew('job-log', '1', '--follow');
    await collector.ingest([user(1), user(2)]);
    await collector.end('COMPLETE', 'Collection completed successfully');
    const { code, stdout } = await followed;
    expect(code).toBe(0);
    expect(stdout).toMatch(/requested by admin[\s\S]*received a batch[\s\S]*in the graph: Complete\n$/);
    expect(stdout.match(/received a batch/g)).toHaveLength(1);
    expect((await clew('jobs')).stdout).toMatch(/1 +Berlin +complete/);
  });

  it('completes its run although the service is killed during it', async () => {
    const collector = new SimulatedCollector(
      service.url,
      tokenIn(await clew('client', 'add', 'Killed', '--type', 'azurehound')),
    );
    await collector.start();
    await clew('client', 'collect', 'Killed');
    const job = await collector.pick();
    expect(await collector.ingest([user(10)])).toEqual([202, 202, 202, 202]);
    const port = new URL(service.url).port;
    const batch = Array.from({ length: 200 }, (_, at) => user(100 + at));
    const cut = collector.ingest(batch).catch(() => 'cut off');
    await service.stop('SIGKILL');
    await cut;
    service = await startServe(join(directory, 'data'), { CLEW_PORT: port });
    // The collector repeats the same bytes.
    expect(await collector.ingest([user(10)])).toEqual([202, 202, 202, 202]);
    expect(await collector.ingest(batch)).toEqual([202, 202, 202, 202]);
    expect((await collector.heartbeat()).json.data.id).toBe(job?.id);
    await collector.end('COMPLETE', 'Collection completed successfully');
    const { stdout } = await clew('job-log', String(job?.id), '--follow');
    expect(stdout).toMatch(/2 batches are sent to ingest[\s\S]*in the graph/);
    expect((await clew('search', 'USER299@AURORA.EXAMPLE')).stdout).toContain('USER299@AURORA.EXAMPLE');
  });

  it('is locked out by a new token, and deleted once removed', async () => {
    const old = tokenIn(await clew('client', 'add', 'Rotated', '--type', 'SharpHound'));
    const renewed = tokenIn(await clew('client', 'rotate', 'Rotated'));
    const status = async (token: typeof old) =>
      (await new SimulatedCollector(service.url, token).send('GET', '/jobs/available')).status;
    expect([await status(old), await status(renewed)]).toEqual([401, 200]);
    await clew('client', 'collect', 'Rotated', '--what', 'structure,sessions');
    const { stdout } = await clew('jobs', '--client', 'Rotated', '--json');
    const [job] = JSON.parse(stdout);
    expect(job).toMatchObject({
      ad_structure_collection: true,
      session_collection: true,
      local_group_collection: false,
    });
    expect((await clew('client', 'cancel', String(job.id))).code).toBe(0);
    expect((await clew('client', 'cancel', String(job.id))).stderr).toMatch(
      /must be ready, running or being ingested/,
    );
    expect((await clew('client', 'remove', 'Rotated')).code).toBe(0);
    expect(await status(renewed)).toBe(401);
  });

  it.each([
    [['client', 'add', 'X', '--type', 'bloodhound'], /--type must be one of sharphound/],
    [['client', 'rotate', 'Nobody'], /there is no client named Nobody; available: Berlin, Killed/],
    [
      ['client', 'collect', 'Berlin', '--what', 'everything'],
      /--what must be one of structure, local-groups/,
    ],
    [['job-log', '4711'], /not found/],
    [['schedule', 'add', 'Berlin', 'sometimes'], /rrule is invalid/],
  ])('%j is refused with an explanation', async (args, message) => {
    const { code, stderr } = await clew(...args);
    expect([code === 0, stderr]).toEqual([false, expect.stringMatching(message)]);
  });
});
