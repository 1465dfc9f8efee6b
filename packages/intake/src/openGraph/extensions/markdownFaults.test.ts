import { expect, test } from 'vitest';
import { markdownFaults } from './markdownFaults.ts';

test('each text is reported separately, even if others take too long or are nested too deeply', async () => {
  const slow = '+ '.repeat(30_000);
  const deep = '> '.repeat(30_000);
  const texts = ['*good*', slow, '<script>', deep, 'good'];
  const faults = await markdownFaults(texts, { textMs: 1_500, allMs: 60_000 });
  expect(faults[0]).toBeUndefined();
  expect(faults[1]).toBe('takes too long to read');
  expect(faults[2]).toBe('has the element <script>, which is not allowed');
  expect(['takes too long to read', 'is nested too deeply']).toContain(faults[3]);
  expect(faults[4]).toBeUndefined();
}, 60_000);

test('texts after the common time limit are not checked', async () => {
  const slow = '+ '.repeat(30_000);
  const faults = await markdownFaults([slow, 'good'], { textMs: 200, allMs: 100 });
  expect(faults).toEqual([
    'takes too long to read',
    'was not checked, because the previous texts took too long',
  ]);
}, 60_000);
