/**
 * Sigma rules as YAML, from constants and ids: an event, its required fields, and the audit setting that it requires.
 *
 * Source: Sigma specification 2.0 (rules, modifiers, escaping).
 */
import { createHash } from 'node:crypto';

/** Fields of an event with their allowed values; a name may end in a modifier such as `|contains`. */
type Fields = Readonly<Record<string, readonly (string | number)[]>>;

export interface WatchRule {
  /** The detected step, in one sentence. */
  readonly title: string;
  readonly product: 'windows' | 'azure';
  readonly service: string;
  readonly fields: Fields;
  /** Excludes events with these fields. */
  readonly except?: Fields;
  /** The required audit setting. */
  readonly needs: string;
  readonly falsePositives: string;
}

/** Escapes `*`, `?` and `\` so that they only match themselves. */
export const sigmaValue = (text: string): string => text.replace(/[*?\\]/g, (found) => `\\${found}`);

/** A double-quoted ASCII scalar. Source: YAML 1.2.2, 5.7. */
function scalar(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const escaped = [...value.toWellFormed()].map((character) => {
    const point = character.codePointAt(0) as number;
    if (character === '"' || character === '\\') return `\\${character}`;
    if (point >= 0x20 && point < 0x7f) return character;
    return point > 0xffff
      ? `\\U${point.toString(16).padStart(8, '0')}`
      : `\\u${point.toString(16).padStart(4, '0')}`;
  });
  return `"${escaped.join('')}"`;
}

const asSigma = (value: string | number): string | number =>
  typeof value === 'string' ? sigmaValue(value) : value;

const rows = (fields: Fields): string =>
  Object.entries(fields)
    .map(
      ([name, values]) =>
        `    ${name}:\n${values.map((one) => `      - ${scalar(asSigma(one))}\n`).join('')}`,
    )
    .join('');

/** An id in the form of a UUID, equal for equal rules. */
function idOf(rule: WatchRule): string {
  const hex = createHash('sha256').update(JSON.stringify(rule)).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** @returns the rule as a file */
export function sigmaText(rule: WatchRule): string {
  const { title, product, service, fields, except, needs, falsePositives } = rule;
  return [
    `title: ${scalar(title.slice(0, 200))}`,
    `id: ${idOf(rule)}`,
    'status: experimental',
    `description: ${scalar(`The attack step is possible until a change removes it. Required auditing: ${needs}`)}`,
    'author: Clew',
    'logsource:',
    `  product: ${product}`,
    `  service: ${service}`,
    'detection:',
    `  selection:\n${rows(fields)}${except === undefined ? '' : `  left_out:\n${rows(except)}`}`.trimEnd(),
    `  condition: selection${except === undefined ? '' : ' and not left_out'}`,
    'falsepositives:',
    `  - ${scalar(falsePositives)}`,
    'level: high',
    '',
  ].join('\n');
}

/** Fields in `EventData` of the Microsoft Sentinel table, which the public converter does not support. */
const INSIDE: readonly string[] = [
  'ObjectGUID',
  'ObjectDN',
  'AttributeLDAPDisplayName',
  'SidList',
  'ServiceSid',
  'PreAuthType',
];

/** A one-line KQL literal. */
const kqlText = (value: string | number): string =>
  `"${String(value)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/["\\]/g, (found) => `\\${found}`)}"`;

/** Comparisons by the modifier of a field. */
const COMPARISONS: Readonly<Record<string, (field: string, values: readonly string[]) => string>> = {
  '': (field, values) => `${field} in~ (${values.join(', ')})`,
  contains: (field, values) => values.map((value) => `${field} contains ${value}`).join(' or '),
};

function conditionsOf(fields: Fields): string[] {
  return Object.entries(fields).map(([field, values]) => {
    const [name = '', modifier = ''] = field.split('|');
    const compare = COMPARISONS[modifier];
    if (compare === undefined) throw new Error(`a custom query has no comparison for ${field}`);
    return compare(`tostring(Fields["${name}"])`, values.map(kqlText));
  });
}

/** @returns a custom KQL query for a rule with a field that the converter does not support; otherwise `undefined` */
export function kqlOf({ fields, except }: WatchRule): string | undefined {
  if (!Object.keys(fields).some((field) => INSIDE.includes(field.split('|')[0] ?? ''))) return undefined;
  const { EventID = [], ...others } = fields;
  return `${[
    'SecurityEvent',
    `| where EventID in (${EventID.join(', ')})`,
    '| extend Data = parse_xml(EventData).EventData.Data',
    '| mv-apply One = Data on (summarize Fields = make_bag(bag_pack(tostring(One["@Name"]), tostring(One["#text"]))))',
    ...conditionsOf(others).map((condition) => `| where ${condition}`),
    ...(except === undefined ? [] : [`| where not (${conditionsOf(except).join(' and ')})`]),
  ].join('\n')}\n`;
}
