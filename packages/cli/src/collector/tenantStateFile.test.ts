import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testScreen } from '../../test/testScreen.ts';
import { readTenantState, writeTenantState } from './tenantStateFile.ts';

const DAY = 86_400_000;
const SERVICE = 'https://clew.example.test';
const links = { AZUser: 'a', AZGroup: 'b', AZDevice: 'c', AZApp: 'd', AZServicePrincipal: 'e' };

let directory: string;
let err: ReturnType<typeof testScreen>;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'clew-state-'));
  err = testScreen();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const stateAt = (fullAt: number, needsFull = false) => ({
  ...{ tenantId: 'T', fullAt, needsFull, links, appIds: { x: 'y' } },
});
const context = () => ({ directory, err: err.screen });
const read = (fullMs = 7 * DAY, service = SERVICE, path = 'state') =>
  readTenantState(context(), path, { service, fullMs });
const write = (state?: ReturnType<typeof stateAt>) =>
  writeTenantState(context(), 'state', { service: SERVICE }, state);

it('keeps the state in a private file, also when everything is read again', async () => {
  expect(await read()).toBeUndefined();
  const state = stateAt(Date.now() - DAY);
  await write(state);
  expect(statSync(join(directory, 'state')).mode & 0o777).toBe(0o600);
  const found = await read();
  expect(found).toEqual({ state: { service: SERVICE, ...state }, isFull: false });
  // A full run is due by age, never with 0, and after a change of the clock.
  expect(await read(DAY / 2)).toEqual({ ...found, isFull: true });
  expect(await read(0)).toEqual(found);
  await write(stateAt(Date.now() + DAY));
  expect(await read()).toMatchObject({ isFull: true });
  expect(readdirSync(directory)).toEqual(['state']);
});

it('says that no state was kept, or that the next run reads everything', async () => {
  await write(stateAt(Date.now(), true));
  expect(err.text()).toBe('A part of the tenant was not read: the next run reads everything\n');
  await write(undefined);
  expect(err.text()).toContain('state was not written: the next run reads everything');
  expect(readdirSync(directory)).toEqual([]);
});

it('reads everything for another service, and keeps the links for removed objects', async () => {
  await write(stateAt(Date.now()));
  expect(await read(7 * DAY, 'https://other.example.test')).toMatchObject({
    ...{ isFull: true, state: { links } },
  });
  expect(err.text()).toContain(
    'state belongs to the service at https://clew.example.test: everything is read for https://other.example.test',
  );
});

it('refuses a path that cannot be written before anything is read', async () => {
  await expect(read(7 * DAY, SERVICE, 'missing/state')).rejects.toThrow('ENOENT');
});

it('refuses a file that others can read or change, and reads everything for one that is damaged', async () => {
  const unbound = JSON.stringify(stateAt(Date.now()));
  for (const text of ['{"tenantId":', unbound]) {
    writeFileSync(join(directory, 'state'), text, { mode: 0o600 });
    expect(await read()).toBeUndefined();
  }
  expect(err.text().match(/does not contain the state of an earlier run: everything is read/g)).toHaveLength(
    2,
  );
  chmodSync(join(directory, 'state'), 0o644);
  await expect(read()).rejects.toThrow('can be read or changed by others: chmod 600');
});
