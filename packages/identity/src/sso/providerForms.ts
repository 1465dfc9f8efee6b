/** Forms for creating and changing SAML providers: each field at most once, with texts for numbers and booleans. */
import { apiError } from '@clew/common';
import type { AutoProvision, ProviderChange } from './providers.ts';

const PROVISION = 'config.auto_provision';
const UNSOLICITED = 'allow_unsolicited';

const wrong = (reason: string) => apiError('invalidProvider', { reason });

/** Field names, matched case-insensitively, like keys in other bodies. */
const FIELDS = [
  ...['name', 'metadata', UNSOLICITED],
  ...['enabled', 'default_role_id', 'role_provision'].map((part) => `${PROVISION}.${part}`),
];

/** @returns the form with canonical names for known fields */
function respelled(sent: FormData): FormData {
  const form = new FormData();
  for (const [name, value] of sent)
    form.append(FIELDS.find((field) => field === name.toLowerCase()) ?? name, value);
  return form;
}

/** @throws ApiError 400 */
export async function newSamlProvider(
  sent: FormData,
  { isOlder = false }: { readonly isOlder?: boolean } = {},
): Promise<{
  readonly name: string;
  readonly metadata: string;
  readonly config?: AutoProvision;
  readonly allowsUnsolicited?: boolean;
}> {
  const form = respelled(sent);
  const name = onlyField(form, 'name');
  const metadata = await textOf(onlyField(form, 'metadata'));
  const config = isOlder ? undefined : provisionOf(form);
  return {
    ...{ name: await textOf(name), metadata, ...unsolicitedOf(form) },
    ...(config === undefined ? {} : { config }),
  };
}

/** Every field may be absent; the fields of the provision are all present or all absent. @throws ApiError 400 */
export async function changedSamlProvider(sent: FormData): Promise<ProviderChange> {
  const form = respelled(sent);
  const unknown = [...form.keys()].find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw wrong(`form has an unknown "${unknown.slice(0, 100)}" parameter`);
  const hasConfig = [...form.keys()].some((name) => name.startsWith(PROVISION));
  return {
    ...(form.has('name') ? { name: await textOf(onlyField(form, 'name')) } : {}),
    ...(form.has('metadata') ? { metadata: await textOf(onlyField(form, 'metadata')) } : {}),
    ...(hasConfig ? { config: provisionOf(form) } : {}),
    ...unsolicitedOf(form),
  };
}

const unsolicitedOf = (form: FormData): { readonly allowsUnsolicited?: boolean } =>
  form.has(UNSOLICITED) ? { allowsUnsolicited: booleanOf(form, UNSOLICITED) } : {};

type Field = ReturnType<FormData['getAll']>[number];

function onlyField(form: FormData, name: string): Field {
  const values = form.getAll(name);
  if (values.length === 0) throw wrong(`form is missing "${name}" parameter`);
  if (values.length > 1) throw wrong(`expected only one "${name}" parameter`);
  return values[0];
}

const textOf = async (field: Field): Promise<string> => (typeof field === 'string' ? field : field.text());

function provisionOf(form: FormData): AutoProvision {
  return {
    enabled: booleanOf(form, `${PROVISION}.enabled`),
    default_role_id: roleIdOf(form, `${PROVISION}.default_role_id`),
    role_provision: booleanOf(form, `${PROVISION}.role_provision`),
  };
}

function booleanOf(form: FormData, name: string): boolean {
  const text = String(onlyField(form, name));
  if (/^(?:1|t|true)$/i.test(text)) return true;
  if (/^(?:0|f|false)$/i.test(text)) return false;
  throw wrong(`"${name}" parameter could not be converted to bool`);
}

function roleIdOf(form: FormData, name: string): number {
  const text = String(onlyField(form, name));
  if (!/^\d{1,9}$/.test(text)) throw wrong(`"${name}" parameter could not be converted to int`);
  return Number(text);
}
