/** Extensions: the supported platforms, and the data of each source. */
import type { ExtensionRecord, ListedEdgeKind, SourceKind } from '@clew/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Static } from 'typebox';
import { Link } from 'wouter';
import { pathTo, useAddress } from '../../address.ts';
import { Answer } from '../../parts/Answer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { FileButton } from '../../parts/FileButton.tsx';
import { KindMark } from '../../parts/KindMark.tsx';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatAge, formatCount, formatMoment, isTime } from '../../text/formats.ts';
import { sourceTitle } from '../data/sourceTitles.ts';
import { type Chosen, readChosen } from './definitionFile.ts';
import { InstallDialog } from './InstallDialog.tsx';

type EdgeKind = Static<typeof ListedEdgeKind>;

export default function ExtensionsPage() {
  const extensions = useAnswer('ListExtensions');
  const edges = useAnswer('ListEdgeKinds');
  const kinds = useAnswer('GetKinds');
  const self = useSelf();
  const mayWrite = self?.may('graphdb/Write') === true && self.may('opengraph/Write');
  return (
    <div className="page">
      <Answer query={extensions} what="the extensions" lines={6}>
        {({ data }) => (
          <>
            <div className="with-period">
              <h1>{counted(data.extensions.length, 'extension')}</h1>
              {mayWrite && <Install />}
            </div>
            <div className="extensions">
              {data.extensions.map((extension) => (
                <Extension
                  key={extension.id}
                  extension={extension}
                  edges={edges.data?.data ?? []}
                  kinds={kinds.data?.data.kinds ?? []}
                  mayWrite={mayWrite}
                />
              ))}
            </div>
            <Sources />
          </>
        )}
      </Answer>
    </div>
  );
}

interface ExtensionProps {
  readonly extension: ExtensionRecord;
  readonly edges: readonly EdgeKind[];
  /** Kinds of nodes and relationships. */
  readonly kinds: readonly string[];
  readonly mayWrite: boolean;
}

function Extension({ extension, edges, kinds, mayWrite }: ExtensionProps) {
  const address = useAddress();
  const [removing, setRemoving] = useState(false);
  const { id, name, version, namespace, is_builtin } = extension;
  // Names of an extension's kinds begin with its namespace, except for built-in kinds.
  const own = edges.filter((kind) =>
    is_builtin ? kind.schema_name === namespace : kind.name.startsWith(`${namespace}_`),
  );
  const isEdge = new Set(edges.map((kind) => kind.name));
  const nodeKinds = kinds.filter((kind) => kind.startsWith(`${namespace}_`) && !isEdge.has(kind));
  const isOpen = address.get('extension') === String(id);
  return (
    <section className="card extension" aria-labelledby={`extension-${id}`}>
      <header className="section-head">
        <h2 id={`extension-${id}`}>
          <Name text={name} /> <small className="quiet">{cleanText(version)}</small>
        </h2>
        <span className="end">{is_builtin && <span className="mark">built in</span>}</span>
      </header>
      <p className="quiet">
        {nodeKinds.length > 0 && `${counted(nodeKinds.length, 'kind')} of objects, `}
        {counted(own.length, 'kind')} of relationships,{' '}
        {formatCount(own.filter((one) => one.is_traversable).length)} of them traversable
      </p>
      {!is_builtin && (nodeKinds.length > 0 ? <Objects kinds={nodeKinds} /> : <NoObjects />)}
      <div className="chips">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => address.set({ extension: isOpen ? undefined : id }, { replace: true })}
        >
          {isOpen ? 'Hide kinds' : 'Show kinds'}
        </button>
        {mayWrite && !is_builtin && (
          <button type="button" className="danger" onClick={() => setRemoving(true)}>
            Remove…
          </button>
        )}
      </div>
      {isOpen && <Kinds own={own} nodeKinds={nodeKinds} title={name} />}
      {removing && <Remove extension={extension} onClose={() => setRemoving(false)} />}
    </section>
  );
}

const idText = (kind: string): string => `\`${kind.replaceAll('`', '``')}\``;

function useCounted(query: string) {
  return useQuery({
    queryKey: ['RunCypherQuery', 'counted', query],
    queryFn: async ({ signal }) => {
      const { rows } = (await call('RunCypherQuery', { body: { query, rows: true } }, { signal })).data;
      const [count, seen] = rows?.[0] ?? [];
      return { count: Number(count ?? 0), seen: typeof seen === 'string' ? seen : undefined };
    },
  });
}

/** Shows that a definition has no data. */
function Objects({ kinds }: { readonly kinds: readonly string[] }) {
  const { data, isError } = useCounted(
    `MATCH (n:${kinds.map(idText).join('|')}) RETURN count(n), max(n.lastseen)`,
  );
  if (isError) return <p className="quiet">The objects could not be counted.</p>;
  if (data === undefined) return null;
  if (data.count === 0) return <NoObjects />;
  return (
    <p>
      <strong>{formatCount(data.count)}</strong> {data.count === 1 ? 'object' : 'objects'}
      {isTime(data.seen) && <span title={formatMoment(data.seen)}>, last upload {formatAge(data.seen)}</span>}
    </p>
  );
}

