/** The object of an action of the audit log, in words. Ids and raw values are shown on hover. */
import { valueText } from '../../text/cleanText.ts';
import { daysIn, settingField } from './settingFields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** All fields, as the API returns them. */
export const rawAuditText = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${valueText(value)}`)
    .join(', ');

/** @returns "admin" for a user, and labels for members of a setting; ids of a named object are left out */
export function auditText(fields: Fields): string {
  const setting = changedSetting(fields);
  if (setting !== undefined) return setting;
  const isNamed = NAMES.some((name) => typeof fields[name] === 'string' && fields[name] !== '');
  const shown = Object.entries(fields).filter(
    ([name, value]) =>
      !isEmpty(value) && !(isNamed && (name === 'id' || (name.endsWith('_id') && isId(value)))),
  );
  return shown
    .map(([name, value]) => {
      const text = wordsOf(value);
      return NAMES.includes(name) ? text : `${fieldWords(name)}: ${text}`;
    })
    .join(', ');
}

/** Fields that name the object, so that their own name says nothing. */
const NAMES: readonly string[] = ['username', 'user_name', 'principal_name', 'name'];

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const isId = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^[0-9a-f-]{36}$/i.test(value));

const fieldWords = (name: string): string => name.replaceAll('_', ' ').replace(/\bid(s?)\b/g, 'ID$1');

function wordsOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(wordsOf).join(', ');
  if (typeof value !== 'object' || value === null) return valueText(value);
  const parts = Object.entries(value).map(([name, member]) => `${fieldWords(name)} ${wordsOf(member)}`);
  return parts.join(', ');
}

/** A changed setting has its key, and its value as JSON. */
function changedSetting({ key, value }: Fields): string | undefined {
  if (typeof key !== 'string' || typeof value !== 'string' || !value.startsWith('{')) return undefined;
  let members: Fields;
  try {
    members = JSON.parse(value) as Fields;
  } catch {
    return undefined;
  }
  return Object.entries(members)
    .map(([member, part]) => {
      const { label, unit, isDays } = settingField(key, member);
      const days = isDays ? daysIn(part) : undefined;
      const shown = days ?? part;
      const text = shown === '' ? 'empty' : wordsOf(shown);
      const after = days === undefined ? unit : 'days';
      return `${label}: ${text}${after === undefined ? '' : ` ${after}`}`;
    })
    .join(', ');
}
