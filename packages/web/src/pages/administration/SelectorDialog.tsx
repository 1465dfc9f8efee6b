/** A selector of a zone: objects or a query, with the count of selected objects before it is saved. */
import type { TagSelector } from '@clew/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../parts/FormDialog.tsx';
import type { Field, Option } from '../../parts/FormField.tsx';
import { FormValues } from '../../parts/formValues.ts';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { SearchBox } from '../../parts/SearchBox.tsx';
import { call } from '../../service/client.ts';
import { describeError } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';

const BY_OBJECTS = 1;
const BY_QUERY = 2;
/** Maximum number of objects of a selector that the service shows. */
const MAX_SHOWN = 200;

const TOUCHED = ['GetAssetGroupTags', 'GetAssetGroupTagSelectors', 'GetAssetGroupTagHistory'] as const;

const TYPES: readonly Option[] = [
  [String(BY_OBJECTS), 'Objects by name'],
  [String(BY_QUERY), 'Results of a query'],
];

const isByQuery = (values: FormValues): boolean => Number(values.text('type')) === BY_QUERY;

interface Seed {
  readonly type: number;
  readonly value: string;
}

interface Chosen {
  readonly id: string;
  readonly name: string;
}

interface SelectorDialogProps {
  readonly tagId: number;
  readonly rule?: TagSelector;
  readonly onClose: () => void;
}

export function SelectorDialog({ tagId, rule, onClose }: SelectorDialogProps) {
  const type = rule?.seeds[0]?.type ?? BY_OBJECTS;
  const [objects, setObjects] = useState<readonly Chosen[]>(
    type === BY_OBJECTS ? (rule?.seeds ?? []).map(({ value }) => ({ id: value, name: value })) : [],
  );
  const seedsOf = (values: FormValues): readonly Seed[] =>
    isByQuery(values)
      ? [{ type: BY_QUERY, value: values.text('query') }].filter(({ value }) => value !== '')
      : objects.map(({ id }) => ({ type: BY_OBJECTS, value: id }));
  const fields: readonly Field[] = [
    { ...{ type: 'text', name: 'name', label: 'Name', required: true, maxLength: 250 }, value: rule?.name },
    { type: 'long', name: 'description', label: 'Description', rows: 2, value: rule?.description },
    { type: 'radio', name: 'type', label: 'Selects', options: TYPES, value: String(type) },
    {
      ...{ type: 'content', name: 'objects', when: (values) => !isByQuery(values) },
      content: <Objects objects={objects} onChange={setObjects} />,
    },
    {
      ...{ type: 'long', name: 'query', rows: 4, isCode: true, when: isByQuery },
      label: 'Cypher query that returns objects',
      value: type === BY_QUERY ? rule?.seeds[0]?.value : '',
      placeholder: "MATCH (g:Group) WHERE g.name STARTS WITH 'BACKUP' RETURN g",
    },
    {
      ...{ type: 'check', name: 'certify', value: rule?.auto_certify === 1 },
      label: 'Certify its members automatically',
    },
    { type: 'content', name: 'preview', content: <Preview seedsOf={seedsOf} /> },
  ];
  return (
    <FormDialog
      title={rule === undefined ? 'New selector' : `Change ${cleanText(rule.name)}`}
      wide
      fields={fields}
      words={rule === undefined ? 'Create selector' : 'Save selector'}
      isDisabled={(values) => seedsOf(values).length === 0}
      send={(values) => save(tagId, rule, values, seedsOf(values))}
      touched={TOUCHED}
      onClose={onClose}
    >
      <span className="quiet">It takes effect with the next analysis.</span>
    </FormDialog>
  );
}

async function save(
  tagId: number,
  rule: TagSelector | undefined,
  values: FormValues,
  seeds: readonly Seed[],
): Promise<void> {
  const body = {
    name: values.text('name'),
    description: values.text('description'),
    seeds: [...seeds],
    auto_certify: values.has('certify') ? 1 : 0,
  };
  const params = { asset_group_tag_id: tagId };
  if (rule === undefined) await call('CreateAssetGroupTagSelector', { params, body });
  else
    await call('UpdateAssetGroupTagSelector', {
      params: { ...params, asset_group_tag_selector_id: rule.id },
      body,
    });
}

interface ObjectsProps {
  readonly objects: readonly Chosen[];
  readonly onChange: (objects: readonly Chosen[]) => void;
}

function Objects({ objects, onChange }: ObjectsProps) {
  return (
    <>
      <SearchBox
        label="Object to add"
        onPick={({ objectid, name }) =>
          onChange([...objects.filter(({ id }) => id !== objectid), { id: objectid, name }])
        }
      />
      <ul className="plain-list">
        {objects.map(({ id, name }) => (
          <li key={id}>
            <Name text={name} id={id} />{' '}
            <button type="button" onClick={() => onChange(objects.filter((one) => one.id !== id))}>
              Remove
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The objects that the selector would select, shown on request. */
function Preview({ seedsOf }: { readonly seedsOf: (values: FormValues) => readonly Seed[] }) {
  const preview = useMutation({
    mutationFn: async (seeds: readonly Seed[]) =>
      seeds.length === 0
        ? []
        : (await call('PreviewSelectors', { body: { seeds: [...seeds], expansion: 1 } })).data.members,
  });
  return (
    <>
      <p className="bar">
        <button
          type="button"
          disabled={preview.isPending}
          onClick={({ currentTarget }) =>
            preview.mutate(seedsOf(new FormValues(new FormData(currentTarget.form ?? undefined))))
          }
        >
          {preview.isPending ? 'Counting…' : 'Preview'}
        </button>
      </p>
      {preview.isError && (
        <p className="failure" role="alert">
          {describeError(preview.error).text}
        </p>
      )}
      {preview.data !== undefined && (
        <section aria-live="polite">
          <strong>
            {preview.data.length >= MAX_SHOWN
              ? `${MAX_SHOWN} objects or more`
              : preview.data.length === 0
                ? 'It selects nothing'
                : counted(preview.data.length, 'object')}
          </strong>
          <ul className="plain-list log">
            {preview.data.map(({ id, object_id, name, primary_kind }) => (
              <li key={id}>
                <ObjectLink object={{ object_id, name, kind: primary_kind }} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
