/** The values of a form with conditional fields: a field that is hidden and shown again keeps its typed value. */
import type { Field } from './FormField.tsx';
import { FormValues } from './formValues.ts';

/** The contents of the form. */
export interface Typed {
  /** Values of all fields that have been shown, including hidden ones. */
  readonly data: FormData;
  /** Names of these fields, because fields without a value, such as an unchecked checkbox, are missing in the data. */
  readonly names: ReadonlySet<string>;
}

export const NOTHING_TYPED: Typed = { data: new FormData(), names: new Set() };

/** A page cannot fill in a file again, and a list has no value before its options load. */
function isKept(field: Field): boolean {
  if (field.type === 'select')
    return field.options.some(([one]) => one === (field.value ?? firstOption(field)));
  return field.type !== 'file' && field.type !== 'content';
}

/**
 * @param shown the shown fields of the form
 * @param form their current values
 */
export function typedInto({ data, names }: Typed, shown: readonly Field[], form: FormData): Typed {
  const present = new Set(shown.filter(isKept).map(({ name }) => name));
  const all = copyOf(form);
  for (const { name } of shown) if (!present.has(name)) all.delete(name);
  for (const [name, value] of data) if (names.has(name) && !present.has(name)) all.append(name, value);
  return { data: all, names: new Set([...names, ...present]) };
}

/** @returns the fields to show, each depending on the values before it, and the values of the shown fields */
export function shownFields(
  fields: readonly Field[],
  { data, names }: Typed,
): { readonly shown: readonly Field[]; readonly values: FormValues } {
  const present = copyOf(data);
  for (const [name, value] of firstValues(fields.filter(({ name }) => !names.has(name))))
    present.append(name, value);
  const values = new FormValues(present);
  const shown: Field[] = [];
  for (const field of fields) {
    if (field.when?.(values) ?? true) shown.push(field);
    else present.delete(field.name);
  }
  return { shown, values };
}

/** @returns the field with the value that was typed before it was hidden */
export function withTyped(field: Field, { data, names }: Typed): Field {
  if (!names.has(field.name)) return field;
  const text = data.get(field.name);
  switch (field.type) {
    case 'content':
    case 'file':
      return field;
    case 'check':
      return { ...field, value: data.has(field.name) };
    case 'some':
      return { ...field, value: new Set(data.getAll(field.name).filter((one) => typeof one === 'string')) };
    default:
      return typeof text === 'string' ? { ...field, value: text } : field;
  }
}

function copyOf(data: FormData): FormData {
  const copy = new FormData();
  for (const [name, value] of data) copy.append(name, value);
  return copy;
}

/** @returns the values of an unchanged form, for dependent fields */
function firstValues(fields: readonly Field[]): FormData {
  const data = new FormData();
  for (const field of fields) {
    if (field.type === 'content' || field.type === 'file') continue;
    if (field.type === 'check') {
      if (field.value) data.append(field.name, 'on');
    } else if (field.type === 'some') for (const one of field.value ?? []) data.append(field.name, one);
    else data.append(field.name, String(field.value ?? firstOption(field)));
  }
  return data;
}

const firstOption = (
  field: Exclude<Field, { readonly type: 'content' | 'file' | 'check' | 'some' }>,
): string => ('options' in field ? (field.options[0]?.[0] ?? '') : '');
