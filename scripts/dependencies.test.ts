import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faultsOfReasons, type Manifest, readManifests } from './dependencies.ts';

const faults = (manifests: Record<string, Manifest>) => faultsOfReasons(new Map(Object.entries(manifests)));

it('each library of this repository has one reason', () => {
  expect(faultsOfReasons(readManifests(join(import.meta.dirname, '..')))).toEqual([]);
});

it('a library without a reason is reported with the packages that declare it', () => {
  expect(
    faults({
      '.': { devDependencies: { checker: '1', '@types/checker': '1' } },
      store: { dependencies: { '@clew/model': '*', driver: '1' }, why: { driver: 'reads' } },
      api: { dependencies: { schemas: '1' } },
      web: { dependencies: { schemas: '1' } },
    }),
  ).toEqual([
    'checker (.): a reason is missing; write it into "why" of a package.json',
    'schemas (api, web): a reason is missing; write it into "why" of a package.json',
  ]);
});

it('a second reason, and a reason of a library that is not declared there, are faults', () => {
  const dependencies = { driver: '1' };
  expect(
    faults({
      store: { dependencies, why: { driver: 'reads', other: 'left behind' } },
      worker: { dependencies, why: { driver: 'writes' } },
    }),
  ).toEqual([
    'driver (store, worker): it has 2 reasons; one is enough',
    'store/package.json: "why" has other, which is not declared there',
  ]);
});