const NoObjects = () => (
  <p>
    0 objects: <Link href={pathTo('data', { view: 'uploads' })}>upload a collection</Link>
  </p>
);

function Kinds({
  own,
  nodeKinds,
  title,
}: {
  readonly own: readonly EdgeKind[];
  readonly nodeKinds: readonly string[];
  readonly title: string;
}) {
  const columns: Column<EdgeKind>[] = [
    { title: 'Relationship', cell: ({ name }) => <code>{cleanText(name)}</code> },
    { title: 'Attack paths', cell: ({ is_traversable }) => (is_traversable ? 'traversable' : 'not used') },
    { title: 'Meaning', grows: true, cell: ({ description }) => cleanText(description) },
  ];
  return (
    <>
      {nodeKinds.length > 0 && (
        <ul className="chips kind-list" aria-label={`Kinds of objects of ${cleanText(title)}`}>
          {nodeKinds.map((kind) => (
            <li key={kind}>
              <KindMark kind={kind} /> <code>{cleanText(kind)}</code>
            </li>
          ))}
        </ul>
      )}
      {own.length > 0 && (
        <Table
          caption={`Relationships of ${cleanText(title)}`}
          columns={columns}
          rows={own}
          keyOf={({ name }) => name}
        />
      )}
    </>
  );
}

function Remove({
  extension,
  onClose,
}: {
  readonly extension: ExtensionRecord;
  readonly onClose: () => void;
}) {
  return (
    <ConfirmDialog
      title="Remove the extension?"
      words="Remove extension"
      act={() => call('DeleteExtension', { params: { extension_id: extension.id } })}
      notice={`${extension.name} is removed`}
      onClose={onClose}
    >
      <p>
        The selectors, checks and saved queries of <Name text={extension.name} /> are removed, too. Its
        objects stay, but from the next analysis on, attack paths do not use its relationships. To delete the
        objects as well, use <Link href={pathTo('data', { view: 'clearing' })}>Delete data</Link>.
      </p>
    </ConfirmDialog>
  );
}

function Install() {
  const [chosen, setChosen] = useState<Chosen>();
  const read = async (file: File) => {
    try {
      setChosen(await readChosen(file));
    } catch (error) {
      notify(describeError(error).text);
    }
  };
  return (
    <div className="chips">
      <FileButton
        isMain
        text="Install…"
        label="Definition or bundle of an extension"
        accept=".json,.zip"
        onFiles={([file]) => void read(file)}
      />
      {chosen !== undefined && (
        <InstallDialog key={chosen.key} chosen={chosen} onClose={() => setChosen(undefined)} />
      )}
    </div>
  );
}

/** Objects by source, with the time of the last upload. */
function Sources() {
  const query = useAnswer('GetSourceKinds');
  return (
    <section className="card" aria-labelledby="sources">
      <h2 id="sources">Data by source</h2>
      <Answer query={query} what="the sources">
        {({ data: { kinds } }) => {
          const named = kinds.filter(({ id }) => id !== 0);
          return named.length === 0 ? (
            <p className="quiet">Nothing was uploaded yet.</p>
          ) : (
            <Table
              caption="Data by source"
              columns={[
                { title: 'Source', cell: ({ name }) => <Name text={sourceTitle(name)} /> },
                { title: 'Objects', numeric: true, cell: ({ name }) => <SourceObjects name={name} /> },
                { title: 'Last upload', cell: ({ name }) => <SourceObjects name={name} ofTime /> },
                ...(kinds.some(({ waiting_relationships }) => waiting_relationships > 0)
                  ? [
                      {
                        title: 'Waiting relationships',
                        numeric: true,
                        cell: (source: SourceKind) => waitingText(source),
                      },
                    ]
                  : []),
              ]}
              rows={(kinds.find(({ id }) => id === 0)?.waiting_relationships ?? 0) > 0 ? kinds : named}
              keyOf={({ id }) => id}
            />
          );
        }}
      </Answer>
      <p className="quiet">
        An object that several sources describe counts for each of them; groups that the analysis adds count
        as Active Directory data.{' '}
        <Link href={pathTo('data', { view: 'clearing' })}>Delete the data of a source</Link>
      </p>
    </section>
  );
}

/** Relationships whose other object is in no upload yet. */
function waitingText({ waiting_relationships: all, ambiguous_relationships: ambiguous }: SourceKind): string {
  if (ambiguous === 0) return formatCount(all);
  return `${formatCount(all)} (${formatCount(ambiguous)} match several objects)`;
}

function SourceObjects({ name, ofTime = false }: { readonly name: string; readonly ofTime?: boolean }) {
  const { data, isError } = useCounted(`MATCH (n:${idText(name)}) RETURN count(n), max(n.lastseen)`);
  if (isError) return <span className="quiet">not known</span>;
  if (data === undefined) return null;
  if (!ofTime) return formatCount(data.count);
  return isTime(data.seen) ? <span title={formatMoment(data.seen)}>{formatAge(data.seen)}</span> : 'never';
}
