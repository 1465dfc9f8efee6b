/** Opens stores of earlier versions, whose service was killed in the middle of an ingest. `upgrade.long.test.ts` kills at each step. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampledCases } from '@clew/common/testing';
import { OLD_STORES } from '@clew/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectUpgraded } from '../../test/upgrades/expectUpgraded.ts';
import { UpgradedStore } from '../../test/upgrades/upgradedStore.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'clew-upgrade-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

// The store of the last release; at night, all.
it.each(sampledCases(OLD_STORES, OLD_STORES.length, 1))(
  '$title is upgraded after a kill in one of its steps, and its job is finished',
  async ({ name }) => {
    const store = await UpgradedStore.restore(name, join(directory, name));
    try {
      const due = await store.due();
      expect(due.length).toBeGreaterThan(15);
      for (const third of sampledCases(
        [1, 2],
        2,
        OLD_STORES.findIndex((one) => one.name === name),
      )) {
        const step = due[Math.floor((due.length * third) / 3)] as string;
        await store.killAt(step);
        expect(await store.due()).toEqual(due.slice(due.indexOf(step)));
      }
      const service = await store.start();
      try {
        const log = service.output();
        const [begins, again] = [
          log.indexOf('upgrading the database'),
          log.indexOf('everything is analyzed again'),
        ];
        expect(begins).toBeGreaterThan(-1);
        expect(again).toBeGreaterThan(begins);
        expect(log.indexOf('"listening"')).toBeGreaterThan(again);
        await expectUpgraded(service, name);
      } finally {
        await service.stop();
      }
    } finally {
      await store.close();
    }
  },
);
