/** Built-in and installed extensions. */
import type { DerivedRelationship, Extension, ExtensionDryRun, ExtensionRecord } from '@clew/api';
import { type Handlers, type RequestContext, recordSuccess } from '@clew/common';
import { withoutTexts } from '@clew/cypher';
import type { Platform } from '@clew/model';
import {
  type Db,
  readingChanged,
  type StoredDefinition,
  type StoredNodeFinding,
  type StoredSavedSearch,
  type StoredZoneRule,
} from '@clew/store';
import { readBundleArchive } from './bundle/bundleArchive.ts';
import type { GivenDefinition } from './bundle/readBundle.ts';
import { definitionDifference } from './extensions/definitionDifference.ts';
import {
  type DerivedRow,
  installExtension,
  listDerived,
  listExtensions,
  lockExtensions,
  type MadeExtension,
  removeExtension,
} from './extensions/installedExtensions.ts';
import type { StoredNames } from './extensions/knownNames.ts';

/** Version of the built-in kinds and their meaning, which is independent of the service version. */
const SCHEMA_VERSION = 'v1.0.0';

type BuiltIn = NonNullable<Extension>;

const BUILT_IN: Readonly<Record<Platform, BuiltIn>> = {
  ad: {
    extension_id: 1,
    name: 'AD',
    display_name: 'Active Directory',
    namespace: 'AD',
    version: SCHEMA_VERSION,
  },
  azure: { extension_id: 2, name: 'AZ', display_name: 'Azure', namespace: 'AZ', version: SCHEMA_VERSION },
};

/** @returns the source of a built-in kind */
export function builtInExtension(platform: Platform): BuiltIn {
  return BUILT_IN[platform];
}

/** Updates the parts of a definition other than its kinds. */
type Sync<Part> = (
  db: Db,
  request: RequestContext,
  extension: number,
  parts: readonly Part[],
) => Promise<void>;

/** Parts of definitions that belong to other packages. */
export interface ExtensionSyncs {
  readonly zoneRules: Sync<StoredZoneRule>;
  readonly checks: Sync<StoredNodeFinding>;
  readonly savedSearches: Sync<StoredSavedSearch>;
}

/** The effect that an installation would have on the latest analysis. */
export interface ExtensionPreview {
  /** @param db connection in the transaction that installs the definition, which is rolled back afterward */
  installed(db: Db, made: MadeExtension): Promise<void>;
  /** Called after the transaction. */
  answer(request: RequestContext): Promise<Pick<ExtensionDryRun, 'effect' | 'not_computed'>>;
}

/** @param db connection in the transaction, before the definition is installed */
export type StartExtensionPreview = (db: Db) => Promise<ExtensionPreview>;

/**
 * Names that occur in objects visible to the user, to detect misspelled names; `undefined` if they are not
 * available.
 */
export type AskStoredNames = (request: RequestContext) => Promise<StoredNames | undefined>;

type Operations =
  | 'ListExtensions'
  | 'UpsertOpenGraphExtension'
  | 'DeleteExtension'
  | 'ListDerivedRelationships';

