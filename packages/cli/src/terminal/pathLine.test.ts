import { builtInPhrase } from '@clew/connector';
import { expect, test } from 'vitest';
import { pathLine } from './pathLine.ts';

const path = {
  nodes: [
    { name: 'ANN@CORP.EXAMPLE', kind: 'User' },
    { name: 'HELP DESK@CORP.EXAMPLE', kind: 'Group' },
    { name: 'CORP.EXAMPLE', kind: 'Domain' },
  ],
  relations: ['MemberOf', 'GenericAll'],
};

test('names the kind of each object, and marks the removed step with a word', () => {
  expect(pathLine({ width: Number.POSITIVE_INFINITY }, path, builtInPhrase, { cut: 1 })).toBe(
    'User ANN@CORP.EXAMPLE -is a member of-> Group HELP DESK@CORP.EXAMPLE -cut: has full control of-> Domain CORP.EXAMPLE',
  );
});

test.each([20, 40, 60, 80])('is wrapped between its parts at %i columns', (width) => {
  const text = pathLine({ width }, path, builtInPhrase, { lead: 'before: ', indent: 4 });
  const lines = text.split('\n');
  expect(lines[0]).toMatch(/^before: User ANN/);
  for (const line of lines.slice(1)) expect(line).toMatch(/^ {4}\S/);
  // A part that is longer than the terminal has its own line.
  for (const line of lines)
    expect(line.length <= width || / -|-> /.test(line.slice(4)) === false || line === lines[0]).toBe(true);
  expect(lines.map((line) => line.trim()).join(' ')).toBe(
    pathLine({ width: Number.POSITIVE_INFINITY }, path, builtInPhrase, { lead: 'before: ' }),
  );
});
