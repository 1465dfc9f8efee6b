/** Saves the drawing under a name, or renames and shares a saved drawing. */
import type { NewDrawing } from '@clew/api';
import type { FormEvent } from 'react';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { useChange } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { type SavedDrawing, shownTitle } from './savedDrawing.ts';

type Content = Pick<NewDrawing, 'address' | 'objects' | 'relationships'>;

interface SaveDrawingProps {
  /** Does not change the drawing. */
  readonly content?: Content;
  /** The drawing that is changed; a new one without it. */
  readonly drawing?: SavedDrawing;
  readonly onSaved?: (drawing: SavedDrawing) => void;
  readonly onClose: () => void;
}

export function SaveDrawing({ content, drawing, onSaved, onClose }: SaveDrawingProps) {
  const save = useChange(
    async (fields: { readonly name: string; readonly description: string; readonly shared: boolean }) => {
      if (drawing === undefined) {
        if (content === undefined) throw new Error('there is nothing to save');
        return (await call('CreateDrawing', { body: { ...fields, ...content } })).data;
      }
      const params = { drawing_id: drawing.id };
      return (await call('UpdateDrawing', { params, body: { ...fields, ...(content && { content }) } })).data;
    },
    ['ListDrawings', 'GetDrawing'],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    save.mutate(
      {
        name: String(fields.get('name')).trim(),
        description: String(fields.get('description')).trim(),
        shared: fields.has('shared'),
      },
      {
        onSuccess: (saved) => {
          notify(`${shownTitle(saved)} is saved`);
          onSaved?.(saved);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title={drawing === undefined ? 'Save the drawing' : `Change ${cleanText(drawing.name)}`}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <label>
          Name
          <input name="name" required maxLength={200} pattern=".*\S.*" defaultValue={drawing?.name} />
        </label>
        <label>
          Description
          <textarea name="description" rows={2} maxLength={2000} defaultValue={drawing?.description} />
        </label>
        <label className="choice">
          <input type="checkbox" name="shared" defaultChecked={drawing?.shared ?? false} />
          <span>Share: all users see it, each as far as they may see its objects</span>
        </label>
        <DialogActions
          words={drawing === undefined ? 'Save drawing' : 'Save changes'}
          isPending={save.isPending}
          error={save.error}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
