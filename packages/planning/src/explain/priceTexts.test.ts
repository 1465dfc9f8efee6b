/** Price texts contain exactly what was counted. */
import { AnalysisContext, defaultOptions } from '@clew/analysis';
import { expect, it } from 'vitest';
import { type Built, PricedWorld } from '../../test/packages/prices/pricedWorld.ts';
import { packageQuestions } from '../packages/packageQuestions.ts';
import type { PricedPackage } from '../packages/plannedTypes.ts';
import { Prices } from '../packages/prices/prices.ts';
import type { Price } from '../packages/prices/reasons.ts';
import type { Repair } from '../repairs/repair.ts';
import { DEFAULT_COSTS, type RepairKind } from '../repairs/repairKinds.ts';
import type { AnalyzedWorld } from '../simulation/simulate.ts';
import { packageText } from './packageTexts.ts';
import { notThisText, questionText, reasonText, repairQuestion } from './priceTexts.ts';

/** Texts depend only on names and the context. */
const worldOf = ({ test }: Built): AnalyzedWorld =>
  ({ context: new AnalysisContext({ ...test, options: defaultOptions() }) }) as AnalyzedWorld;

const textOf = (built: Built, fact: string): string =>
  reasonText(worldOf(built), built.repair(fact), built.price(fact));

const crew = () => new PricedWorld().filled('CREW', 12).groups('HELP');

it('says on how many objects the holder has the right, few or many', () => {
  const built = crew()
    .filled('ALL', 988)
    .facts(...Array.from({ length: 100 }, (_, at) => `HELP ForceChangePassword ALL-u${at}`))
    .facts('HELP GenericAll CREW')
    .build();
  expect(textOf(built, 'HELP ForceChangePassword ALL-u0')).toBe(
    'HELP has the same right on 100 of 1,000 objects of this kind',
  );
  expect(textOf(built, 'HELP GenericAll CREW')).toBe(
    'HELP has the same right on 1 of 3 objects of this kind',
  );
});

const repairOf = (built: Built, kind: RepairKind): Repair => ({
  ...{ id: kind, kind, object: built.test.node('CREW'), principal: built.test.node('HELP') },
  ...{ edgeKinds: [], change: { removed: [], properties: [] } },
});

it.each([
  ['remove-policy-member', 'exception', 'HELP was not created for administration'],
  ['remove-relation', 'exception', 'it is a separate assignment, which one command removes'],
  ['remove-permission', 'exception', 'it is a separate entry on CREW'],
  ['remove-relation', 'in-use', 'whether HELP needs it for work was not collected'],
] as const)('claims nothing of %s (%s) that no price counted', (kind, reason, text) => {
  const built = crew().build();
  expect(reasonText(worldOf(built), repairOf(built, kind), { work: 1, breaks: 0, reason })).toBe(text);
});

it('asks about one change what its card asks, with the consequence, and nothing about a change that is always right', () => {
  const built = crew().build();
  const asked = (
    kind: RepairKind,
    edgeKinds: Repair['edgeKinds'],
    reason: 'design' | 'intruder' | 'authority',
  ) =>
    repairQuestion(worldOf(built), { ...repairOf(built, kind), edgeKinds }, { work: 1, breaks: 0, reason });
  expect(asked('remove-permission', ['GetChanges'], 'intruder')).toBe(
    'Does HELP read password hashes for synchronization? If so, leave this change out.',
  );
  expect(asked('remove-permission', ['GenericAll'], 'design')).toBe(
    'Does anyone still use the access of HELP to CREW? If so, leave this change out.',
  );
  expect(asked('remove-enrollment', ['Enroll'], 'authority')).toMatch(
    /^Who enrolls at CREW\?.*grant Enroll to them/,
  );
  expect(asked('remove-permission', ['GenericAll'], 'intruder')).toBeUndefined();
});

