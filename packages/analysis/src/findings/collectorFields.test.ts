/** The table of fields and collectors: whole, and the one that the documentation has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLLECTOR_FIELDS, COLLECTORS } from '@clew/model';
import { expect, it } from 'vitest';
import { requiredProperties } from '../analyze.ts';
import { RULES } from '../rules.ts';
import { FINDING_TYPES } from './types/catalog.ts';

const AZURE_RULES = RULES.filter(({ produces }) => produces.every((kind) => kind.startsWith('AZ')));
/** Fields of Entra ID alone. */
const OF_TENANTS = new Set([
  ...requiredProperties(AZURE_RULES),
  ...requiredProperties().filter((key) => key.startsWith('enduserassignment') || key.startsWith('onprem')),
]);

/** List findings by the fields that they need. */
const needing = (field: string): string[] =>
  FINDING_TYPES.filter(
    (type) =>
      type.kind === 'list' && type.platform === 'ad' && (type.needs.includes(field) || type.seenBy === field),
  ).map(({ id }) => id);

it('has a row for each field that a finding or a rule reads, and no other', () => {
  const listed = FINDING_TYPES.flatMap((type) =>
    type.kind === 'list' && type.platform === 'ad'
      ? [...type.needs, ...(type.seenBy ? [type.seenBy] : [])]
      : [],
  );
  const read = new Set([...listed, ...requiredProperties().filter((key) => !OF_TENANTS.has(key))]);
  expect(COLLECTOR_FIELDS.map(({ field }) => field).filter((field) => !read.has(field))).toEqual([]);
  const known = new Set(COLLECTOR_FIELDS.map(({ field }) => field));
  expect([...read].filter((field) => !known.has(field)).sort()).toEqual([]);
  expect(known.size).toBe(COLLECTOR_FIELDS.length);
});

it('is the table of the documentation', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/reference/collections.md'), 'utf8');
  const words = { y: 'yes', n: 'no', '?': '' } as const;
  const head = ['Field', ...COLLECTORS.map(([name]) => name), 'Silences'];
  const rows = COLLECTOR_FIELDS.map(({ field, said }) => [
    `\`${field}\``,
    ...said.map((one) => words[one]),
    needing(field).join(', '),
  ]);
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  if (!page.includes(table))
    throw new Error(`docs/reference/collections.md does not have this table:\n${table}`);
});
