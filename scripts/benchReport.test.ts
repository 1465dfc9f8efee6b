import { describe, expect, it } from 'vitest';
import { type BenchRun, compareRuns, formatComparison, formatRun } from './benchReport.ts';

const runOf = (figures: Record<string, number | string>): BenchRun => ({
  ...{ file: 'a.bench.ts', name: 'reader', seconds: 1.25, peakMb: 120.4 },
  results: [{ name: 'users', figures }],
});

const verdicts = (before: Record<string, number>, after: Record<string, number>) =>
  compareRuns([runOf(before)], [runOf(after)], 25).map((change) => change.verdict);

describe('a comparison', () => {
  it.each([
    ['p50 (ms)', 'worse'],
    ['resident (MB)', 'worse'],
    ['bytes per edge', 'worse'],
    ['ms', 'worse'],
    ['objects/s', 'better'],
    ['MB/s', 'better'],
    ['requests/s at 16 connections', 'better'],
    ['edges', 'other'],
  ])('reports a rise of %s as %s', (figure, verdict) => {
    expect(verdicts({ [figure]: 100 }, { [figure]: 200 })).toEqual([verdict]);
    const fall = verdict === 'worse' ? 'better' : verdict === 'better' ? 'worse' : 'other';
    expect(verdicts({ [figure]: 200 }, { [figure]: 100 })).toEqual([fall]);
  });

  it('accepts changes within the tolerance', () => {
    expect(verdicts({ 'p50 (ms)': 100 }, { 'p50 (ms)': 125 })).toEqual(['same']);
    expect(verdicts({ 'p50 (ms)': 0 }, { 'p50 (ms)': 0 })).toEqual(['same']);
    expect(verdicts({ 'p50 (ms)': 0 }, { 'p50 (ms)': 1 })).toEqual(['worse']);
  });

  it('omits figures that only one side has', () => {
    expect(compareRuns([runOf({ a: 1 })], [runOf({ b: 1 }), { ...runOf({}), name: 'other' }], 25)).toEqual(
      [],
    );
  });

  it('lists changes', () => {
    const changes = compareRuns(
      [runOf({ 'p50 (ms)': 10, 'objects/s': 5 })],
      [runOf({ 'p50 (ms)': 20, 'objects/s': 5 })],
      25,
    );
    expect(formatComparison(changes, 25)).toBe(
      '2 figures compared, 1 changed by more than 25 %\n  worse  reader > users > p50 (ms)  10 -> 20  +100 %\n',
    );
  });
});

describe('a run', () => {
  it('is a table with time and memory above it', () => {
    expect(formatRun(runOf({ 'objects/s': 38123.4, ratio: 0.123456, shape: 'wide' }))).toBe(
      [
        'reader  (1.3 s, peak 120 MB)',
        '  users  objects/s  38,120',
        '         ratio        0.12',
        '         shape        wide',
        '',
      ].join('\n'),
    );
  });

  it('explains missing figures', () => {
    expect(formatRun({ ...runOf({}), results: [], fault: 'wrong answer' })).toContain('FAILED: wrong answer');
  });
});
