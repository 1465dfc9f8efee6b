/** The client of the interface: the SDK that scripts also use. */

import { type AnswerOf, errorCatalog, type OperationId } from '@clew/api';
import { ApiError, type CallArguments, ClewClient } from '@clew/client';
import { visibleText } from '../text/cleanText.ts';
import { isMasked, learnNames } from '../text/masking.ts';
import { browserFetch } from './browserFetch.ts';
import { endSession, sessionToken, subscribe } from './session.ts';
import { leaveViewAs, viewedAs } from './viewAs.ts';

let client = connect();
subscribe(() => {
  client = connect();
});

/** @param viewAs empty for none */
function connect(viewAs = viewedAs()?.id ?? ''): ClewClient {
  const session = sessionToken();
  return new ClewClient({
    url: document.baseURI,
    credentials: session === undefined ? undefined : { session },
    ...(viewAs !== '' && { viewAs }),
    fetch: browserFetch,
    retry: { retries: 2 },
    timeout: 120_000,
  });
}

/** Works like `ClewClient.call`; if the session has ended, it also ends here, and the sign-in page returns to this page. */
export const call = <Id extends OperationId>(
  operationId: Id,
  ...rest: CallArguments<Id>
): Promise<AnswerOf<Id>> => withClient((used) => used.call(operationId, ...rest));

/** Asks as the signed-in user, also in a view as another one. */
export const callAsSelf: typeof call = (operationId, ...rest) => connect('').call(operationId, ...rest);

/** Runs work that needs more of the client than operation calls. If the session has ended, it also ends here. */
export async function withClient<T>(work: (used: ClewClient) => Promise<T>): Promise<T> {
  const used = client;
  try {
    const answer = await work(used);
    if (isMasked()) learnNames(answer, visibleText);
    return answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && used === client) endSession('expired');
    if (viewedAs() !== undefined && isEndOfView(error)) leaveViewAs();
    throw error;
  }
}

const isEndOfView = (error: unknown): boolean =>
  error instanceof ApiError &&
  [errorCatalog.viewAsEnded, errorCatalog.viewAsWider].some(({ message }) =>
    error.messages.includes(message),
  );

/** Downloads a file that the service creates. */
export async function download(target: string, accept: string): Promise<Blob> {
  if (isMasked()) throw new Error('Names are masked. Show names to export files that the service creates.');
  return withClient(({ transport }) =>
    transport.send(
      { method: 'GET', target, headers: { accept }, timeout: Number.POSITIVE_INFINITY },
      (answer) => answer.blob(),
    ),
  );
}

/** Sends a file as the body of a request. */
export async function sendFile(target: string, file: File, mediaType: string): Promise<void> {
  const body = {
    size: file.size,
    blob: file,
    async *chunks() {
      yield new Uint8Array(await file.arrayBuffer());
    },
  };
  const headers = { 'content-type': mediaType };
  await withClient(({ transport }) =>
    transport.send({ method: 'POST', target, headers, body }, (answer) => answer.bytes()),
  );
}
