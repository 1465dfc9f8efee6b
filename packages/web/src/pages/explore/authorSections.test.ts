import { expect, test } from 'vitest';
import { sectionsIn } from './authorSections.ts';

test('reads sections in their order, whatever else is there', () => {
  const section = (title: string, position: unknown) => ({ title, position, markdown: { content: title } });
  expect(sectionsIn({ a: section('B', 2), b: section('A', 1), c: 7, d: { title: 'no text' } })).toMatchObject(
    [{ title: 'A' }, { title: 'B' }],
  );
  expect(sectionsIn([section('One', '1'), null, 'text'])).toMatchObject([{ title: 'One', content: 'One' }]);
  expect(sectionsIn(undefined)).toEqual([]);
});
