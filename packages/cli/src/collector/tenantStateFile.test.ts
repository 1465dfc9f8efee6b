import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testScreen } from '../../test/testScreen.ts';
import { readTenantState, writeTenantState } from './tenantStateFile.ts';

const DAY = 86_400_000;
const links = { AZUser: 'a', AZGroup: 'b', AZDevice: 'c', AZApp: 'd', AZServicePrincipal: 'e' };

let directory: string;
let err: ReturnType<typeof testScreen>;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'clew-state-'));
  err = testScreen();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const stateAt = (fullAt: number) => ({ tenantId: 'T', fullAt, links, appIds: { x: 'y' } });
const read = (fullMs = 7 * DAY) => readTenantState({ directory, err: err.screen }, 'state', fullMs);

it('keeps the state in a private file until everything is read again', async () => {
  expect(await read()).toBeUndefined();
  const state = stateAt(Date.now() - DAY);
  await writeTenantState({ directory }, 'state', state);
  expect(statSync(join(directory, 'state')).mode & 0o777).toBe(0o600);
  expect(await read()).toEqual(state);
  // A full run is due by age, always, and after a change of the clock.
  expect(await read(DAY / 2)).toBeUndefined();
  expect(await read(0)).toBeUndefined();
  await writeTenantState({ directory }, 'state', stateAt(Date.now() + DAY));
  expect(await read()).toBeUndefined();
  await writeTenantState({ directory }, 'state', undefined);
  expect(readdirSync(directory)).toEqual([]);
});

it('refuses a file that others can read or change, and reads everything for one that is damaged', async () => {
  writeFileSync(join(directory, 'state'), '{"tenantId":', { mode: 0o600 });
  expect(await read()).toBeUndefined();
  expect(err.text()).toContain('does not contain the state of an earlier run: everything is read');
  chmodSync(join(directory, 'state'), 0o644);
  await expect(read()).rejects.toThrow('can be read or changed by others: chmod 600');
});
