/** The fields of a form as data: their labels, limits, and conditions. */
import type { ReactNode } from 'react';
import type { useFieldDraft } from './drafts.ts';
import type { FormValues } from './formValues.ts';
import { MentionField } from './MentionField.tsx';

/** A value with its label. */
export type Option = readonly [value: string, words: string];

interface Shown {
  /** The condition for showing the field; default: always. A hidden field has no value. */
  readonly when?: (values: FormValues) => boolean;
}

interface Named extends Shown {
  readonly name: string;
  readonly label: string;
  readonly required?: boolean;
}

interface TextField extends Named {
  readonly type: 'text' | 'email' | 'url' | 'password' | 'number' | 'date' | 'datetime-local';
  readonly value?: string | number | null;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly placeholder?: string;
  readonly autoComplete?: string;
  readonly min?: string | number;
  readonly max?: number;
  readonly step?: number;
  /** Shown after the value, such as `%`. */
  readonly unit?: string;
}

interface LongTextField extends Named {
  /** A note suggests users after `@`. */
  readonly type: 'long' | 'note';
  readonly value?: string | null;
  readonly rows: number;
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** Keeps the typed text until it is sent. */
  readonly draft?: ReturnType<typeof useFieldDraft>;
  /** Whether the text is code. */
  readonly isCode?: boolean;
}

interface CheckField extends Named {
  readonly type: 'check';
  readonly value?: boolean | null;
}

interface OneOfField extends Named {
  /** A drop-down list, or all options with marks. */
  readonly type: 'select' | 'radio';
  readonly options: readonly Option[];
  readonly value?: string | null;
}

interface SomeOfField extends Named {
  readonly type: 'some';
  readonly options: readonly Option[];
  readonly value?: ReadonlySet<string>;
}

interface FileField extends Named {
  readonly type: 'file';
  readonly accept: string;
}

/** Other content between the fields: a sentence, a preview, a list. */
interface Content extends Shown {
  readonly type: 'content';
  readonly name: string;
  readonly content: ReactNode | ((values: FormValues) => ReactNode);
}

export type Field = TextField | LongTextField | CheckField | OneOfField | SomeOfField | FileField | Content;

interface FormFieldProps {
  readonly field: Field;
  /** The current values of the whole form. */
  readonly values: FormValues;
}

export function FormField({ field, values }: FormFieldProps) {
  switch (field.type) {
    case 'content':
      return typeof field.content === 'function' ? field.content(values) : field.content;
    case 'check':
      return (
        <label>
          <input type="checkbox" name={field.name} defaultChecked={field.value ?? false} /> {field.label}
        </label>
      );
    case 'select':
      return <Select field={field} value={values.exact(field.name)} />;
    case 'radio':
    case 'some':
      return <Choices field={field} />;
    case 'long':
    case 'note':
      return <LongText field={field} />;
    case 'file':
      return (
        <label>
          {field.label}
          <input type="file" name={field.name} required={field.required} accept={field.accept} />
        </label>
      );
    default:
      return <Text field={field} />;
  }
}

function Text({ field }: { readonly field: TextField }) {
  const { label, value, unit, ...rest } = withoutWhen(field);
  const input = <input autoComplete="off" {...rest} defaultValue={value ?? undefined} />;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the label contains the input
    <label>
      {label}
      {unit === undefined ? (
        input
      ) : (
        <span className="with-unit">
          {input}
          {unit}
        </span>
      )}
    </label>
  );
}

function LongText({ field }: { readonly field: LongTextField }) {
  const { type, label, value, draft, isCode, ...rest } = withoutWhen(field);
  const properties = {
    ...rest,
    ...draft?.field,
    defaultValue: value ?? undefined,
    ...(isCode && { spellCheck: false }),
  };
  if (type === 'note') return <MentionField label={label} {...properties} />;
  return (
    <label>
      {label}
      <textarea {...properties} />
    </label>
  );
}

interface SelectProps {
  readonly field: OneOfField;
  /** The current value in the form. */
  readonly value: string;
}

function Select({ field: { name, label, required, options }, value }: SelectProps) {
  return (
    <label>
      {label}
      {/* Rendered again when options load, so that the value is selected. */}
      <select key={options.length} name={name} required={required} defaultValue={value}>
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function Choices({ field }: { readonly field: OneOfField | SomeOfField }) {
  const { name, label, options } = field;
  const isChosen = (one: string): boolean =>
    field.type === 'some' ? (field.value?.has(one) ?? false) : one === (field.value ?? options[0]?.[0]);
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      {options.map(([one, words]) => (
        <label key={one}>
          <input
            type={field.type === 'some' ? 'checkbox' : 'radio'}
            name={name}
            value={one}
            defaultChecked={isChosen(one)}
          />{' '}
          {words}
        </label>
      ))}
    </fieldset>
  );
}

function withoutWhen<Some extends Shown>({ when: _, ...field }: Some): Omit<Some, 'when'> {
  return field;
}
