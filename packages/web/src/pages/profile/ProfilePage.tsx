/** The account of the user: password, second factor, API tokens, sessions, assistants. */
import { type FormEvent, useRef, useState } from 'react';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { KEY_NOT_SHOWN, TokenOnce } from '../../parts/TokenOnce.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { type Self, useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { deviceName } from '../../text/deviceName.ts';
import { counted, formatAge, formatMoment } from '../../text/formats.ts';
import { Assistants } from './Assistants.tsx';

export default function ProfilePage() {
  const self = useSelf();
  if (self === undefined) return null;
  const { user } = self;
  return (
    <div className="page">
      <h1>Profile</h1>
      <dl className="facts">
        <dt>Name</dt>
        <dd>
          <Name text={user.principal_name} />
        </dd>
        <dt>Role</dt>
        <dd>{user.roles.map(({ name }) => name).join(', ')}</dd>
        <dt>May see</dt>
        <dd>
          {user.all_environments
            ? 'all environments'
            : counted(user.environment_targeted_access_control.environments.length, 'environment')}
        </dd>
      </dl>
      {user.AuthSecret !== null && <Password self={self} />}
      {user.AuthSecret !== null && <SecondFactor self={self} />}
      {self.may('auth/CreateToken') && <Tokens self={self} />}
      <Sessions self={self} />
      <Assistants self={self} />
    </div>
  );
}

function Password({ self }: { readonly self: Self }) {
  const [fault, setFault] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const change = useChange(
    (body: { secret: string; current_secret: string }) =>
      call('CreateOrSetUserSecret', { params: { user_id: self.user.id }, body }),
    { touched: ['GetSelf', 'ListUserSessions'], onSuccess: () => form.current?.reset() },
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const [current, next, again] = ['current', 'next', 'again'].map((name) => String(fields.get(name)));
    if (next !== again) return setFault('The two new passwords do not match.');
    setFault(undefined);
    change.mutate({ secret: next, current_secret: current });
  };
  return (
    <section className="card">
      <h2>Password</h2>
      <p className="quiet">It expires on {formatMoment(self.user.AuthSecret!.expires_at)}.</p>
      <form ref={form} onSubmit={submit}>
        <input hidden readOnly autoComplete="username" value={self.user.principal_name} />
        <label>
          Current password
          <input name="current" type="password" required autoComplete="current-password" />
        </label>
        <label>
          New password
          <input name="next" type="password" required autoComplete="new-password" maxLength={1024} />
        </label>
        <label>
          Repeat new password
          <input name="again" type="password" required autoComplete="new-password" maxLength={1024} />
        </label>
        {(fault !== undefined || change.isError) && (
          <p className="failure" role="alert">
            {fault ?? describeError(change.error).text}
          </p>
        )}
        {change.isSuccess && <p role="status">The password is changed; other sessions have ended.</p>}
        <button type="submit" disabled={change.isPending}>
          Change password
        </button>
      </form>
    </section>
  );
}

function SecondFactor({ self }: { readonly self: Self }) {
  const params = { user_id: self.user.id };
  const status = useAnswer('GetMfaActivationStatus', { params });
  const begin = useChange((secret: string) => call('AddUserMfa', { params, body: { secret } }), {
    touched: ['GetMfaActivationStatus'],
  });
  const activate = useChange((otp: string) => call('ActivateUserMfa', { params, body: { otp } }), {
    touched: ['GetMfaActivationStatus', 'GetSelf'],
  });
  const remove = useChange((secret: string) => call('RemoveUserMfa', { params, body: { secret } }), {
    touched: ['GetMfaActivationStatus', 'GetSelf'],
  });
  const onSubmit = (act: (value: string) => void) => (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    act(String(new FormData(event.currentTarget).get('value')).trim());
  };
  const codes = activate.data?.data.recovery_codes;
  return (
    <section className="card">
      <h2>Multi-factor authentication</h2>
      <Answer query={status} what="the state">
        {({ data }) =>
          data.status === 'activated' ? (
            <>
              <p className="ok">A code is required at each sign-in.</p>
              {codes !== undefined && (
                <div role="status">
                  <p>
                    <strong>Recovery codes, shown only once, now.</strong> Each code replaces one code of the
                    authenticator.
                  </p>
                  <pre>{codes.join('\n')}</pre>
                </div>
              )}
              <form onSubmit={onSubmit((value) => remove.mutate(value))}>
                <label>
                  Password, to remove MFA
                  <input name="value" type="password" required autoComplete="current-password" />
                </label>
                {remove.isError && <p role="alert">{describeError(remove.error).text}</p>}
                <button type="submit" className="danger" disabled={remove.isPending}>
                  Remove MFA
                </button>
              </form>
            </>
          ) : begin.data !== undefined ? (
            <>
              <p>Scan this with an authenticator, or enter the key in it.</p>
              <img src={begin.data.data.qr_code} alt="QR code of the key" width="200" height="200" />
              <p>
                Key: <code>{begin.data.data.totp_secret}</code>
              </p>
              <form onSubmit={onSubmit((value) => activate.mutate(value))}>
                <label>
                  Code that it shows
                  <input
                    name="value"
                    required
                    inputMode="numeric"
                    autoComplete="one-time-code"
                    maxLength={100}
                  />
                </label>
                {activate.isError && <p role="alert">{describeError(activate.error).text}</p>}
                <button type="submit" className="main" disabled={activate.isPending}>
                  Switch it on
                </button>
              </form>
            </>
          ) : (
            <form onSubmit={onSubmit((value) => begin.mutate(value))}>
              <p>After the password, MFA asks for a code from your authenticator app.</p>
              <label>
                Password
                <input name="value" type="password" required autoComplete="current-password" />
              </label>
              {begin.isError && <p role="alert">{describeError(begin.error).text}</p>}
              <button type="submit" disabled={begin.isPending}>
                Set up MFA
              </button>
            </form>
          )
        }
      </Answer>
    </section>
  );
}