it('says "or more" of members alone, whose count has an end', () => {
  const built = crew().build();
  const say = (facts: object, reason: 'intruder' | 'design' | 'crowd') =>
    reasonText(worldOf(built), repairOf(built, 'keep-off'), { work: 1, breaks: 0, reason, facts });
  expect(say({ principals: 1000 }, 'intruder')).toContain('has 1,000 members or more and');
  expect(say({ principals: 1 }, 'intruder')).toContain('has 1 member and');
  expect(say({ hosts: 9, here: 9, unit: 1200 }, 'design')).toBe(
    'HELP administers 9 of 1,200 computers outside all collected containers',
  );
  const container = built.test.node('CREW');
  expect(say({ hosts: 2, here: 2, unit: 2, computers: 2, container }, 'design')).toBe(
    'HELP administers 2 of 2 computers in CREW',
  );
  expect(say({ hosts: 2, here: 2, unit: 2, computers: 1008, container }, 'design')).toBe(
    'HELP administers 2 of the 2 computers in CREW whose administrators were collected (of 1,008)',
  );
  expect(say({ sessions: 1200 }, 'crowd')).toBe('people work there (1,200 sessions seen)');
});

it.each([
  ['dangerous-setting', 1, 1, 'it costs the same'],
  ['against-tier', 2, 1, 'it costs more'],
  ['intruder', 1, 2, undefined],
  ['exception', 1.5, 1, 'it costs more'],
  ['design', 7, 7, 'this is part of the directory design'],
] as const)(
  'never gives a reason that speaks for the alternative: %s of cost %d instead of %d',
  (reason, cost, chosen, said) => {
    const built = crew().build();
    const repair = { ...repairOf(built, 'remove-permission'), edgeKinds: ['GenericAll' as const] };
    const other = {
      ...{ key: 'K', kind: 'remove-permission', subjects: [repair.object], repairs: [repair], cost },
      ...{ prices: [{ reason, work: 1, breaks: 0, repairs: [0] }], isKept: false },
    } as unknown as PricedPackage;
    const { title } = packageText(worldOf(built), other);
    const text = notThisText(worldOf(built), { packages: [other], cost }, chosen);
    expect(text).toBe(`Not: r${title.slice(1)} (${cost})${said === undefined ? '' : `: ${said}`}.`);
  },
);

it('says of the readers of a disabled managed account that no service runs as it', () => {
  const built = crew()
    .add('User', { enabled: false, gmsa: true }, 'OFF')
    .add('User', { enabled: false }, 'GONE')
    .facts('CREW ReadGMSAPassword OFF', 'GONE GenericAll CREW')
    .build();
  const textOfLeft = (fact: string): string =>
    reasonText(worldOf(built), built.repair(fact), { work: 1, breaks: 0, reason: 'left' });
  expect(textOfLeft('CREW ReadGMSAPassword OFF')).toBe('OFF is disabled, so no service runs as it');
  expect(textOfLeft('GONE GenericAll CREW')).toBe('GONE is disabled or deleted');
});

it.each([
  [
    'authority-web-enrollment',
    'CA',
    /^Does anyone enroll through the web pages of CA\? /,
    /^If so, keep the pages and protect/,
  ],
  [
    'authority-san-flag',
    'CA',
    /^Do requests to CA contain additional names/,
    /^If so, first move these requests/,
  ],
  ['domain-computer-quota', 'CREW', /^Do users without a delegated right join/, /^If so, first delegate/],
  [
    'clear-sid-history',
    'CREW',
    /^Does any access depend on the former SID of CREW/,
    /^If so, first grant the same access/,
  ],
] as const)('asks about clients of a setting until someone answers: %s', (kind, id, question, used) => {
  const built = crew().add('EnterpriseCA', {}, 'CA').build();
  const repair = { ...repairOf(built, kind), object: built.test.node(id) };
  const prices = new Prices(built.context, { costs: DEFAULT_COSTS });
  const asked = (price: Price) => {
    const priced = {
      repairs: [repair],
      ...{ work: price.work, breaks: price.breaks, prices: [{ ...price, repairs: [0] }] },
    } as unknown as PricedPackage;
    return packageQuestions(built.test.graph, priced).map((one) => questionText(worldOf(built), priced, one));
  };
  const price = prices.of(repair);
  expect(asked(price)).toMatchObject([
    { question: expect.stringMatching(question), used: expect.stringMatching(used) },
  ]);
  expect(asked({ ...price, reason: 'answered' })).toEqual([]);
  if (kind === 'authority-web-enrollment')
    expect(price).toMatchObject({ work: 2, breaks: 0.5, reason: 'clients' });
});
