/** The tables of `docs/reference/collections.md`: which collector writes each field, and which findings need it. */
import { FINDING_TYPES } from '@clew/analysis';
import { COLLECTOR_FIELDS, COLLECTORS, TENANT_COLLECTOR, TENANT_FIELDS } from '@clew/model';

const WORDS = { y: 'yes', n: 'no', c: 'constant', '?': '' } as const;

/** @returns list findings of a platform that find nothing without a field */
const silenced = (platform: 'ad' | 'azure', field: string): string =>
  FINDING_TYPES.filter(
    (type) =>
      type.kind === 'list' &&
      type.platform === platform &&
      ([...type.needs].some((need) => need === field) || type.seenBy === field),
  )
    .map(({ id }) => id)
    .join(', ');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const directoryFieldTable = (): string =>
  table(
    ['Field', ...COLLECTORS.map(([name]) => name), 'Silences'],
    COLLECTOR_FIELDS.map(({ field, said }) => [
      `\`${field}\``,
      ...said.map((one) => WORDS[one]),
      silenced('ad', field),
    ]),
  );

export const tenantFieldTable = (): string =>
  table(
    ['Field', TENANT_COLLECTOR[0], 'Silences'],
    TENANT_FIELDS.map((field) => [`\`${field}\``, 'yes', silenced('azure', field)]),
  );
