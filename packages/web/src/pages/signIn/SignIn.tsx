/** The sign-in page: password, second factor, a new password if it has expired, or a provider. */
import type { AnswerOf } from '@clew/api';
import { ApiError, ClewClient } from '@clew/client';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Name } from '../../parts/Name.tsx';
import { describeError, useAnswer } from '../../service/queries.ts';
import { beginSession, endedBy, takeTokenOfProvider } from '../../service/session.ts';
import { SignInPicture } from './SignInPicture.tsx';

/** Input required in addition to name and password. */
interface Asked {
  readonly code: boolean;
  readonly newPassword: boolean;
}

export function SignIn() {
  const [asked, setAsked] = useState<Asked>({ code: false, newPassword: false });
  const [failure, setFailure] = useState<string | undefined>(failureOfProvider);
  const [busy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const secret = useRef<HTMLInputElement>(null);
  const providers = useAnswer('ListAuthProviders');
  useEffect(() => {
    document.title = 'Sign in – Clew';
    const token = takeTokenOfProvider();
    if (token === undefined) first.current?.focus();
    else {
      beginSession(token);
      const back = takePlace();
      history.replaceState(null, '', back ?? `${new URL(document.baseURI).pathname}ui/fix`);
      dispatchEvent(new PopStateEvent('popstate'));
    }
  }, []);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const [name, password, otp, next, again] = ['name', 'password', 'code', 'next', 'again'].map((field) =>
      String(fields.get(field) ?? ''),
    );
    if (asked.newPassword && next !== again) return setFailure('The two new passwords do not match.');
    setBusy(true);
    setFailure(undefined);
    try {
      const client = new ClewClient({ url: document.baseURI, retry: { retries: 1 } });
      const answer = await client.login(name.trim(), password, {
        ...(otp.trim() !== '' && { otp: otp.trim() }),
        ...(asked.newPassword && { newSecret: next }),
      });
      if (answer.auth_expired) setAsked({ ...asked, newPassword: true });
      else beginSession(answer.session_token);
    } catch (error) {
      if (error instanceof ApiError && error.message === 'one time password is invalid') {
        if (asked.code && otp !== '')
          setFailure('The code is not valid, or was already used. Wait for the next one.');
        setAsked({ ...asked, code: true });
      } else if (error instanceof ApiError && error.status === 401) {
        setFailure('The name or the password is not correct.');
        // The button that was clicked was disabled meanwhile, so the browser took its focus away.
        secret.current?.focus();
      } else setFailure(describeError(error).text);
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="with-picture">
      <main className="sign-in">
        <h1>
          <img src="./icon.svg" alt="" width="40" height="40" /> Clew
        </h1>
        <p>Attack paths in Active Directory and Entra ID, and how to close them.</p>
        {endedBy() === 'expired' && (
          <p role="status">Your session has ended. Sign in to continue where you were.</p>
        )}
        {endedBy() === 'signedOut' && <p role="status">You are signed out.</p>}
        <form onSubmit={(event) => void submit(event)} aria-busy={busy}>
          <label>
            Name or e-mail address
            <input ref={first} name="name" autoComplete="username" required maxLength={500} />
          </label>
          <label>
            Password
            <input
              ref={secret}
              name="password"
              type="password"
              autoComplete="current-password"
              required
              maxLength={1024}
            />
          </label>
          <MoreFields asked={asked} />
          {failure !== undefined && (
            <p className="failure" role="alert">
              {failure}
            </p>
          )}
          <button type="submit" className="main" disabled={busy}>
            {busy ? 'Signing in…' : asked.newPassword ? 'Set the password and sign in' : 'Sign in'}
          </button>
        </form>
        <Providers providers={providers.data?.data ?? []} />
        {providers.data?.first_start === true && (
          <p className="quiet">
            First start? The initial password is printed in the terminal where you started Clew.
          </p>
        )}
      </main>
      <SignInPicture />
    </div>
  );
}

/** Fields for further input that the service requires; the first field has the focus. */
function MoreFields({ asked }: { readonly asked: Asked }) {
  const code = useRef<HTMLInputElement>(null);
  const another = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (asked.newPassword) another.current?.focus();
    else if (asked.code) code.current?.focus();
  }, [asked]);
  return (
    <>
      {asked.newPassword && (
        <>
          <p role="status">The password has expired: choose a new one. A long passphrase is best.</p>
          <label>
            New password
            <input
              ref={another}
              name="next"
              type="password"
              autoComplete="new-password"
              required
              maxLength={1024}
            />
          </label>
          <label>
            Repeat new password
            <input name="again" type="password" autoComplete="new-password" required maxLength={1024} />
          </label>
        </>
      )}
      {asked.code && (
        <label>
          {asked.newPassword
            ? 'The next code of your authenticator'
            : 'Code of your authenticator, or a recovery code'}
          <input
            ref={code}
            name="code"
            autoComplete="one-time-code"
            inputMode="text"
            spellCheck={false}
            required
            maxLength={100}
          />
        </label>
      )}
    </>
  );
}

function Providers({ providers }: { readonly providers: AnswerOf<'ListAuthProviders'>['data'] }) {
  if (providers.length === 0) return null;
  return (
    <section aria-label="Single sign-on">
      <p className="quiet">or through</p>
      {providers.map(({ id, name, slug }) => (
        <a
          key={id}
          className="button"
          href={`./api/v2/sso/${encodeURIComponent(slug)}/login`}
          onClick={keepPlace}
        >
          <Name text={name} />
        </a>
      ))}
    </section>
  );
}

const PLACE = 'clew.place';

/** The provider redirects to a fixed address, so the page to return to is stored in the meantime. */
function keepPlace(): void {
  if (!location.pathname.endsWith('/ui/sso'))
    sessionStorage.setItem(PLACE, location.pathname + location.search + location.hash);
}

function takePlace(): string | undefined {
  const place = sessionStorage.getItem(PLACE) ?? undefined;
  sessionStorage.removeItem(PLACE);
  return place?.startsWith('/') && !place.startsWith('//') ? place : undefined;
}

function failureOfProvider(): string | undefined {
  return location.pathname.endsWith('/ui/sso')
    ? (new URLSearchParams(location.search).get('error') ?? undefined)
    : undefined;
}
