/**
 * Reads what a kit wrote when it ran: transcripts and backups. Both come from outside, and anyone can write such a file: it is a claim,
 * which the service compares with collections. Everything in it is limited, and other lines of a transcript are ignored.
 *
 * Rule: `docs/kits.md#evidence`.
 */
import { DIGEST_LENGTH, MAX_DIGESTS } from './factDigests.ts';

const RUN_MODES = ['Apply', 'Verify', 'Undo'] as const;
type RunMode = (typeof RUN_MODES)[number];

const CHANGED = ['yes', 'no', 'unknown'] as const;
type Changed = (typeof CHANGED)[number];

/** One run of a script, or one backup. */
export interface KitRun {
  /** `change-01`. */
  readonly change: string;
  /** A backup is written by `Apply`. */
  readonly mode: RunMode;
  /** `YYYY-MM-DDTHH:MM:SSZ`, by the clock of the administrator's computer. */
  readonly at: string;
  readonly computer: string;
  /** The controller that answered; empty if the engine asks none. */
  readonly host: string;
  /** Digests of facts, with those of their values before. */
  readonly facts: readonly { readonly fact: string; readonly old: string | null }[];
  /** Whether the state was as wanted before and after; null if the file does not say. */
  readonly before: boolean | null;
  readonly after: boolean | null;
  /** Whether the script changed something; unknown if it did not end what it began, and for backups. */
  readonly changed: Changed;
  /** The object still inherits an entry that no container passes on any longer. */
  readonly pending: boolean;
  /** Exit code; null if the file does not say. */
  readonly code: number | null;
  /** Texts, numbers, and true or false of the backup. */
  readonly saved: readonly { readonly name: string; readonly value: string }[];
}

interface KitEvidence {
  readonly kind: 'transcript' | 'backup';
  readonly runs: readonly KitRun[];
}

/** Maximum numbers of runs in a file, and of shown values of a backup. */
const MAX_RUNS = 200;
const MAX_SAVED = 10;
const MAX_VALUE = 200;
/** A claim about each change of a plan has them. */
const MAX_SAVED_TEXT = 1000;
const MAX_DEPTH = 8;

const RECORD = /^Clew-record: ([a-z]{2,10}) ([!-~]{1,100})$/;
const CHANGE = /^change-\d{2,6}$/;
const DIGEST = `([0-9a-f]{${DIGEST_LENGTH}})`;
const FACT = new RegExp(`^${DIGEST}(?::${DIGEST})?$`);
const TIME = /^\d{4}-(0[1-9]|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const HOST = /^[A-Za-z0-9._-]{1,100}$/;

/** @returns undefined if the text is neither a transcript nor a backup of a kit */
export function readKitEvidence(text: string): KitEvidence | undefined {
  const clean = text.replace(/^\u{feff}/u, '');
  if (clean.trimStart().startsWith('{')) return readBackup(clean);
  const runs = readTranscript(clean);
  return runs.length === 0 ? undefined : { kind: 'transcript', runs };
}

type Draft = { -readonly [Name in keyof KitRun]?: KitRun[Name] } & {
  facts: { readonly fact: string; readonly old: string | null }[];
};

function readTranscript(text: string): readonly KitRun[] {
  const runs: KitRun[] = [];
  let draft: Draft | undefined;
  const end = (): void => {
    const { change, mode, at } = draft ?? {};
    if (draft === undefined || change === undefined || mode === undefined || at === undefined) return;
    if (draft.facts.length === 0) return;
    runs.push({
      ...{ change, mode, at, computer: draft.computer ?? '', host: draft.host ?? '', facts: draft.facts },
      ...{ before: draft.before ?? null, after: draft.after ?? null, code: draft.code ?? null, saved: [] },
      ...{ changed: draft.changed ?? 'no', pending: draft.pending === true },
    });
    // The last runs count.
    if (runs.length > MAX_RUNS) runs.shift();
  };
  for (const line of linesOf(text)) {
    const [, name, value = ''] = RECORD.exec(line) ?? [];
    if (name === undefined) continue;
    if (name === 'change') {
      end();
      draft = CHANGE.test(value) ? { change: value, facts: [] } : undefined;
    } else if (draft !== undefined) note(draft, name, value);
  }
  end();
  return runs;
}

/** Lines are searched one by one, so that a long one costs no more than its length. */
function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    if (end - at < 200) yield text.slice(at, end).trim();
    at = end + 1;
  }
}

