import { expect, test } from 'vitest';
import { cellText } from './cellText.ts';

const node = (name: string) => ({ type: 'node', kind: 'User', name, objectid: `ID-${name}` });
const edge = (kind: string, source: string, target: string) => ({
  ...{ type: 'relationship', kind, source: `ID-${source}`, target: `ID-${target}` },
});

test('cells are shown by the names of their objects', () => {
  expect(cellText(node('A'))).toBe('A');
  expect(cellText(edge('Owns', 'A', 'B'))).toBe('Owns');
  expect(cellText([node('A'), 1, null])).toBe('A, 1, ');
  expect(cellText({ a: 1 })).toBe('{"a":1}');
  const path = {
    type: 'path',
    nodes: [node('A'), node('B'), node('C')],
    relationships: [edge('Owns', 'A', 'B'), edge('AdminTo', 'C', 'B')],
  };
  expect(cellText(path)).toBe('A -Owns-> B <-AdminTo- C');
});
