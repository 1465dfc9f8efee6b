import type { CardRecord } from '@clew/api';
import { expect, it } from 'vitest';
import { cardsFor } from '../fix/planFigures.ts';
import { changeNotes } from './changeNotes.ts';
import { collectedEnvironments, drawnEnvironments, drawnText, exposureText } from './drawnEnvironments.ts';
import { changeOf, historyAsked } from './exposureHistory.ts';
import { knownExposure } from './knownExposure.ts';
import { noAnalysisText } from './times.ts';

it('each note of a chart is at the time of its mark, whatever the order and number of the changes', () => {
  const change = (at: string, cause: 'rules' | 'zones', came_count: number) => ({
    ...{ at, cause, came_count },
    ...{ went_count: 0, rules_version: '1', because: [] },
  });
  const notes = changeNotes([
    change('2026-11-20T12:00:00Z', 'zones', 4),
    change('2026-11-10T12:00:00Z', 'rules', 1),
    change('2026-11-10T13:00:00Z', 'zones', 2),
    change('2026-11-10T14:00:00Z', 'rules', 3),
  ]);
  expect(notes.map(({ at }) => at)).toEqual([
    '2026-11-10T12:00:00Z',
    '2026-11-10T13:00:00Z',
    '2026-11-20T12:00:00Z',
  ]);
  expect(notes.map(({ text }) => /Nov \d+/.exec(text)?.[0])).toEqual(['Nov 10', 'Nov 10', 'Nov 20']);
  expect(notes[0]!.text).toContain('4 findings opened');
  expect(notes[1]!.text).toContain('2 findings opened');
});

it('an environment that was not collected has no exposure of 0%', () => {
  const of = (environment_id: string, before: number | null, after: number | null) => ({
    ...{ environment_id, environment_name: environment_id, before, after },
  });
  const { known, unread } = knownExposure(
    [of('read', 0, 0), of('seen', 0, 0), of('lost', 0.4, 0), of('desk', 0, 0)],
    [
      { environment_id: 'read', collected: true, principals: 1 },
      { environment_id: 'seen', collected: false, principals: 0 },
      { environment_id: 'lost', collected: false, principals: 0 },
      { environment_id: 'desk', collected: true, principals: 0 },
    ],
  );
  expect(known.map(({ environment_id }) => environment_id)).toEqual(['read', 'lost']);
  expect(unread.map(({ environment_id }) => environment_id)).toEqual(['seen']);
});

it('the change of all environments is asked for as one, not of those that are drawn', () => {
  const eight = Array.from({ length: 8 }, (_, index) => `S-${index}`);
  expect(historyAsked(eight, '2026-11-01T00:00:00Z', 1).environments.split(',')).toEqual(eight);
  const at = '2026-11-01T00:00:00Z';
  expect(
    changeOf({
      points: [
        { at, value: 0.5 },
        { at, value: 0.25 },
      ],
    }),
  ).toBe(-0.25);
  expect(changeOf({ points: [{ at, value: 0.5 }] })).toBeUndefined();
});

it('a report of one environment has the repairs that lower its own exposure, each with its effect there', () => {
  const exposure = (north: number, south: number) =>
    [
      ['north', north],
      ['south', south],
    ].map(([environment_id, exposed_count]) => ({
      ...{ environment_id, environment_name: environment_id, exposed_count, principal_count: 100 },
      exposure: Number(exposed_count) / 100,
    })) as CardRecord['exposure'];
  const card = (key: string, after: CardRecord['exposure']) =>
    ({ key, exposure: after, exposed_before: 1, principals_before: 1, exposed_after: 1 }) as CardRecord;
  const plan = {
    before: exposure(80, 60),
    cards: [card('one', exposure(80, 40)), card('two', exposure(50, 40)), card('three', exposure(50, 10))],
  };
  expect(cardsFor(plan, 'north').map(({ card: { key }, fall }) => [key, fall?.from, fall?.to])).toEqual([
    ['two', '80.0%', '50.0%'],
  ]);
  expect(cardsFor(plan, 'south').map(({ card: { key } }) => key)).toEqual(['one', 'three']);
  expect(cardsFor(plan, undefined)).toHaveLength(3);
});

it('charts draw the largest environments, and those without principals only when they are chosen', () => {
  const of = (name: string, principals: number, collected = true) =>
    ({ environment_id: name, name, principals, collected }) as Parameters<
      typeof drawnEnvironments
    >[0][number];
  const all = [
    ...[of('desk', 0), of('gate', 0), of('seen', 90, false)],
    ...[3, 1, 4, 6, 5, 9, 2].map((users) => of(`of ${users}`, users)),
  ];
  const names = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);
  expect(names(drawnEnvironments(all, undefined))).toEqual(['of 9', 'of 6', 'of 5', 'of 4', 'of 3', 'of 2']);
  expect(names(drawnEnvironments(all, 'gate'))).toEqual(['gate']);
  expect(drawnText(all, undefined, 6)).toBe(
    'The 6 largest environments of 7 are drawn. Choose one to see it alone.',
  );
  expect([drawnText(all, undefined, 7), drawnText(all, 'gate', 1)]).toEqual([undefined, undefined]);
  expect(names(collectedEnvironments(all, undefined)).slice(-3)).toEqual(['of 1', 'desk', 'gate']);
});

it('an environment with users and without a zone says so, and one without principals has no exposure', () => {
  const of = (exposure: number | null, principals: number, users: number) =>
    exposureText({ exposure, principals, users, computers: 0 } as Parameters<typeof exposureText>[0]);
  expect([of(0.5, 10, 12), of(0, 3, 0), of(null, 0, 12), of(null, 0, 0), of(0, 0, 0)]).toEqual([
    ...['50.0%', '0%', 'no zone', undefined, undefined],
  ]);
});

it('a period that begins after the latest analysis, or with it, has none', () => {
  const since = '2026-11-20T12:00:00Z';
  expect(noAnalysisText(since, '2026-11-20T12:00:00.001Z')).toBeUndefined();
  for (const published of ['2026-11-19T09:00:00Z', '2026-11-20T14:00:00+02:00'])
    expect(noAnalysisText(since, published)).toMatch(/^No analysis since .*; the last one was on .*\.$/);
});
