/** Tests tickets from a user's view: a started plan of a running service, the connector on the command line, and a tracker. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitHubModel } from '@clew/connector/testing';
import { editableFile, ServiceUnderTest, uploadEdited } from '@clew/service/testing';
import { generateForest } from '@clew/synthetic';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runCommand } from '../test/runCommand.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

let test: ServiceUnderTest;
let directory: string;
const tracker = new GitHubModel();

beforeAll(async () => {
  test = await ServiceUnderTest.start({});
  directory = await mkdtemp(join(tmpdir(), 'clew-tickets-'));
  await tracker.start();
});
afterAll(async () => {
  await tracker[Symbol.asyncDispose]();
  await test.stop();
  await rm(directory, { recursive: true, force: true });
});

const files = () => generateForest({ users: 60, seed: 11 }).files.map(editableFile);

async function tokenOf(role: string): Promise<{ tokenId: string; tokenKey: string }> {
  const roles: Json[] = (await test.data('GET', 'roles')).roles;
  const made = await test.call('POST', 'bloodhound-users', {
    ...{ principal: `connector-${role}`, first_name: 'C', last_name: 'C' },
    roles: [roles.find(({ name }) => name === role).id],
    ...{ secret: 'A-long-enough-Secret-1', needs_password_reset: false },
  });
  const token = await test.data('POST', 'tokens', { user_id: made.json.data.id, token_name: role });
  return { tokenId: token.id, tokenKey: token.key };
}

async function connector(name: string, role: string): Promise<(command: string) => Promise<Json>> {
  const config = join(directory, `${name}.json`);
  const settings = {
    ...{ server: test.service.url, ...(await tokenOf(role)) },
    ...{ state: { directory: `${name}-state` }, platform: tracker.settings(tracker.url) },
  };
  await writeFile(config, JSON.stringify(settings));
  return (command) =>
    runCommand({ url: test.service.url, home: join(directory, 'home'), directory }, [
      ...['connector', command, '--config', config],
    ]);
}

it('a started plan becomes tickets, a closed ticket becomes a mark, and a collection reopens or verifies it', async () => {
  await uploadEdited(test, files());
  const planned = async () => (await test.call('GET', 'plan?limit=50')).json.data;
  await vi.waitUntil(async () => (await planned()).computing === null, { timeout: 120_000 });
  const { cards } = await planned();
  const card = cards.find(({ packages }: Json) =>
    packages.some(({ references }: Json) => references[0].kind === 'remove-permission'),
  );
  const { id } = (await test.call('POST', 'plans/adopt', { name: 'Repairs', cards: [card.key] })).json.data;
  const plan = () => test.data('GET', `plans/adopted/${id}`);
  const { repairs } = await plan();

  const run = await connector('work', 'User');
  const looked = await run('test');
  expect([looked.code, looked.stdout]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(`^connected; 1 started plan, ${repairs.length} repairs to do; the first: `),
    ),
  ]);
  expect(tracker.tickets).toHaveLength(0);
  const first = await run('run');
  expect([first.code, first.stdout]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^complete: ${repairs.length} new, 0 changed, 0 closed`)),
  ]);
  const [ticket] = tracker.tickets;
  if (ticket === undefined) throw new Error('a ticket is expected');
  expect(ticket.title).toBe(repairs[0].title);
  expect(ticket.body).toContain(`/ui/fix/${id}-1`);
  const { exposed_before: before, exposed_after: after, packages } = card;
  expect(ticket.body).toContain(
    `${before} before and ${after} after the ${packages.length} repairs of card `,
  );
  expect((await run('status')).stdout).toContain(`delivered and open  ${repairs.length}`);

  // Lists show new tickets late.
  tracker.waitUntil(tracker.instant + tracker.indexLagMs);
  tracker.close(ticket, 'alice');
  expect((await run('run')).stdout).toMatch(/^complete: 0 new.* marks set/);
  const own = (all: Json[]): Json[] => all.filter(({ number }) => repairs[0].changes.includes(number));
  for (const { marked } of own((await plan()).changes))
    expect(marked).toMatchObject({
      ...{ by: 'connector-User', evidence: 'waiting' },
      note: expect.stringMatching(
        /^Ticket acme\/infra#1: closed \(completed\), closed \S+, assigned to alice$/,
      ),
    });

  // Nothing changed in the directory.
  await uploadEdited(test, files(), '\n');
  await vi.waitUntil(
    async () => own((await plan()).changes).some(({ marked }) => marked?.evidence === 'contradicted'),
    {
      ...{ timeout: 100_000, interval: 200 },
    },
  );
  expect((await run('run')).stdout).toMatch(/^complete: 0 new, 1 changed/);
  expect([ticket.isClosed, ticket.comments.length]).toEqual([false, 1]);
  expect(ticket.comments[0]).toContain('does not show the changes');
  await run('run');
  expect(own((await plan()).changes).every(({ marked }) => marked === null)).toBe(true);

  const adopted: Json = await test.database.db
    .selectFrom('saved_plan')
    .select('adoption')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const facts: Json[] = adopted.adoption.packages[0].changes.flatMap(({ removed }: Json) => removed);
  const mended = files();
  for (const { records } of mended)
    for (const record of records)
      record.Aces = record.Aces?.filter(
        ({ PrincipalSID }: Json) =>
          !facts.some(({ start, end }) => start === PrincipalSID && end === record.ObjectIdentifier),
      );
  await uploadEdited(test, mended, '\n\n');
  await vi.waitUntil(async () => own((await plan()).changes).every(({ state }) => state === 'done'), {
    ...{ timeout: 100_000, interval: 200 },
  });
  expect((await run('run')).code).toBe(0);
  expect([ticket.isClosed, ticket.comments.length]).toEqual([true, 2]);
  expect(ticket.comments[1]).toContain('Verified');
  expect((await run('run')).stdout).toMatch(/^complete: 0 new, 0 changed, 0 closed; 0 delivered, 0 waiting/);
  expect(tracker.violations).toEqual([]);
}, 400_000);