function Tokens({ self }: { readonly self: Self }) {
  const query = useAnswer('ListAuthTokens', { query: { user_id: `eq:${self.user.id}`, sort_by: 'name' } });
  const [adding, setAdding] = useState(false);
  const revoke = useChange((id: string) => call('DeleteAuthToken', { params: { token_id: id } }), {
    touched: ['ListAuthTokens'],
  });
  type Token = NonNullable<typeof query.data>['data']['tokens'][number];
  const columns: Column<Token>[] = [
    { title: 'Name', cell: ({ name }) => <Name text={name ?? '–'} /> },
    { title: 'Id', cell: ({ id }) => <code>{id}</code> },
    { title: 'Used', cell: ({ last_access }) => formatAge(last_access) },
    { title: 'Ends', cell: ({ expires_at }) => (expires_at.valid ? formatMoment(expires_at.time) : 'never') },
    {
      title: 'Actions',
      cell: ({ id, name }) => (
        <button type="button" onClick={() => revoke.mutate(id)}>
          Revoke<span className="unseen"> {cleanText(name ?? id)}</span>
        </button>
      ),
    },
  ];
  return (
    <section className="card">
      <h2>API tokens</h2>
      <p className="bar">
        <button type="button" onClick={() => setAdding(true)}>
          Create API token…
        </button>
      </p>
      {revoke.isError && <p role="alert">{describeError(revoke.error).text}</p>}
      <Answer query={query} what="the tokens">
        {({ data }) =>
          data.tokens.length === 0 ? (
            <Empty
              title="No tokens"
              example="“pipeline, ends on 31 Dec”, used by a script to upload collections"
              action={{ words: 'Create the first token…', onAct: () => setAdding(true) }}
            >
              Programs sign requests with a token instead of your password.
            </Empty>
          ) : (
            <Table caption="Tokens" columns={columns} rows={data.tokens} keyOf={({ id }) => id} />
          )
        }
      </Answer>
      {adding && <TokenDialog userId={self.user.id} onClose={() => setAdding(false)} />}
    </section>
  );
}

function TokenDialog({ userId, onClose }: { readonly userId: string; readonly onClose: () => void }) {
  const [token, setToken] = useState<{ readonly id: string; readonly key: string }>();
  if (token !== undefined)
    return (
      <Dialog title="Create API token" onClose={onClose}>
        <TokenOnce id={token.id} secret={token.key} onClose={onClose} />
      </Dialog>
    );
  return (
    <FormDialog
      title="Create API token"
      fields={[
        { type: 'text', name: 'name', label: 'Name', required: true, maxLength: 200 },
        {
          ...{ type: 'date', name: 'end', label: 'Ends on (optional)' },
          min: new Date().toISOString().slice(0, 10),
        },
      ]}
      words="Create token"
      send={(values) => {
        const end = values.text('end');
        const name = { token_name: values.text('name'), user_id: userId };
        const body = { ...name, ...(end !== '' && { expires_at: `${end}T23:59:59Z` }) };
        return call('CreateAuthToken', { body });
      }}
      touched={['ListAuthTokens']}
      onLate={() => notify(KEY_NOT_SHOWN)}
      onDone={({ data }) => setToken(data)}
      onClose={onClose}
    />
  );
}

function Sessions({ self }: { readonly self: Self }) {
  const params = { user_id: self.user.id };
  const query = useAnswer('ListUserSessions', { params });
  const end = useChange((id: number) => call('EndUserSession', { params: { ...params, session_id: id } }), {
    touched: ['ListUserSessions'],
  });
  const endAll = useChange(() => call('EndUserSessions', { params }), {
    touched: ['ListUserSessions', 'ListUserAssistants'],
  });
  type Session = NonNullable<typeof query.data>['data']['sessions'][number];
  const columns: Column<Session>[] = [
    { title: 'Started', cell: ({ created_at }) => formatMoment(created_at) },
    { title: 'From', cell: ({ client_address }) => <Name text={client_address || 'not known'} /> },
    { title: 'With', cell: ({ user_agent }) => <Name text={deviceName(user_agent) || 'not known'} /> },
    {
      title: 'Actions',
      cell: ({ id, is_current }) =>
        is_current ? (
          'this one'
        ) : (
          <button type="button" onClick={() => end.mutate(id)}>
            End it
          </button>
        ),
    },
  ];
  return (
    <section className="card">
      <h2>Sessions</h2>
      <p className="bar">
        <button type="button" disabled={endAll.isPending} onClick={() => endAll.mutate()}>
          End all others
        </button>
      </p>
      {(end.isError || endAll.isError) && <p role="alert">{describeError(end.error ?? endAll.error).text}</p>}
      <Answer query={query} what="the sessions">
        {({ data }) => (
          <Table caption="Sessions" columns={columns} rows={data.sessions} keyOf={({ id }) => id} />
        )}
      </Answer>
    </section>
  );
}
