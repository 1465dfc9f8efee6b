/** Installs an extension: a dry run of the service shows the effects before anything changes. */
import type { ExtensionDryRun, ExtensionEffect } from '@clew/api';
import { useQuery } from '@tanstack/react-query';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { Faults } from '../../parts/Faults.tsx';
import { Meter } from '../../parts/Meter.tsx';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { useDialogChange } from '../../parts/useDialogChange.ts';
import { call } from '../../service/client.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount } from '../../text/formats.ts';
import type { Chosen } from './definitionFile.ts';

/** Time limit of the service in seconds. */
const WAIT_SECONDS = 120;
/** Maximum number of names shown per list. */
const MAX_NAMES = 8;

export function InstallDialog({
  chosen,
  onClose,
}: {
  readonly chosen: Chosen;
  readonly onClose: () => void;
}) {
  const { content, fileName, key } = chosen;
  const dryRun = useQuery({
    queryKey: ['dry run of an extension', key],
    queryFn: async ({ signal }) =>
      (
        await call(
          'UpsertOpenGraphExtension',
          { ...content, query: { dry_run: true } },
          { signal, wait: WAIT_SECONDS },
        )
      ).data,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const install = useDialogChange(() => call('UpsertOpenGraphExtension', content), {
    onSuccess: ({ data }) => {
      notify(`${data.name} is installed. The next analysis uses it.`);
    },
    onDone: onClose,
  });
  const found = dryRun.data;
  const replaced = found?.dry_run?.installed_version ?? null;
  const error = install.error ?? dryRun.error;
  return (
    <Dialog
      title={replaced === null ? 'Install the extension?' : 'Replace the extension?'}
      onClose={onClose}
      wide
    >
      {found === undefined ? (
        <p className="quiet">
          {cleanText(fileName)}
          {dryRun.isPending && ': calculating its effect…'}
        </p>
      ) : (
        <p>
          <strong>
            <Name text={found.name} />
          </strong>{' '}
          {cleanText(found.version)}
          {replaced !== null && <> replaces {cleanText(replaced)}</>}
        </p>
      )}
      {found !== undefined && found.warnings.length > 0 && (
        <>
          <p>Warnings: parts that are interpreted differently from their text, and names without data:</p>
          <ul>
            {found.warnings.map((warning) => (
              <li key={warning}>{cleanText(warning)}</li>
            ))}
          </ul>
        </>
      )}
      {found?.dry_run !== undefined && <DryRun record={found.dry_run} />}
      {error !== null && <Faults error={error} />}
      <DialogActions
        words={replaced === null ? 'Install' : 'Replace'}
        pendingWords="Installing…"
        isPending={install.isPending}
        // A network failure, or a busy service, does not mean that the definition is invalid.
        isDisabled={dryRun.isPending || isRefused(dryRun.error)}
        onAct={() => install.mutate()}
        onCancel={onClose}
      />
    </Dialog>
  );
}

const isRefused = (error: unknown): boolean => (error as { status?: number } | null)?.status === 400;

/** Words for the parts of a definition. */
const PARTS: Readonly<Record<string, string>> = {
  schema: 'Extension',
  ...{ node_kinds: 'Kinds of objects', relationship_kinds: 'Kinds of relationships' },
  ...{ environments: 'Environments', relationship_findings: 'Types of findings' },
  ...{ privilege_zone_rules: 'Selectors', node_findings: 'Custom checks' },
  ...{ derived_relationships: 'Derived relationships', identities: 'Identity rules' },
  ...{ repairs: 'Repairs', saved_searches: 'Saved queries' },
};

function DryRun({ record }: { readonly record: ExtensionDryRun }) {
  const { difference, effect, not_computed, installed_version } = record;
  return (
    <>
      <h3>{installed_version === null ? 'What it adds' : 'Differences'}</h3>
      {difference.length === 0 ? (
        <p>None: the installed version is identical.</p>
      ) : (
        <ul>
          {difference.map(({ part, added, removed, changed }) => (
            <li key={part}>
              {PARTS[part] ?? cleanText(part)}:{' '}
              {[...moved('new', added), ...moved('removed', removed), ...moved('changed', changed)].join(
                '; ',
              )}
            </li>
          ))}
        </ul>
      )}
      <h3>Effect of the next analysis</h3>
      {not_computed.map((reason) => (
        <p key={reason} className="quiet">
          {cleanText(reason)}
        </p>
      ))}
      {effect !== null && <Effect effect={effect} />}
    </>
  );
}

const moved = (what: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`${formatCount(names.length)} ${what} (${namesText(names)})`];

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map(cleanText).join(', ');
  return names.length > MAX_NAMES ? `${shown}, and ${formatCount(names.length - MAX_NAMES)} more` : shown;
}

function Effect({ effect }: { readonly effect: ExtensionEffect }) {
  const { derived, checks, zones, findings } = effect;
  // Kinds without stored data affect no path.
  const relationships = effect.relationships.filter((one) => one.relationship_count > 0);
  const begins = relationships.filter((one) => one.is_traversable);
  const ends = relationships.filter((one) => !one.is_traversable);
  const isSame = relationships.length + zones.length + findings.types.length === 0;
  return (
    <>
      {isSame && <p>Paths, zones and findings do not change.</p>}
      <ul>
        {begins.length > 0 && <li>Relationships that attack paths will use: {countsText(begins)}</li>}
        {ends.length > 0 && <li>Relationships that attack paths will no longer use: {countsText(ends)}</li>}
        {derived.map(({ kind, relationship_count, error }) => (
          <li key={kind}>
            {cleanText(kind)}:{' '}
            {error === null
              ? `${counted(relationship_count, 'relationship')} derived`
              : `cannot be derived: ${cleanText(error)}`}
          </li>
        ))}
        {checks.map(({ name, found_count, error }) => (
          <li key={name}>
            {cleanText(name)}:{' '}
            {error === null
              ? `finds ${counted(found_count, 'object')}`
              : `cannot be run: ${cleanText(error)}`}
          </li>
        ))}
        {zones.map((zone) => (
          <li key={zone.asset_group_tag_id}>
            <Name text={zone.name} />: {formatCount(zone.member_count_before)} to{' '}
            {counted(zone.member_count_after, 'member')}
            <Objects what="new" count={zone.added_count} objects={zone.added} />
            <Objects what="removed" count={zone.removed_count} objects={zone.removed} />
          </li>
        ))}
        {findings.types.map(({ finding, title, opened_count, closed_count }) => (
          <li key={finding}>
            {cleanText(title)}:{' '}
            {[
              ...(opened_count > 0 ? [counted(opened_count, 'new finding')] : []),
              ...(closed_count > 0 ? [`${counted(closed_count, 'finding')} closed`] : []),
            ].join(', ')}
          </li>
        ))}
      </ul>
      <Exposure effect={effect} />
    </>
  );
}

const countsText = (kinds: ExtensionEffect['relationships']): string =>
  kinds
    .map(({ kind, relationship_count }) => `${cleanText(kind)} (${formatCount(relationship_count)})`)
    .join(', ');

function Objects({
  what,
  count,
  objects,
}: {
  readonly what: string;
  readonly count: number;
  readonly objects: ExtensionEffect['zones'][number]['added'];
}) {
  if (count === 0) return null;
  return (
    <>
      ; {formatCount(count)} {what}:{' '}
      {objects.map(({ object_id, name }, at) => (
        <span key={object_id}>
          {at > 0 && ', '}
          <Name text={name} />
        </span>
      ))}
      {count > objects.length && `, and ${formatCount(count - objects.length)} more`}
    </>
  );
}

/** Environments whose exposure changes, or is counted for the first time. */
function Exposure({ effect: { before, after } }: { readonly effect: ExtensionEffect }) {
  const keyOf = (one: ExtensionEffect['before'][number]): string =>
    `${one.environment_id} ${one.asset_group_tag_id}`;
  const was = new Map(before.map((one) => [keyOf(one), one.exposure]));
  const shown = after.filter((one) => was.get(keyOf(one)) !== one.exposure);
  if (shown.length === 0) return null;
  return (
    <div className="meters">
      {shown.map((one) => (
        <Meter
          key={keyOf(one)}
          label={cleanText(one.environment_name)}
          before={was.get(keyOf(one)) ?? 0}
          after={one.exposure}
        />
      ))}
    </div>
  );
}
