/** Makes a zone or a label, or changes one. */
import { type FormEvent, useState } from 'react';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { call } from '../../service/client.ts';
import { useChange } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { LABEL, type ShownZone, TOUCHED, ZONE } from './zoneParts.ts';

export function ZoneDialog({ tag, onClose }: { readonly tag?: ShownZone; readonly onClose: () => void }) {
  const [type, setType] = useState(tag?.type ?? ZONE);
  const save = useChange(async (fields: FormData) => {
    const name = String(fields.get('name')).trim();
    const description = String(fields.get('description') ?? '');
    const position = Number(fields.get('position')) || undefined;
    if (tag === undefined) {
      await call('CreateAssetGroupTag', {
        body: {
          name,
          type,
          description,
          ...(type === ZONE && { position, require_certify: fields.has('certify') }),
        },
      });
    } else
      await call('UpdateAssetGroupTag', {
        params: { asset_group_tag_id: tag.id },
        body: {
          ...(name !== tag.name && { name }),
          description,
          ...(tag.type === ZONE && { require_certify: fields.has('certify') }),
          ...(tag.type === ZONE && position !== (tag.position ?? undefined) && { position }),
        },
      });
  }, TOUCHED);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(new FormData(event.currentTarget), { onSuccess: onClose });
  };
  return (
    <Dialog
      title={tag === undefined ? 'New zone or label' : `Change ${cleanText(tag.name)}`}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        {tag === undefined && (
          <label>
            Kind
            <select value={type} onChange={({ target }) => setType(Number(target.value))}>
              <option value={ZONE}>Zone: attack paths into it are findings</option>
              <option value={LABEL}>Label: it marks objects</option>
            </select>
          </label>
        )}
        <label>
          Name
          <input name="name" required maxLength={250} defaultValue={tag?.name} />
        </label>
        <label>
          Description
          <textarea name="description" rows={2} defaultValue={tag?.description} />
        </label>
        {type === ZONE && (
          <>
            <label>
              Position among the zones: 1 is Tier Zero, the most privileged
              <input name="position" type="number" min={1} defaultValue={tag?.position ?? ''} />
            </label>
            <label>
              <input type="checkbox" name="certify" defaultChecked={tag?.require_certify ?? false} /> Members
              have to be certified
            </label>
          </>
        )}
        <DialogActions
          words={tag === undefined ? `Create ${type === ZONE ? 'zone' : 'label'}` : 'Save changes'}
          isPending={save.isPending}
          error={save.error}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
