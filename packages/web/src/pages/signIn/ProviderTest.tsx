/** The last page of a test sign-in through a provider; the session of this browser stays unchanged. */
import { ClewClient } from '@clew/client';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { describeError } from '../../service/queries.ts';
import { takeTokenOfProvider } from '../../service/session.ts';
import { cleanText } from '../../text/cleanText.ts';

export function ProviderTest() {
  const [parameters] = useSearchParams();
  const [outcome, setOutcome] = useState<string>();
  const error = parameters.get('error');
  useEffect(() => {
    const token = takeTokenOfProvider();
    if (token === undefined) return;
    const client = new ClewClient({ url: document.baseURI, credentials: { session: token } });
    const look = async () => {
      const { data } = await client.call('GetSelf');
      // The session was created only for the test.
      await client.call('Logout');
      setOutcome(
        `The provider signs in ${cleanText('principal_name' in data ? data.principal_name : data.name)}.`,
      );
    };
    look().catch((fault) => setOutcome(`The provider answered, but: ${describeError(fault).text}`));
  }, []);
  return (
    <div className="page">
      <h1>Test of single sign-on</h1>
      {error !== null ? (
        <p className="failure" role="alert">
          {cleanText(error)}
        </p>
      ) : (
        <p role="status">{outcome ?? 'No sign-in was completed here.'}</p>
      )}
      <Link href="/admin?view=sso">Providers</Link>
    </div>
  );
}
