import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckDefinition } from '@clew/api';
import { expect, it } from 'vitest';
import { documentOf, draftOf, NEW_CHECK, readCheckFiles, testDocument } from './checkDraft.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../../examples/checks');

const examples = readdirSync(EXAMPLES)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(EXAMPLES, name), 'utf8')) as CheckDefinition);

/** Files may contain empty members. */
const withoutEmpty = (example: CheckDefinition) =>
  Object.fromEntries(
    Object.entries(example).filter(
      ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );

it('a file that is opened in the form and saved without a change is the same file', () => {
  expect(examples.length).toBeGreaterThan(5);
  for (const example of examples) {
    // The answer of the service, with omitted members filled in.
    const stored: CheckDefinition = {
      ...example,
      category: example.category ?? 'Custom Checks',
      remediation: {
        ...{ short_description: '', long_description: '', short_remediation: '', long_remediation: '' },
        ...example.remediation,
      },
      techniques: example.techniques ?? [],
      owner: example.owner ?? '',
      enabled: true,
    };
    expect(documentOf(draftOf(stored), stored)).toEqual({
      ...withoutEmpty(example),
      category: stored.category,
    });
  }
});

it('a check that is off stays off, and a query can be tried before it has a name', () => {
  const [first] = examples;
  const stored = { ...first!, enabled: false, techniques: [], owner: '' } as CheckDefinition;
  expect(documentOf(draftOf(stored), stored)).toMatchObject({ enabled: false });
  expect(testDocument({ ...NEW_CHECK, cypher: 'MATCH (u:User) RETURN u' })).toEqual({
    name: 'Check_Draft',
    title: 'Draft',
    severity: 'moderate',
    cypher: 'MATCH (u:User) RETURN u',
  });
});

it('files that are not a check are reported with their error', async () => {
  const file = (name: string, text: string) => new File([text], name);
  const read = await readCheckFiles([
    file('good.json', '{"name":"Check_A","title":"A"}'),
    file('list.json', '[]'),
    file('broken.json', '{'),
    file('nameless.json', '{"title":"A"}'),
    file('large.json', `"${'a'.repeat(1_000_001)}"`),
  ]);
  expect(read.map(({ file: name, name: check, fault }) => [name, check ?? fault])).toEqual([
    ['good.json', 'Check_A'],
    ['list.json', 'The file is not a single JSON object'],
    ['broken.json', 'The file is not JSON'],
    ['nameless.json', 'The check has no name'],
    ['large.json', 'The file is too large for a check'],
  ]);
});
