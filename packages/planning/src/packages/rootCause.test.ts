/** Among packages of equal price, root causes come first. */

import { describe, expect, it } from 'vitest';
import { PricedWorld, SID } from '../../test/packages/prices/pricedWorld.ts';
import { DEFAULT_COSTS } from '../repairs/repairKinds.ts';
import { finish } from '../steps.ts';
import { workPackages } from './workPackages.ts';

const USERS = `${SID}-513`;

describe('packages of equal price', () => {
  it('have changes that are wrong in themselves first, then those that more may use', () => {
    const world = new PricedWorld()
      .groups(USERS)
      .filled('CREW', 30)
      .users('a', 'b', 'boss')
      .facts(...Array.from({ length: 25 }, (_, at) => `CREW-u${at} MemberOf ${USERS}`))
      .facts('a GenericAll b', 'a GenericAll boss', `CREW GenericAll b`, `${USERS} GenericAll b`)
      .zone('boss')
      .build();
    const own = ['a GenericAll b', 'a GenericAll boss', 'CREW GenericAll b', `${USERS} GenericAll b`];
    const packages = finish(
      workPackages({
        ...{ context: world.context, repairs: own.map((fact) => world.repair(fact)) },
        prices: { costs: DEFAULT_COSTS, zone: world.zone },
      }),
    );
    const singles = packages.filter(({ repairs }) => repairs.length === 1).map(({ key }) => key);
    expect(singles.map((key) => key.split(' ').slice(1).join(' '))).toEqual([
      'CREW GenericAll b',
      `${USERS} GenericAll b`,
      'a GenericAll boss',
      'a GenericAll b',
    ]);
  });
});
