/**
 * Names in a report: real names or pseudonyms. A masked report contains only pseudonyms: it copies no text that could contain a name from
 * the directory.
 */

import type { PackageRecord, ProofFact } from '@clew/api';
import { getOrMake } from '@clew/graph';
import { edgeKindByName, minuteText, NODE_DEFINITIONS, nodeKindByName } from '@clew/model';
import type { PriceReason } from '@clew/planning';

const LABELS: ReadonlyMap<string, string> = new Map(
  NODE_DEFINITIONS.map(([name, { label }]) => [name, label]),
);

interface Named {
  readonly object_id: string;
  readonly name: string;
  readonly kind: string;
}

interface NamedEnvironment {
  readonly environment_id: string;
  readonly name: string;
}

export interface ReportNames {
  object(object: Named): Named;
  environment(environment: NamedEnvironment): NamedEnvironment;
  /** Name of a relationship kind. */
  kind(name: string): string;
  /** @param parts the title as words and objects, if known */
  title(change: PackageRecord, parts?: readonly (string | Named)[]): string;
  /** Title of a repair of a started plan. @param parts its words and objects, if known */
  repair(title: string, parts?: readonly (string | Named)[]): string;
  /** A fact that an analysis found changed. */
  fact(fact: ProofFact): string;
  /** The reason for its cost; empty if only the work is known. */
  reason(change: PackageRecord): string;
  /** Questions that only administrators can answer. */
  questions(change: PackageRecord): string[];
}

export const plainNames: ReportNames = {
  object: ({ object_id, name, kind }) => ({ object_id, name, kind }),
  environment: ({ environment_id, name }) => ({ environment_id, name }),
  kind: (name) => name,
  title: ({ title }) => title,
  repair: (title) => title,
  fact: ({ text }) => text,
  reason: ({ why }) => why,
  questions: ({ questions }) => questions.map(({ question }) => question),
};

/** Each object has one pseudonym per report: "User 2", "DOMAIN-A". */
export function maskedNames(): ReportNames {
  const objects = new Map<string, Named>();
  const counts = new Map<string, number>();
  const joined = (parts: readonly (string | Named)[]): string =>
    parts.map((part) => (typeof part === 'string' ? part : object(part).name)).join('');
  const environments = new Map<string, NamedEnvironment>();
  const environment = (id: string): NamedEnvironment => {
    return getOrMake(environments, id, () => {
      const name = `DOMAIN-${letters(environments.size)}`;
      return { environment_id: name.toLowerCase(), name };
    });
  };
  const object = ({ object_id, kind: given }: Named): Named => {
    return getOrMake(objects, object_id, () => {
      // An environment has the same pseudonym everywhere.
      const kind = nodeKindByName(given) === undefined ? 'Object' : given;
      const isEnvironment = environments.has(object_id) || kind === 'Domain' || kind === 'AZTenant';
      const count = (counts.get(kind) ?? 0) + 1;
      if (!isEnvironment) counts.set(kind, count);
      const name = isEnvironment ? environment(object_id).name : `${LABELS.get(kind) ?? kind} ${count}`;
      return { object_id: name.toLowerCase().replaceAll(' ', '-'), name, kind };
    });
  };
  return {
    object,
    environment: ({ environment_id }) => environment(environment_id),
    // Files can define kinds whose names are any text.
    kind: (name) => (edgeKindByName(name) === undefined ? 'Relationship' : name),
    title({ kind, changes: [first], change_count }, parts) {
      if (parts !== undefined) return joined(parts);
      const what = changeWords(kind);
      if (change_count > 1 || first === undefined) return `${what} (${change_count} changes)`;
      const of = first.principal === undefined ? '' : `, ${object(first.principal).name}`;
      return `${what}: ${object(first.object).name}${of}`;
    },
    repair: (_, parts) => (parts === undefined ? 'A repair' : joined(parts)),
    fact({ what, name, objects: [first, second], old, new: now, last_write }) {
      // Names of controllers are names of hosts.
      const written = last_write === null ? '' : `; last written at ${minuteText(last_write.at)}`;
      const named = (one: Named | undefined): string => (one === undefined ? 'an object' : object(one).name);
      if (what === 'relationship') {
        const kind = edgeKindByName(name) === undefined ? 'Relationship' : name;
        return `${kind} from ${named(first)} to ${named(second)} ${now === 'removed' ? 'was removed' : 'exists again'}${written}`;
      }
      // A value may contain names.
      const value = (text: string): string =>
        /^(true|false|null|-?\d+)$/.test(text) ? text : 'another value';
      return `A setting of ${named(first)} changed from ${value(old)} to ${value(now)}${written}`;
    },
    reason: ({ prices: [dearest] }) =>
      dearest !== undefined && Object.hasOwn(REASONS, dearest.reason)
        ? (REASONS[dearest.reason as PriceReason] as string)
        : '',
    questions: ({ questions }) => (questions.length === 0 ? [] : [MASKED_QUESTION]),
  };
}

const MASKED_QUESTION = 'Only people know whether anyone needs this access.';

/** Price reasons without names. */
const REASONS: Readonly<Record<PriceReason, string>> = {
  work: '',
  answered: 'Someone answered that no one needs it.',
  intruder: 'A broad group has access that is meant for administrators.',
  'against-tier': 'It can reach the zone from outside.',
  left: 'Its holder or its object is disabled or deleted.',
  'dangerous-setting': 'The template is dangerous because of its own settings.',
  exception: 'It is unlike similar objects.',
  clients: 'No collection shows which clients depend on the setting.',
  'left-behind': 'A disabled account belongs to a group of active people.',
  shared: 'Its holder has the same right on many objects.',
  replace: 'A copy with safe settings has to replace the template first.',
  delegation: 'Its holder also needs the right where it does not reach the zone.',
  'in-use': 'A service or an administrator uses it.',
  design: 'It is like similar objects.',
  default: 'It is a Microsoft default, and Windows or people may use it.',
  membership: 'People belong to the group for work, and the cause is the rights of the group.',
  crowd: 'Many people may work there.',
  outage: 'Everyone who uses it would lose access.',
  authority: 'All autoenrollment at the CA ends, unless principals that need it get Enroll first.',
};

/** Readable words for parts of the names of repair kinds. */
const WORDS: Readonly<Record<string, string>> = {
  ...{ authority: 'CA', controllers: 'domain controllers', san: 'SAN', smb: 'SMB', ldap: 'LDAP', rpc: 'RPC' },
};

/** Turns `authority-web-enrollment` into "CA web enrollment": a title without its object. */
function changeWords(kind: string): string {
  const words = kind
    .split('-')
    .map((word) => (Object.hasOwn(WORDS, word) ? WORDS[word] : word))
    .join(' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** `A` to `Z`, then `AA`. */
function letters(number: number): string {
  const rest = Math.floor(number / 26);
  return (rest === 0 ? '' : letters(rest - 1)) + String.fromCharCode(65 + (number % 26));
}
