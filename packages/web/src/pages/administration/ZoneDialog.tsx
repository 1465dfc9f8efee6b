/** Creates or changes a zone or a label. */
import { FormDialog } from '../../parts/FormDialog.tsx';
import type { Field, Option } from '../../parts/FormField.tsx';
import type { FormValues } from '../../parts/formValues.ts';
import { call } from '../../service/client.ts';
import { cleanText } from '../../text/cleanText.ts';
import { LABEL, type ShownZone, TOUCHED, ZONE } from './zoneParts.ts';

export function ZoneDialog({ tag, onClose }: { readonly tag?: ShownZone; readonly onClose: () => void }) {
  const isZone = (values: FormValues): boolean => (tag?.type ?? Number(values.text('type'))) === ZONE;
  return (
    <FormDialog
      title={tag === undefined ? 'New zone or label' : `Change ${cleanText(tag.name)}`}
      fields={fieldsOf(tag, isZone)}
      words={(values) => (tag === undefined ? `Create ${isZone(values) ? 'zone' : 'label'}` : 'Save changes')}
      send={(values) => save(tag, values, isZone(values))}
      touched={TOUCHED}
      onClose={onClose}
    />
  );
}

const TYPES: readonly Option[] = [
  [String(ZONE), 'Zone: attack paths into it are findings'],
  [String(LABEL), 'Label: marks objects only'],
];

const fieldsOf = (tag: ShownZone | undefined, isZone: (values: FormValues) => boolean): readonly Field[] => [
  { type: 'select', name: 'type', label: 'Kind', options: TYPES, when: () => tag === undefined },
  { ...{ type: 'text', name: 'name', label: 'Name', required: true, maxLength: 250 }, value: tag?.name },
  { type: 'long', name: 'description', label: 'Description', rows: 2, value: tag?.description },
  {
    ...{ type: 'number', name: 'position', min: 1, value: tag?.position, when: isZone },
    label: 'Position among the zones: 1 is Tier Zero, the most privileged',
  },
  {
    ...{ type: 'check', name: 'certify', value: tag?.require_certify, when: isZone },
    label: 'Members have to be certified',
  },
];

async function save(tag: ShownZone | undefined, values: FormValues, isZone: boolean): Promise<void> {
  const name = values.text('name');
  const description = values.text('description');
  const position = Number(values.text('position')) || undefined;
  const certify = isZone && { require_certify: values.has('certify') };
  if (tag === undefined)
    await call('CreateAssetGroupTag', {
      body: { name, type: isZone ? ZONE : LABEL, description, ...(isZone && { position }), ...certify },
    });
  else
    await call('UpdateAssetGroupTag', {
      params: { asset_group_tag_id: tag.id },
      body: {
        ...(name !== tag.name && { name }),
        ...{ description, ...certify },
        ...(isZone && position !== (tag.position ?? undefined) && { position }),
      },
    });
}
