/** A selector of a zone: by objects or by a query, with the count of selected objects before it is saved. */
import type { TagSelector } from '@clew/api';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { SearchBox } from '../../parts/SearchBox.tsx';
import { call } from '../../service/client.ts';
import { describeError, useChange } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';

const BY_OBJECTS = 1;
const BY_QUERY = 2;
/** Number of objects of a selector that the service shows. */
const MAX_SHOWN = 200;

const TOUCHED = ['GetAssetGroupTags', 'GetAssetGroupTagSelectors', 'GetAssetGroupTagHistory'] as const;

interface SelectorDialogProps {
  readonly tagId: number;
  readonly rule?: TagSelector;
  readonly onClose: () => void;
}

export function SelectorDialog({ tagId, rule, onClose }: SelectorDialogProps) {
  const [type, setType] = useState(rule?.seeds[0]?.type ?? BY_OBJECTS);
  const [objects, setObjects] = useState<readonly { id: string; name: string }[]>(
    rule?.seeds[0]?.type === BY_OBJECTS ? rule.seeds.map(({ value }) => ({ id: value, name: value })) : [],
  );
  const [query, setQuery] = useState(rule?.seeds[0]?.type === BY_QUERY ? rule.seeds[0].value : '');
  const seeds =
    type === BY_QUERY
      ? [{ type: BY_QUERY, value: query.trim() }]
      : objects.map(({ id }) => ({ type: BY_OBJECTS, value: id }));
  const isEmpty = type === BY_QUERY ? query.trim() === '' : objects.length === 0;
  const preview = useMutation({
    mutationFn: async () => (await call('PreviewSelectors', { body: { seeds, expansion: 1 } })).data.members,
  });
  const save = useChange(async (fields: FormData) => {
    const body = {
      name: String(fields.get('name')).trim(),
      description: String(fields.get('description') ?? ''),
      seeds,
      auto_certify: fields.has('certify') ? 1 : 0,
    };
    const params = { asset_group_tag_id: tagId };
    if (rule === undefined) await call('CreateAssetGroupTagSelector', { params, body });
    else
      await call('UpdateAssetGroupTagSelector', {
        params: { ...params, asset_group_tag_selector_id: rule.id },
        body,
      });
  }, TOUCHED);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(new FormData(event.currentTarget), { onSuccess: onClose });
  };
  return (
    <Dialog
      title={rule === undefined ? 'New selector' : `Change ${cleanText(rule.name)}`}
      onClose={onClose}
      wide
    >
      <form onSubmit={submit}>
        <label>
          Name
          <input name="name" required maxLength={250} defaultValue={rule?.name} />
        </label>
        <label>
          Description
          <textarea name="description" rows={2} defaultValue={rule?.description} />
        </label>
        <fieldset>
          <legend>Selects</legend>
          <label>
            <input
              type="radio"
              name="type"
              checked={type === BY_OBJECTS}
              onChange={() => setType(BY_OBJECTS)}
            />{' '}
            Objects by name
          </label>
          <label>
            <input type="radio" name="type" checked={type === BY_QUERY} onChange={() => setType(BY_QUERY)} />{' '}
            Results of a query
          </label>
          {type === BY_OBJECTS ? (
            <>
              <SearchBox
                label="Object to add"
                onPick={({ objectid, name }) =>
                  setObjects([...objects.filter(({ id }) => id !== objectid), { id: objectid, name }])
                }
              />
              <ul className="plain-list">
                {objects.map(({ id, name }) => (
                  <li key={id}>
                    <Name text={name} id={id} />{' '}
                    <button type="button" onClick={() => setObjects(objects.filter((one) => one.id !== id))}>
                      Remove
                    </button>
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <label>
              Query in Cypher that returns objects
              <textarea
                rows={4}
                value={query}
                onChange={({ target }) => setQuery(target.value)}
                placeholder="MATCH (g:Group) WHERE g.name STARTS WITH 'BACKUP' RETURN g"
                spellCheck={false}
              />
            </label>
          )}
        </fieldset>
        <label>
          <input type="checkbox" name="certify" defaultChecked={rule?.auto_certify === 1} /> Certify its
          members automatically
        </label>
        <p className="bar">
          <button type="button" disabled={isEmpty || preview.isPending} onClick={() => preview.mutate()}>
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
        <DialogActions
          words={rule === undefined ? 'Create selector' : 'Save selector'}
          isDisabled={isEmpty}
          isPending={save.isPending}
          error={save.error}
          onCancel={onClose}
        >
          <span className="quiet">It takes effect with the next analysis.</span>
        </DialogActions>
      </form>
    </Dialog>
  );
}
