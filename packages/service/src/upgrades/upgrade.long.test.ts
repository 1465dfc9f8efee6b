/** Kills `clew admin migrate` in every step of the upgrade of stores of earlier versions; the service then answers as after an undisturbed one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OLD_STORES } from '@clew/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectUpgraded } from '../../test/upgrades/expectUpgraded.ts';
import { UpgradedStore } from '../../test/upgrades/upgradedStore.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'clew-upgrade-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it.each(OLD_STORES)('$title is upgraded after a kill in each of its steps', async ({ name }) => {
  const store = await UpgradedStore.restore(name, join(directory, name));
  try {
    const due = await store.due();
    expect(due.length).toBeGreaterThan(15);
    for (const [at, step] of due.entries()) {
      await store.killAt(step);
      expect(await store.due()).toEqual(due.slice(at));
    }
    const service = await store.start();
    try {
      await expectUpgraded(service, name);
    } finally {
      await service.stop();
    }
  } finally {
    await store.close();
  }
});
