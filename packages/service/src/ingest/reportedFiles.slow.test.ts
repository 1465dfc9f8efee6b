/** Files as collectors other than the first one write them, each from a report of a user. Names and ids are invented. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ServiceUnderTest } from '../testing/serviceUnderTest.ts';
import { sidOf, twoDomains } from '../testing/twoDomains.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

const FIXTURES = join(import.meta.dirname, 'fixtures');

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
}, 120_000);
afterAll(() => service.stop());

/** @param from beginning of the names of the files */
function filesOf(directory: string, from = ''): Json[] {
  return readdirSync(join(FIXTURES, directory))
    .filter((name) => name.startsWith(from))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(FIXTURES, directory, name), 'utf8')));
}

const environmentOf = async (id: string): Promise<Json> =>
  (await service.data('GET', 'posture/summary')).environments.find((one: Json) => one.environment_id === id);
const exposureOf = async (id: string): Promise<number> => (await environmentOf(id)).exposure;

it('keeps what a second run of sessions did not collect', async () => {
  await service.upload(...filesOf('partial-second-run', '1-'));
  const before = await exposureOf('S-1-5-21-301-2026-1128');
  await service.upload(...filesOf('partial-second-run', '2-'));
  expect(before).toBeGreaterThan(0.3);
  expect(await exposureOf('S-1-5-21-301-2026-1128')).toBe(before);
});

it.each([
  ['do not say what their run collected', 'NORTH', 0, 'deprecated'],
  ['say what their run collected', 'SOUTH', 0x40, 'remediated'],
] as const)('tells of a large fall after files that %s', async (_, domain, methods, status) => {
  const users = Array.from({ length: 30 }, (__, at) => 1101 + at);
  const filesWith = (holders: readonly number[]): Json[] =>
    twoDomains({ NORTH: [], SOUTH: [], [domain]: holders }, users)
      .map((file: Json) => ({ ...file, meta: { ...file.meta, methods } }))
      .filter(({ data }: Json) => JSON.stringify(data).includes(sidOf(domain)));
  await service.upload(...filesWith(users));
  const { name, exposure: before } = await environmentOf(sidOf(domain));
  const job = await service.upload(...filesWith([1101]));
  const [{ warnings }] = await service.data('GET', `file-upload?id=eq:${job}`);
  const doubt =
    methods === 0 ? '. The files do not say what their run collected, so findings that ended' : '';
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(
    `29 relationships of ${name} were not reported again and were removed (GenericAll 29 of 30)${doubt}`,
  );
  const { not_reported } = await service.data('GET', 'posture/summary');
  const fall = not_reported.find((one: Json) => one.job_id === job);
  expect(fall).toMatchObject({
    environment_id: sidOf(domain),
    removed_count: 29,
    names_methods: methods > 0,
  });
  const share = (value: number): string => `${Number((value * 100).toFixed(1))}%`;
  expect(fall.text).toContain(
    `Exposure of ${name} fell from ${share(before)} to ${share(await exposureOf(sidOf(domain)))} because 29 relationships`,
  );
  const ended = await service.data(
    'GET',
    `attack-paths/findings?finding=T0GenericAll&environment_id=${sidOf(domain)}&status=neq:active&limit=100`,
  );
  expect(ended).toHaveLength(29);
  expect(new Set(ended.map((one: Json) => one.status))).toEqual(new Set([status]));
});
