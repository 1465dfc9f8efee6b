/** Saves the drawing under a name, or renames and shares a saved drawing. */
import type { NewDrawing } from '@clew/api';
import { FormDialog } from '../../parts/FormDialog.tsx';
import type { FormValues } from '../../parts/formValues.ts';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { cleanText } from '../../text/cleanText.ts';
import { type SavedDrawing, shownTitle } from './savedDrawing.ts';

type Content = Pick<NewDrawing, 'address' | 'objects' | 'relationships'>;

interface SaveDrawingProps {
  /** Absent if the drawing stays unchanged. */
  readonly content?: Content;
  /** The drawing to change; absent for a new one. */
  readonly drawing?: SavedDrawing;
  readonly onSaved?: (drawing: SavedDrawing) => void;
  readonly onClose: () => void;
}

export function SaveDrawing({ content, drawing, onSaved, onClose }: SaveDrawingProps) {
  const save = async (values: FormValues): Promise<SavedDrawing> => {
    const fields = {
      name: values.text('name'),
      description: values.text('description'),
      shared: values.has('shared'),
    };
    if (drawing === undefined) {
      if (content === undefined) throw new Error('there is nothing to save');
      return (await call('CreateDrawing', { body: { ...fields, ...content } })).data;
    }
    const params = { drawing_id: drawing.id };
    return (await call('UpdateDrawing', { params, body: { ...fields, ...(content && { content }) } })).data;
  };
  return (
    <FormDialog
      title={drawing === undefined ? 'Save the drawing' : `Change ${cleanText(drawing.name)}`}
      fields={[
        {
          ...{ type: 'text', name: 'name', label: 'Name', required: true, maxLength: 200 },
          ...{ pattern: '.*\\S.*', value: drawing?.name },
        },
        {
          ...{ type: 'long', name: 'description', label: 'Description', rows: 2, maxLength: 2000 },
          value: drawing?.description,
        },
        {
          ...{ type: 'check', name: 'shared', value: drawing?.shared },
          label: 'Share: all users see it, but only objects that they can see',
        },
      ]}
      words={drawing === undefined ? 'Save drawing' : 'Save changes'}
      send={save}
      touched={['ListDrawings', 'GetDrawing']}
      onSent={(saved) => notify(`${shownTitle(saved)} is saved`)}
      onDone={(saved) => {
        onSaved?.(saved);
        onClose();
      }}
      onClose={onClose}
    />
  );
}
