import { expect, test } from 'vitest';
import type { Field } from './FormField.tsx';
import { NOTHING_TYPED, shownFields, typedInto, withTyped } from './typedFields.ts';

const FIELDS: readonly Field[] = [
  {
    type: 'radio',
    name: 'type',
    label: 'Selects',
    options: [
      ['1', 'One'],
      ['2', 'Two'],
    ],
  },
  {
    ...{ type: 'long', name: 'query', label: 'Query', rows: 2, value: 'MATCH' },
    when: (values) => values.text('type') === '2',
  },
  {
    type: 'check',
    name: 'exact',
    label: 'Exact',
    value: true,
    when: (values) => values.text('query') !== '',
  },
];

const formOf = (entries: Readonly<Record<string, string>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(entries)) form.append(name, value);
  return form;
};

test('a field that appears has its first value at once, and one that depends on a hidden field is hidden', () => {
  const first = shownFields(FIELDS, NOTHING_TYPED);
  expect(first.shown.map(({ name }) => name)).toEqual(['type']);
  expect(first.values.text('query')).toBe('');
  const two = typedInto(NOTHING_TYPED, first.shown, formOf({ type: '2' }));
  const { shown, values } = shownFields(FIELDS, two);
  expect(shown.map(({ name }) => name)).toEqual(['type', 'query', 'exact']);
  expect(values.text('query')).toBe('MATCH');
  expect(values.has('exact')).toBe(true);
  expect(withTyped(FIELDS[1]!, two)).toBe(FIELDS[1]);
});

test('a list keeps its value while its options are late, and what was chosen of them then', () => {
  const owner = (...options: readonly (readonly [string, string])[]): readonly Field[] => [
    { type: 'select', name: 'owner', label: 'Owner', options: [['', 'No owner'], ...options], value: 'b' },
  ];
  const late = owner();
  const all = owner(['a', 'Ada'], ['b', 'Ben']);
  // The browser shows the only option, and text is typed elsewhere.
  const typed = typedInto(NOTHING_TYPED, late, formOf({ owner: '', note: 'x' }));
  expect(shownFields(all, typed).values.text('owner')).toBe('b');
  const chosen = typedInto(typed, all, formOf({ owner: 'a' }));
  expect(shownFields(owner(['a', 'Ada'], ['b', 'Ben'], ['c', 'Cy']), chosen).values.text('owner')).toBe('a');
});

test('a field that is hidden and shown again has what was typed into it, also a removed mark', () => {
  const switched = typedInto(NOTHING_TYPED, [FIELDS[0]!], formOf({ type: '2' }));
  // The checkbox was unchecked.
  const typed = typedInto(switched, FIELDS, formOf({ type: '2', query: 'RETURN 1' }));
  const back = typedInto(typed, FIELDS, formOf({ type: '1', query: 'RETURN 1' }));
  const hidden = shownFields(FIELDS, back);
  expect(hidden.shown.map(({ name }) => name)).toEqual(['type']);
  expect(hidden.values.text('query')).toBe('');
  const later = typedInto(back, hidden.shown, formOf({ type: '1' }));
  const again = typedInto(later, hidden.shown, formOf({ type: '2' }));
  const { values } = shownFields(FIELDS, again);
  expect(values.text('query')).toBe('RETURN 1');
  expect(values.all('query')).toEqual(['RETURN 1']);
  expect(values.has('exact')).toBe(false);
  expect(withTyped(FIELDS[1]!, again)).toMatchObject({ value: 'RETURN 1' });
  expect(withTyped(FIELDS[2]!, again)).toMatchObject({ value: false });
});