/** The first value counts, so that later lines change nothing. */
function note(draft: Draft, name: string, value: string): void {
  if (name === 'mode') draft.mode ??= RUN_MODES.find((mode) => mode === value);
  else if (name === 'time' && isTime(value)) draft.at ??= value;
  else if (name === 'computer' && HOST.test(value)) draft.computer ??= value;
  else if (name === 'host' && HOST.test(value)) draft.host ??= value;
  else if (name === 'before') draft.before ??= stateOf(value);
  // A script reads the state again after a change: the last one counts.
  else if (name === 'after') draft.after = stateOf(value) ?? draft.after;
  else if (name === 'changed') {
    draft.changed = CHANGED.find((changed) => changed === value) ?? draft.changed;
    // The state from before is not the one of the end.
    draft.after = null;
    draft.pending = false;
  } else if (name === 'pending') draft.pending = value === 'yes';
  else if (name === 'code' && /^[0-4]$/.test(value)) draft.code ??= Number(value);
  else if (name === 'fact' && draft.facts.length < MAX_DIGESTS) {
    const [, fact, old = null] = FACT.exec(value) ?? [];
    if (fact !== undefined) draft.facts.push({ fact, old });
  }
}

const stateOf = (value: string): boolean | undefined =>
  value === 'wanted' ? true : value === 'other' ? false : undefined;

const isTime = (text: unknown): text is string =>
  typeof text === 'string' && TIME.test(text) && !Number.isNaN(Date.parse(text));

function readBackup(text: string): KitEvidence | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  const {
    Change: change,
    Time: at,
    Computer: computer,
    Facts,
    Saved,
  } = (read ?? {}) as Record<string, unknown>;
  if (typeof change !== 'string' || !CHANGE.test(change) || !isTime(at)) return undefined;
  if (!Array.isArray(Facts) || typeof Saved !== 'object' || Saved === null) return undefined;
  const facts = Facts.slice(0, MAX_DIGESTS).flatMap((one) => {
    const [, fact, old = null] = (typeof one === 'string' && FACT.exec(one)) || [];
    return fact === undefined ? [] : [{ fact, old }];
  });
  if (facts.length === 0) return undefined;
  const saved: { name: string; value: string }[] = [];
  addSaved(saved, [], Saved);
  return {
    kind: 'backup',
    runs: [
      {
        ...{ change, mode: 'Apply', at, facts, saved, host: '' },
        computer: typeof computer === 'string' && HOST.test(computer) ? computer : '',
        ...{ before: false, after: null, code: null, changed: 'unknown', pending: false },
      },
    ],
  };
}

/** Keys whose texts the script keeps as base64 of UTF-16. */
const KEPT_KEYS: ReadonlySet<string> = new Set([
  'Member',
  'Policy',
  'Link',
  'Values',
  'End',
  'Text',
  'Texts',
  'Condition',
  'Description',
]);
/** Keys whose values are bytes: entries of access lists, and SIDs. */
const BYTE_KEYS: ReadonlySet<string> = new Set(['Ace', 'Bytes']);

function addSaved(saved: { name: string; value: string }[], path: readonly string[], value: unknown): void {
  if (saved.length >= MAX_SAVED || path.length > MAX_DEPTH) return;
  const key = path.findLast((one) => !/^\d+$/.test(one)) ?? '';
  if (BYTE_KEYS.has(key)) return;
  if (typeof value === 'object' && value !== null) {
    for (const [next, one] of Object.entries(value)) {
      if (saved.length >= MAX_SAVED) return;
      addSaved(saved, [...path, next], one);
    }
    return;
  }
  const text = typeof value === 'string' && KEPT_KEYS.has(key) ? keptText(value) : String(value);
  // An assignment without an end has an empty text.
  if (text === '') return;
  const shown = { name: short(path.join(' ')), value: short(text) };
  const length = [...saved, shown].reduce((sum, one) => sum + one.name.length + one.value.length, 0);
  if (length <= MAX_SAVED_TEXT) saved.push(shown);
}

/** @returns the text itself where the script keeps it as it is, such as the SID of a member */
function keptText(kept: string): string {
  if (kept.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(kept)) return kept;
  // Four characters of base64 are three bytes.
  const bytes = Buffer.from(kept.slice(0, 4 * MAX_VALUE), 'base64');
  return bytes.length % 2 === 0 ? bytes.toString('utf16le') : kept;
}

/** Half of a pair that the limit cuts is not a character. */
const short = (text: string): string => printable(text.slice(0, MAX_VALUE));

const printable = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
