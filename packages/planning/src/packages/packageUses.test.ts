/** Counts the uses of the access that a package removes. */
import { AnalysisContext, defaultOptions } from '@clew/analysis';
import { expect, it } from 'vitest';
import { PricedWorld } from '../../test/packages/prices/pricedWorld.ts';
import { MAX_GIVEN, packageUses } from './packageUses.ts';

const HOSTS = 1100;
const NOW = Date.UTC(2026, 0) / 1000;

it('counts sessions on all computers, and objects of a group up to a limit', () => {
  const hosts = Array.from({ length: HOSTS }, (_, at) => `H${at}`);
  const built = new PricedWorld()
    .groups('CREW')
    .users('anna')
    .add('Computer', { enabled: true }, ...hosts)
    .facts('anna MemberOf CREW', ...hosts.map((host) => `${host} HasSession anna`))
    .facts(...hosts.map((host) => `CREW GenericAll ${host}`))
    .build();
  const context = new AnalysisContext({ ...built.test, options: defaultOptions() });
  const off = hosts.map((host) => built.repair(`${host} HasSession anna`));
  expect(packageUses(context, off, NOW)).toEqual({ active: 0, sessions: HOSTS });
  expect(packageUses(context, [built.repair('anna MemberOf CREW')], NOW)).toEqual({
    active: 0,
    given: MAX_GIVEN,
  });
});