export function extensionHandlers(
  db: Db,
  sync: ExtensionSyncs,
  startPreview: StartExtensionPreview,
  askNames: AskStoredNames,
): Handlers<Operations> {
  const install = async (
    transaction: Db,
    context: RequestContext,
    given: GivenDefinition,
    names: StoredNames | undefined,
  ) => {
    const made = await installExtension(transaction, given.document, given.files, names);
    const { id, definition } = made;
    await sync.zoneRules(transaction, context, id, definition.privilege_zone_rules ?? []);
    await sync.checks(transaction, context, id, definition.node_findings ?? []);
    await sync.savedSearches(transaction, context, id, definition.saved_searches ?? []);
    return made;
  };
  const dryRun = async (context: RequestContext, given: GivenDefinition, names: StoredNames | undefined) => {
    const transaction = await db.startTransaction().execute();
    const { made, preview } = await (async () => {
      const started = await startPreview(transaction);
      const installed = await install(transaction, context, given, names);
      await started.installed(transaction, installed);
      return { made: installed, preview: started };
    })().finally(() => transaction.rollback().execute());
    const { id, definition, before, isNew, warnings } = made;
    return {
      ...recordOf(isNew ? 0 : id, definition),
      warnings: [...warnings],
      dry_run: {
        installed_version: before?.schema.version ?? null,
        difference: definitionDifference(before, definition),
        ...(await preview.answer(context)),
      },
    };
  };
  return {
    async ListExtensions() {
      const builtIn = Object.values(BUILT_IN).map(
        ({ extension_id, name, display_name, namespace, version }): ExtensionRecord => ({
          ...{ id: extension_id, name: display_name, version, namespace, schema_name: name },
          is_builtin: true,
        }),
      );
      const installed = (await listExtensions(db)).map(({ id, definition }) => recordOf(id, definition));
      return { status: 200, json: { data: { extensions: [...builtIn, ...installed] } } };
    },
    async UpsertOpenGraphExtension({ body, archive, query }, context) {
      const given: GivenDefinition =
        archive === undefined ? { document: body } : await readBundleArchive(archive);
      // Runs before the transaction, which locks extensions.
      const names = await askNames(context);
      if (query.dry_run === true) return { status: 200, json: { data: await dryRun(context, given, names) } };
      const { id, definition, isNew, warnings } = await db.transaction().execute(async (transaction) => {
        const made = await install(transaction, context, given, names);
        const { name, version } = made.definition.schema;
        await recordSuccess(transaction, context, made.isNew ? 'InstallExtension' : 'ReplaceExtension', {
          extension: name,
          version,
        });
        // Runs last, because edits of checks and zones also lock this row last.
        await readingChanged(transaction);
        return made;
      });
      const json = { data: { ...recordOf(id, definition), warnings: [...warnings] } };
      return isNew ? { status: 201, json } : { status: 200, json };
    },
    async ListDerivedRelationships({ params }, { principal }) {
      const derived = await listDerived(db, params.extension_id);
      // These counts include objects of all environments.
      const seesAll = principal.kind !== 'user' || principal.environments === null;
      return { status: 200, json: { data: derived.map((row) => derivedRecord(row, seesAll)) } };
    },
    async DeleteExtension({ params }, context) {
      await db.transaction().execute(async (transaction) => {
        await lockExtensions(transaction);
        await sync.zoneRules(transaction, context, params.extension_id, []);
        await sync.checks(transaction, context, params.extension_id, []);
        await sync.savedSearches(transaction, context, params.extension_id, []);
        const { schema } = await removeExtension(transaction, params.extension_id);
        const fields = { extension: schema.name, version: schema.version };
        await recordSuccess(transaction, context, 'DeleteExtension', fields);
        await readingChanged(transaction);
      });
      return { status: 204 };
    },
  };
}

function derivedRecord(row: DerivedRow, seesAll: boolean): DerivedRelationship {
  const { kind, definition, ran_at, found_at } = row;
  return {
    ...{ kind, derived_by: 'pattern' in definition ? 'pattern' : 'identity' },
    // Texts in a pattern can name any object.
    definition:
      !seesAll && 'pattern' in definition
        ? { ...definition, pattern: withoutTexts(definition.pattern) }
        : { ...definition },
    ...{ ran_at, milliseconds: row.query_ms, found_at },
    error: seesAll || row.query_error === null ? row.query_error : 'The pattern is not valid',
    relationship_count: seesAll ? row.edge_count : null,
    ambiguous_count: seesAll ? row.ambiguous_count : null,
    ambiguous: seesAll ? row.ambiguous.map(({ start, end }) => ({ start: [...start], end: [...end] })) : [],
  };
}

function recordOf(id: number, { schema }: StoredDefinition): ExtensionRecord {
  const { name, display_name, version, namespace } = schema;
  return { id, name: display_name, version, is_builtin: false, namespace, schema_name: name };
}
