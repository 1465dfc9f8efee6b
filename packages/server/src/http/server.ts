/**
 * The HTTP server: Fastify routes requests and manages connections. Bodies of any media type reach the handler unread, because signatures
 * cover the raw bytes; the rest is custom code.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RouteContract, routes } from '@clew/api';
import { isTrustedProxy } from '@clew/common';
import fastify, { type FastifyInstance, type RouteHandlerMethod } from 'fastify';
import { answerClientError } from './clientError.ts';
import { boundConnections } from './connections.ts';
import { ADDRESS_SHARE } from './connectionTable.ts';
import type { HttpOptions } from './httpOptions.ts';
import type { Operation } from './pipeline.ts';
import { stripOrigin, withoutJoints, withoutPathOfIssuer } from './rawTarget.ts';
import { createResponder, malformedTarget, type RouteConfig } from './responder.ts';
import { checkHandlers, routerPaths } from './routing.ts';
import { createContractReader } from './validation.ts';

export interface HttpServer {
  /** @returns the address, `http://host:port` */
  listen(host: string, port: number): Promise<string>;
  /** Makes each later answer the last one of its connection, so that clients use another server. */
  announceEnd(): void;
  /** Accepts no new connections, lets running requests finish, then aborts the others. */
  close(graceMilliseconds: number): Promise<void>;
}

/** Maximum size of a request header, enough for object ids and signatures. */
const MAX_HEAD_BYTES = 64 * 1024;
const HEAD_TIMEOUT_MS = 15_000;
/** Interval at which connections are checked for timeouts. */
const CHECK_MS = 2000;

/** @throws Error if routes and handlers do not match */
export async function createHttpServer(options: HttpOptions): Promise<HttpServer> {
  const contracts = options.contracts ?? routes;
  checkHandlers(contracts, options.handlers);
  const issuerPath = new URL(options.publicUrl ?? 'http://localhost').pathname.replace(/\/$/, '');
  const app = fastify({
    logger: false,
    // Signatures cover the original path.
    rewriteUrl: (request) => withoutPathOfIssuer(withoutJoints(stripOrigin(request.url ?? '/')), issuerPath),
    routerOptions: { maxParamLength: MAX_HEAD_BYTES },
    // Uploads may take hours; their bodies have a separate idle limit.
    requestTimeout: 0,
    http: {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: HEAD_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_MS,
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, request, reply) => void respond(request, reply, malformedTarget),
  });
  const { trustedProxies, limits } = options;
  const connections = boundConnections(app.server, {
    total: limits.connections,
    address: Math.ceil(limits.connections * ADDRESS_SHARE),
    isProxy: (address) => isTrustedProxy(address, trustedProxies),
  });
  const respond = createResponder(options, contracts, connections);
  let isEnding = false;
  const handler: RouteHandlerMethod = async (request, reply) => {
    if (isEnding) reply.raw.shouldKeepAlive = false;
    await respond(request, reply);
    return reply;
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.setNotFoundHandler(handler);
  // The only error before the handler: an invalid Content-Type. Each operation checks it itself.
  app.setErrorHandler<Error>((_error, request, reply) => respond(request, reply).then(() => reply));
  for (const contract of contracts) addRoute(app, contract, options, handler);
  answerExpectations(app);
  await app.ready();
  return {
    listen: (host, port) => app.listen({ host, port }),
    announceEnd: () => {
      isEnding = true;
    },
    close: (grace) => close(app, grace),
  };
}

function addRoute(
  app: FastifyInstance,
  contract: RouteContract,
  options: HttpOptions,
  handler: RouteHandlerMethod,
): void {
  const operation: Operation = {
    contract,
    reader: createContractReader(contract),
    handler: options.handlers[contract.operationId],
  };
  for (const url of routerPaths(contract)) {
    app.route({
      method: contract.method,
      url,
      config: { operation } satisfies RouteConfig,
      handler,
    });
  }
}

/** `Expect: 100-continue` is confirmed when the body is about to be read; other expectations are ignored. */
function answerExpectations(app: FastifyInstance): void {
  const proceed = (request: IncomingMessage, response: ServerResponse) =>
    app.server.emit('request', request, response);
  app.server.on('checkContinue', proceed);
  app.server.on('checkExpectation', proceed);
}

async function close(app: FastifyInstance, grace: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), grace);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}
