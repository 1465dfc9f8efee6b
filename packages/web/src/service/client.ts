/** The one client of the interface: the SDK that scripts use, too. */

import type { AnswerOf, OperationId } from '@clew/api';
import { ApiError, type CallArguments, type CallOptions, ClewClient } from '@clew/client';
import { browserFetch } from './browserFetch.ts';
import { endSession, sessionToken, subscribe } from './session.ts';

let client = connect();
subscribe(() => {
  client = connect();
});

function connect(): ClewClient {
  const session = sessionToken();
  return new ClewClient({
    url: document.baseURI,
    credentials: session === undefined ? undefined : { session },
    fetch: browserFetch,
    retry: { retries: 2 },
    timeout: 120_000,
  });
}

export const currentClient = (): ClewClient => client;

/** As `ClewClient.call`; a session that has ended ends here, too, and the page to sign in comes back to this place. */
export async function call<Id extends OperationId>(
  operationId: Id,
  ...rest: CallArguments<Id>
): Promise<AnswerOf<Id>> {
  const used = client;
  try {
    return await used.call(operationId, ...rest);
  } catch (error) {
    noteEnd(error, used);
    throw error;
  }
}

export function noteEnd(error: unknown, used: ClewClient = client): void {
  if (error instanceof ApiError && error.status === 401 && used === client) endSession('expired');
}

/** A file that the service makes, as the person saves it. */
export async function download(target: string, accept: string, options: CallOptions = {}): Promise<Blob> {
  const used = client;
  try {
    return await used.transport.send(
      { ...options, method: 'GET', target, headers: { accept }, timeout: Number.POSITIVE_INFINITY },
      (response) => response.blob(),
    );
  } catch (error) {
    noteEnd(error, used);
    throw error;
  }
}

/** A file as the body of a request. */
export async function sendFile(target: string, file: File, mediaType: string): Promise<void> {
  const used = client;
  const body = {
    size: file.size,
    blob: file,
    async *chunks() {
      yield new Uint8Array(await file.arrayBuffer());
    },
  };
  try {
    await used.transport.send(
      { method: 'POST', target, headers: { 'content-type': mediaType }, body },
      async (response) => void (await response.arrayBuffer()),
    );
  } catch (error) {
    noteEnd(error, used);
    throw error;
  }
}
