/** Answers invalid HTTP on the raw socket, with the error wrapper. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiError, apiError, errorWrapper } from '@clew/common';
import { requestIdHeaders, securityHeaders } from './headers.ts';

/** Time for the answer to arrive. */
const LINGER_MS = 1000;

/** Listener for `clientError` of a Node.js server. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasAnswerUnderWay(socket)) {
    socket.destroy();
    return;
  }
  const answer = errorOf(error);
  const requestId = randomUUID();
  const body = JSON.stringify(errorWrapper(answer, requestId));
  const headers = {
    ...securityHeaders(false),
    ...requestIdHeaders(requestId),
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // The other side may never close its half of the connection, so it is closed after a delay.
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}

function errorOf(error: NodeJS.ErrnoException): ApiError {
  if (error.code === 'HPE_HEADER_OVERFLOW') return apiError('headersTooLarge');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return apiError('incompleteBody');
  return apiError('malformedRequest', { reason: 'it is not valid HTTP' });
}

/** Node.js stores the current response of a socket; a second answer would corrupt it. */
function hasAnswerUnderWay(socket: Socket): boolean {
  const { _httpMessage: response } = socket as { _httpMessage?: { readonly headersSent: boolean } };
  return response?.headersSent ?? false;
}
