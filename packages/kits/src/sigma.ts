/**
 * Sigma rules as YAML, from values of ours and ids: an event, the fields that it must have, and what must be switched on for it to exist.
 *
 * Source: Sigma specification 2.0 (rules, modifiers, escaping).
 */
import { createHash } from 'node:crypto';

/** Fields of an event with the values that it may have; a name may end in a modifier such as `|contains`. */
type Fields = Readonly<Record<string, readonly (string | number)[]>>;

export interface WatchRule {
  /** The step that it watches, in one sentence. */
  readonly title: string;
  readonly product: 'windows' | 'azure';
  readonly service: string;
  readonly fields: Fields;
  /** Events with these are left out. */
  readonly except?: Fields;
  /** The audit that must be switched on. */
  readonly needs: string;
  readonly falsePositives: string;
}

/** `*`, `?` and `\` of a value match themselves alone. */
export const sigmaValue = (text: string): string => text.replace(/[*?\\]/g, (found) => `\\${found}`);

/** A double-quoted scalar of ASCII. Source: YAML 1.2.2, 5.7. */
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

/** An id of the form of a UUID, the same for the same rule. */
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
    `description: ${scalar(`The step is possible until the change is made. Must be switched on: ${needs}`)}`,
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

/** Fields that are inside `EventData` of the table of Microsoft Sentinel, which the public converter refuses. */
const INSIDE: readonly string[] = ['ObjectGUID', 'AttributeLDAPDisplayName'];

/** A literal of KQL in one line. */
const kqlText = (value: string | number): string =>
  `"${String(value)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/["\\]/g, (found) => `\\${found}`)}"`;

/** @returns an own query in KQL for a rule with a field that the converter lacks; nothing for another rule */
export function kqlOf({ fields }: WatchRule): string | undefined {
  if (!INSIDE.some((name) => Object.hasOwn(fields, name))) return undefined;
  const { EventID = [], ...others } = fields;
  const conditions = Object.entries(others).map(
    ([name, values]) => `| where tostring(Fields["${name}"]) in~ (${values.map(kqlText).join(', ')})`,
  );
  return `${[
    'SecurityEvent',
    `| where EventID in (${EventID.join(', ')})`,
    '| extend Data = parse_xml(EventData).EventData.Data',
    '| mv-apply One = Data on (summarize Fields = make_bag(bag_pack(tostring(One["@Name"]), tostring(One["#text"]))))',
    ...conditions,
  ].join('\n')}\n`;
}
