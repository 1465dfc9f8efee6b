/** Settings of the service, and features of the analysis. */
import { type FormEvent, useState } from 'react';
import { Answer } from '../../parts/Answer.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { AcceptanceTemplates } from './AcceptanceTemplates.tsx';
import { PartHead } from './PartHead.tsx';
import {
  daysIn,
  fixedReason,
  limitsText,
  type SettingField,
  settingField,
  typedValue,
} from './settingFields.ts';

export function SettingsView() {
  const self = useSelf();
  const mayChange = self?.may('app/WriteAppConfig') ?? false;
  const config = useAnswer('ListAppConfigParams');
  const features = useAnswer('ListFeatureFlags');
  const version = useAnswer('GetApiVersion');
  const toggle = useChange(
    (id: number) => call('ToggleFeatureFlag', { params: { feature_id: String(id) } }),
    { touched: ['ListFeatureFlags'] },
  );
  return (
    <>
      <PartHead title="Settings" />
      <Answer query={config} what="the settings" lines={6}>
        {({ data }) => (
          <div className="cards">
            {data.map((parameter) => (
              <Parameter key={parameter.key} parameter={parameter} mayChange={mayChange} />
            ))}
          </div>
        )}
      </Answer>
      <AcceptanceTemplates />
      <h2>Features of the analysis</h2>
      {toggle.isError && (
        <p className="failure" role="alert">
          {describeError(toggle.error).text}
        </p>
      )}
      <Answer query={features} what="the features">
        {({ data }) => (
          <div className="cards">
            {data.map(({ id, key, description, enabled, user_updatable }) => (
              <section key={key} className="card">
                <label>
                  <input
                    type="checkbox"
                    checked={enabled}
                    disabled={!mayChange || !user_updatable || toggle.isPending}
                    onChange={() => toggle.mutate(id)}
                  />{' '}
                  {description}
                </label>
                <p className="quiet">
                  <code>{key}</code>
                </p>
              </section>
            ))}
          </div>
        )}
      </Answer>
      <p className="quiet">
        {version.data && (
          <>
            Clew {version.data.data.server_version}, {version.data.data.product_edition} edition, API{' '}
            {version.data.data.API.current_version}
          </>
        )}
      </p>
    </>
  );
}

interface Parameter {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly fixed_by?: string | undefined;
}

function Parameter({ parameter, mayChange }: { readonly parameter: Parameter; readonly mayChange: boolean }) {
  const { key, name, description, value, fixed_by: fixedBy } = parameter;
  const isChangeable = mayChange && fixedBy === undefined;
  const [saved, setSaved] = useState(false);
  const save = useChange(
    (changed: Record<string, unknown>) => call('SetAppConfigParam', { body: { key, value: changed } }),
    { touched: ['ListAppConfigParams'], onSuccess: () => setSaved(true) },
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const changed = Object.fromEntries(
      Object.entries(value).map(([member, before]) => [
        member,
        typedValue(settingField(key, member), before, fields.get(member)),
      ]),
    );
    setSaved(false);
    save.mutate(changed);
  };
  return (
    <section className="card">
      <h3>{name}</h3>
      <p>{description}</p>
      <form onSubmit={submit}>
        {Object.entries(value).map(([member, current]) => (
          <Field
            key={`${member} ${JSON.stringify(current)}`}
            name={member}
            of={key}
            current={current}
            mayChange={isChangeable}
          />
        ))}
        {fixedBy !== undefined && <p className="quiet">{fixedReason(fixedBy)}</p>}
        {save.isError && (
          <p className="failure" role="alert">
            {cleanText(describeError(save.error).text)}
          </p>
        )}
        {saved && <p role="status">Saved</p>}
        {isChangeable && (
          <button type="submit" disabled={save.isPending}>
            Save
          </button>
        )}
      </form>
    </section>
  );
}

interface FieldProps {
  readonly name: string;
  /** Key of the setting that contains this part. */
  readonly of: string;
  readonly current: unknown;
  readonly mayChange: boolean;
}

function Field({ name, of, current, mayChange }: FieldProps) {
  const field = settingField(of, name);
  const { label, unit, isDays } = field;
  const title = `${of}: ${name}`;
  if (typeof current === 'boolean')
    return (
      <label title={title}>
        <input type="checkbox" name={name} defaultChecked={current} disabled={!mayChange} /> {label}
      </label>
    );
  const days = isDays ? daysIn(current) : undefined;
  const isNumber = typeof current === 'number' || days !== undefined;
  const help = field.help ?? (mayChange ? limitsText(field) : undefined);
  return (
    <label title={title}>
      {label}
      <span className="with-unit">
        <input
          name={name}
          type={isNumber ? 'number' : 'text'}
          {...(isNumber && limitsOf(field))}
          defaultValue={days ?? (typeof current === 'object' ? JSON.stringify(current) : String(current))}
          disabled={!mayChange}
        />
        {days === undefined ? unit : 'days'}
      </span>
      {help !== undefined && <small>{help}</small>}
    </label>
  );
}

/** An empty field is refused: it would be saved as 0. */
const limitsOf = ({ min = 0, max }: SettingField) => ({ required: true, min, max, step: 1 });
