/** Compares a definition with the installed version. */
import type { DefinitionChange } from '@clew/api';
import type { StoredDefinition } from '@clew/store';

type Entries = ReadonlyMap<string, unknown>;

/** Parts of a definition, with the function that identifies their entries. */
const PARTS: readonly (readonly [part: string, entries: (definition: StoredDefinition) => Entries])[] = [
  ['node_kinds', ({ node_kinds }) => byName(node_kinds)],
  ['relationship_kinds', ({ relationship_kinds }) => byName(relationship_kinds)],
  ['environments', ({ environments }) => by(environments, ({ environment_kind }) => environment_kind)],
  ['relationship_findings', ({ relationship_findings }) => byName(relationship_findings)],
  [
    'privilege_zone_rules',
    ({ privilege_zone_rules = [] }) => by(privilege_zone_rules, ({ zone, name }) => `${zone}: ${name}`),
  ],
  ['node_findings', ({ node_findings = [] }) => byName(node_findings)],
  [
    'derived_relationships',
    ({ derived_relationships = [] }) => by(derived_relationships, ({ kind }) => kind),
  ],
  ['identities', ({ identities = [] }) => by(identities, ({ kind }) => kind)],
  ['repairs', ({ repairs = [] }) => by(repairs, ({ relationship_kind }) => relationship_kind)],
  ['saved_searches', ({ saved_searches = [] }) => byName(saved_searches)],
];

/** @param before absent if none is installed: everything is added @returns the changed parts */
export function definitionDifference(
  before: StoredDefinition | undefined,
  after: StoredDefinition,
): DefinitionChange[] {
  return [...schemaDifference(before, after), ...partsDifference(before, after)];
}

/** A different version alone is not a change. */
function schemaDifference(
  before: StoredDefinition | undefined,
  { schema: { version: _, ...after } }: StoredDefinition,
): DefinitionChange[] {
  if (before === undefined) return [];
  const known: Readonly<Record<string, unknown>> = before.schema;
  const now: Readonly<Record<string, unknown>> = after;
  const changed = ['display_name', 'namespace', 'case_sensitive_ids'].filter(
    (name) => known[name] !== now[name],
  );
  return changed.length === 0 ? [] : [{ part: 'schema', added: [], removed: [], changed }];
}

function partsDifference(before: StoredDefinition | undefined, after: StoredDefinition): DefinitionChange[] {
  return PARTS.flatMap(([part, entriesIn]) => {
    const known: Entries = before === undefined ? new Map() : entriesIn(before);
    const now = entriesIn(after);
    const change = {
      part,
      added: [...now.keys()].filter((name) => !known.has(name)),
      removed: [...known.keys()].filter((name) => !now.has(name)),
      changed: [...now].flatMap(([name, entry]) =>
        known.has(name) && canonical(known.get(name)) !== canonical(entry) ? [name] : [],
      ),
    };
    return change.added.length + change.removed.length + change.changed.length === 0 ? [] : [change];
  });
}

function by<Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => string): Entries {
  return new Map(entries.map((entry) => [keyOf(entry), entry]));
}

const byName = <Entry extends { readonly name: string }>(entries: readonly Entry[]): Entries =>
  by(entries, ({ name }) => name);

/** The store does not keep the order of members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
