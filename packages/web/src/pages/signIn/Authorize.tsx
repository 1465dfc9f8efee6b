/** Authorizes an assistant to read for the user: the page names the assistant and the redirect address, and the user decides. */
import type { AnswerOf, BodyOf } from '@clew/api';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { Name } from '../../parts/Name.tsx';
import { ViewAsBar } from '../../parts/ViewAsBar.tsx';
import { call } from '../../service/client.ts';
import { describeError } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';

type Request = BodyOf<'DecideAuthorization'>;
type Asked = AnswerOf<'DecideAuthorization'>['data'];

/** Parameters that the page passes on; the service validates them. */
const NAMES = [
  ...[
    'response_type',
    'client_id',
    'redirect_uri',
    'code_challenge',
    'code_challenge_method',
    'state',
    'resource',
  ],
] as const;

function requestOf(search: string): Request {
  const parameters = new URLSearchParams(search);
  const given = NAMES.flatMap((name) => {
    const value = parameters.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { client_id: '', redirect_uri: '', ...Object.fromEntries(given) };
}

export function Authorize() {
  // Links within the page do not change the request.
  const [request] = useState(() => requestOf(location.search));
  const [asked, setAsked] = useState<Asked>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const self = useSelf();
  useEffect(() => {
    document.title = 'An assistant asks – Clew';
    call('DecideAuthorization', { body: request })
      .then(({ data }) => setAsked(data))
      .catch((error) => setFailure(describeError(error).text));
  }, [request]);

  const decide = async (approved: boolean) => {
    setBusy(true);
    try {
      const { data } = await call('DecideAuthorization', { body: { ...request, approved } });
      if (data.redirect_to !== null) location.replace(data.redirect_to);
    } catch (error) {
      setFailure(describeError(error).text);
      setBusy(false);
    }
  };

  return (
    <main className="sign-in">
      <ViewAsBar />
      <h1>An assistant requests read access as you</h1>
      {failure !== undefined && (
        <p className="failure" role="alert">
          {failure}
        </p>
      )}
      {asked !== undefined && (
        <>
          <p>
            It calls itself{' '}
            <strong>
              <Name text={asked.client_name} />
            </strong>
            . This name is not verified.
          </p>
          <p>
            Your browser then goes to{' '}
            <strong>
              <Name text={new URL(asked.redirect_uri).host} />
            </strong>
            :
          </p>
          <p className="quiet">
            <Name text={asked.redirect_uri} />
          </p>
          <p>
            It can read findings, paths, plans and objects with your rights
            {self !== undefined && (
              <>
                {' '}
                as <Name text={self.user.principal_name} />
              </>
            )}
            , and cannot change anything. Your profile lists its access and can end it. It also ends after 90
            days.
          </p>
          <p>Allow this only if you have just started this sign-in yourself.</p>
          <button type="button" className="main" disabled={busy} onClick={() => void decide(true)}>
            Allow
          </button>
          <button type="button" disabled={busy} onClick={() => void decide(false)}>
            Refuse
          </button>
        </>
      )}
      {failure !== undefined && <Link href="/fix">Go to Clew</Link>}
    </main>
  );
}
