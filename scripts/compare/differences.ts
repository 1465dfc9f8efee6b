/** Compares two answers byte for byte, after replacing values that differ in every run. */

export interface Kept {
  readonly status: number;
  readonly text: string;
}

/** `added`: only the later answer has the member; `order`: equal except for the order of members or bytes. */
export type DifferenceKind = 'status' | 'added' | 'missing' | 'changed' | 'order';

export interface Difference {
  readonly kind: DifferenceKind;
  /** Path to the member, such as `.data[3].name`. */
  readonly path: string;
  /** Beginnings of both values. */
  readonly before: string;
  readonly after: string;
}

/** Renamed words: the earlier and the later one. */
export type Renamed = readonly (readonly [before: string, after: string])[];

const INSTANT = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const SECONDS = /(?<![\w.-])\d{10}(?:\.\d+)?(?![\w.-])/g;
/** Ids from this project have lower-case letters; ids of objects are in upper case. */
const MADE_ID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** @param begun start of the run in milliseconds: later times belong to the run, earlier ones to the data */
export function withoutRun(text: string, begun: number, renamed: Renamed): string {
  const plain = text
    .replace(INSTANT, (instant) => (Date.parse(instant) >= begun - 1000 ? '<instant>' : instant))
    .replace(SECONDS, (seconds) => (Number(seconds) >= begun / 1000 - 1 ? '"<instant>"' : seconds))
    .replace(MADE_ID, '<id>');
  return renamed.reduce((result, [before, after]) => result.replaceAll(before, after), plain);
}

/** @returns an empty list if the answers are equal byte for byte */
export function differencesOf(before: Kept, after: Kept): readonly Difference[] {
  if (before.status !== after.status) {
    // The earlier tree lacks this operation.
    const kind = before.status === 404 && after.status === 200 ? 'added' : 'status';
    return [{ kind, path: '', before: String(before.status), after: String(after.status) }];
  }
  if (before.text === after.text) return [];
  const [old, now] = [parsed(before.text), parsed(after.text)];
  if (old === undefined || now === undefined)
    return [{ kind: 'changed', path: '', before: shown(before.text), after: shown(after.text) }];
  const found: Difference[] = [];
  compare(old.value, now.value, '', found);
  return found.length > 0 ? found : [{ kind: 'order', path: '', ...aroundFirst(before.text, after.text) }];
}

/** The first place at which two texts differ. */
function aroundFirst(before: string, after: string): Pick<Difference, 'before' | 'after'> {
  let at = 0;
  while (before[at] === after[at]) at++;
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 60);
  return { before: around(before), after: around(after) };
}

function compare(before: unknown, after: unknown, path: string, found: Difference[]): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length)
      found.push({ kind: 'changed', path: `${path}.length`, ...lengths(before, after) });
    for (let at = 0; at < Math.min(before.length, after.length); at++)
      compare(before[at], after[at], `${path}[${at}]`, found);
    return;
  }
  if (isMap(before) && isMap(after)) {
    for (const name of Object.keys(before)) {
      if (Object.hasOwn(after, name)) compare(before[name], after[name], `${path}.${name}`, found);
      else found.push({ kind: 'missing', path: `${path}.${name}`, before: shown(before[name]), after: '' });
    }
    for (const name of Object.keys(after))
      if (!Object.hasOwn(before, name))
        found.push({ kind: 'added', path: `${path}.${name}`, before: '', after: shown(after[name]) });
    return;
  }
  if (before !== after) found.push({ kind: 'changed', path, before: shown(before), after: shown(after) });
}

const lengths = (before: readonly unknown[], after: readonly unknown[]) => ({
  ...{ before: String(before.length), after: String(after.length) },
});

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 120);

/** @returns the place of a difference, which is the same for all requests and members of the same form */
export function placeOf(question: string, path: string): string {
  const target = question
    .replace(/\?.*$/, '')
    .split('/')
    .map((part) => (/^\d+$|-\d|%|@|\./.test(part) || /^[0-9A-F-]{20,}$/i.test(part) ? '{}' : part))
    .join('/');
  return `${target} ${path.replace(/\[\d+\]/g, '[]').replace(/\.(?:\d+|rel_[\w-]+)(?=[.[]|$)/g, '.{}')}`;
}
