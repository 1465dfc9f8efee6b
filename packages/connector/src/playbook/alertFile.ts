/** Alerts as our host platforms return them: the alert of the connector, one event of it, or several. */
import { InputError } from '../actions/inputs.ts';

export interface EventContent {
  readonly name: string;
  readonly findingId: number | undefined;
  readonly severity: string | undefined;
  /** A list finding: it names one object and has no start. */
  readonly isList: boolean;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly names: readonly string[];
}

export interface AlertContent {
  readonly name: string;
  readonly shortRemediation: string;
  /** At least one. */
  readonly events: readonly EventContent[];
}

const MAX_CHARACTERS = 64 * 1024 * 1024;
const MAX_EVENTS = 500;

type Fields = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param content JSON, or a line of JSON for each event @throws InputError */
export function readAlert(content: string): AlertContent {
  if (content.length > MAX_CHARACTERS) throw new InputError('the alert is too large');
  const value = parseJson(content);
  const alert = isFields(value) && Array.isArray(value.events) ? value : undefined;
  const list: unknown[] =
    alert !== undefined ? (alert.events as unknown[]) : Array.isArray(value) ? value : [value];
  const events = list.filter(isFields).map((event) => (isFields(event.fields) ? event.fields : event));
  if (events.length === 0) throw new InputError('the alert has no events');
  if (events.length > MAX_EVENTS) throw new InputError(`the alert has more than ${MAX_EVENTS} events`);
  const read = events.map(readEvent);
  if (
    read.every(
      ({ to, names, findingId }) => to === undefined && names.length === 0 && findingId === undefined,
    )
  )
    throw new InputError('the events of the alert contain neither findings nor objects');
  const [first] = events as [Fields];
  return {
    name: text(alert?.name) || text(first.path_title) || text(first.name) || 'Alert',
    shortRemediation: text(first.ShortRemediation),
    events: read,
  };
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    const lines = content.split(/\r?\n/).filter((line) => line.trim() !== '');
    try {
      return lines.map((line) => JSON.parse(line));
    } catch {
      throw new InputError('the alert is not JSON');
    }
  }
}

function readEvent(event: Fields): EventContent {
  const details = readDetails(event.details);
  const ids = listOf(event.object_ids);
  const names = listOf(event.object_names);
  const from =
    text(details.FromPrincipal) || text(event['Non Tier Zero Principal']) || (ids.length > 1 ? ids[0] : '');
  const to =
    text(details.ToPrincipal) ||
    text(details.Principal) ||
    text(event['Impacted Principal']) ||
    (ids.at(-1) ?? '');
  const id = Number(event.attack_id ?? details.id);
  return {
    name: text(event.name) || `Attack Path ${event.attack_id ?? ''}`.trim(),
    findingId: Number.isSafeInteger(id) && id > 0 ? id : undefined,
    severity: text(event.Severity) || undefined,
    isList: from === '' && to !== '',
    from: from || undefined,
    to: to || undefined,
    names,
  };
}

function readDetails(value: unknown): Fields {
  if (isFields(value)) return value;
  try {
    const parsed: unknown = JSON.parse(text(value));
    return isFields(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** `a, b`, as in events; names with commas are in details. */
const listOf = (value: unknown): string[] =>
  text(value)
    .split(', ')
    .map((item) => item.trim())
    .filter((item) => item !== '');
