/**
 * The OpenAPI document of the served operations, generated from the routes. Version 3.1 has the JSON Schemas of TypeBox; version 3.0, which
 * more programs support, has them in its own dialect.
 */
import { type Edition, ErrorWrapper, errorStatuses, type RouteContract } from '@clew/api';
import type { TObject, TSchema } from 'typebox';
import type { Example } from './examples.ts';
import { NamedSchemas } from './schemaNames.ts';
import { asVersion30 } from './version30.ts';
import { withExamples } from './withExamples.ts';

type Json = Readonly<Record<string, unknown>>;

export interface DocumentOptions {
  readonly version: string;
  readonly edition: Edition;
  /** OpenAPI version; default: 3.0. */
  readonly openapi?: '3.0' | '3.1';
  /** A request and its answer, by operation id; none by default. */
  readonly examples?: Readonly<Record<string, Example>>;
}

const ERROR_NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'ContentTooLarge',
  406: 'NotAcceptable',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  501: 'NotImplemented',
  503: 'ServiceUnavailable',
  507: 'InsufficientStorage',
};

const PREFER = { $ref: '#/components/parameters/Prefer' };
const CREDENTIALS = [{ JWTBearerToken: [] }, { SignedRequest: [], RequestDate: [], HMACSignature: [] }];

export function openApiDocument(contracts: readonly RouteContract[], options: DocumentOptions): Json {
  const served = contracts.filter(
    ({ editions }) => editions === undefined || editions.includes(options.edition),
  );
  const names = new NamedSchemas();
  const paths = names.refer(pathsOf(served)) as Json;
  const { schemas, ...others } = COMPONENTS;
  names.refer(schemas.ErrorWrapper);
  const document = {
    info: {
      title: 'Clew API',
      version: 'v2',
      description: `Attack path management for Active Directory and Entra ID. Server version ${options.version}, ${options.edition} edition.`,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/' }],
    security: CREDENTIALS,
    tags: [...new Set(served.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { schemas: names.components, ...others },
  };
  const described =
    options.openapi === '3.1'
      ? { openapi: '3.1.0', ...document }
      : { openapi: '3.0.3', ...(asVersion30(document) as typeof document) };
  return { ...described, paths: withExamples(described.paths, served, options.examples ?? {}) };
}

function pathsOf(contracts: readonly RouteContract[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const contract of contracts) {
    for (const [index, path] of [contract.path, ...(contract.aliases ?? [])].entries()) {
      paths[path] ??= {};
      paths[path][contract.method.toLowerCase()] = operationOf(contract, index);
    }
  }
  return paths;
}

/** @param index 0 for the path itself; aliases get a number, because operation ids must be unique */
function operationOf(contract: RouteContract, index: number): Json {
  return {
    operationId: index === 0 ? contract.operationId : `${contract.operationId}_${index}`,
    tags: [contract.tag],
    summary: contract.summary,
    description: accessText(contract),
    ...(contract.deprecated ? { deprecated: true } : {}),
    ...(contract.access === 'none' ? { security: [] } : {}),
    parameters: [PREFER, ...parametersOf('path', contract.params), ...parametersOf('query', contract.query)],
    ...requestBodyOf(contract),
    responses: responsesOf(contract),
  };
}

function accessText({ access, editions }: RouteContract): string {
  const permission =
    access === 'none'
      ? 'No credentials needed.'
      : access === 'any'
        ? 'Any authenticated caller.'
        : `Needs the permission ${access.map((name) => `\`${name}\``).join(' or ')}.`;
  return editions === undefined ? permission : `${permission} ${editions.join(' and ')} edition only.`;
}

function parametersOf(place: 'path' | 'query', object: TObject | undefined): Json[] {
  const required = new Set<string>(object?.required ?? []);
  return Object.entries(object?.properties ?? {}).map(([name, schema]) => {
    const { description, 'x-parsed-by': _, ...rest } = plain(schema as TSchema);
    return {
      name,
      in: place,
      required: place === 'path' || required.has(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function requestBodyOf({ bodyKind = 'none', body, takesArchive }: RouteContract): Json {
  const schema = body === undefined ? {} : { schema: plain(body) };
  switch (bodyKind) {
    case 'none':
      return {};
    case 'json':
      return {
        requestBody: {
          required: true,
          content: { 'application/json': schema, ...(takesArchive && { 'application/zip': {} }) },
        },
      };
    case 'form':
      return {
        requestBody: { required: true, content: { 'multipart/form-data': {}, 'application/json': schema } },
      };
    case 'stream':
      return { requestBody: { required: true, content: { 'application/octet-stream': {} } } };
  }
}

function responsesOf(contract: RouteContract): Json {
  const { responses, otherMediaTypes = [] } = contract;
  const others = Object.fromEntries(otherMediaTypes.map((type) => [type, { schema: { type: 'string' } }]));
  const successes = Object.entries(responses).map(([status, schema]) => {
    const content = {
      ...(schema === null ? {} : { 'application/json': { schema: plain(schema) } }),
      ...others,
    };
    const isEmpty = Object.keys(content).length === 0;
    return [status, { description: describedAs(Number(status), isEmpty), ...(isEmpty ? {} : { content }) }];
  });
  const failures = errorStatuses(contract).map((status) => [
    status,
    { $ref: `#/components/responses/${ERROR_NAMES[status]}` },
  ]);
  // Errors of OAuth have the form of its standard.
  return Object.fromEntries([...failures, ...successes]);
}

function describedAs(status: number, isEmpty: boolean): string {
  if (status >= 400) return 'An error';
  return isEmpty ? 'Success, without a body' : 'Success';
}

/** @returns the schema without the internal members of TypeBox */
function plain(schema: TSchema): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema));
}

const COMPONENTS = {
  schemas: { ErrorWrapper: plain(ErrorWrapper) },
  parameters: {
    Prefer: {
      name: 'Prefer',
      in: 'header',
      required: false,
      description:
        'How long to wait for the answer, in seconds (RFC 7240). `wait=-1` lifts the limit if the service allows it. With `generation=N`, it waits within this time for the published graph with this number, which an upload job reports.',
      schema: { type: 'string', default: 'wait=30', pattern: '^wait=(-1|[0-9]+)(, *generation=[0-9]+)?$' },
    },
  },
  responses: Object.fromEntries(
    Object.values(ERROR_NAMES).map((name) => [
      name,
      {
        description: name.replace(/(?<=[a-z])(?=[A-Z])/g, ' '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorWrapper' } } },
      },
    ]),
  ),
  securitySchemes: {
    JWTBearerToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    SignedRequest: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: '`svcsignature TOKEN_ID` or `bhesignature TOKEN_ID`',
    },
    RequestDate: { type: 'apiKey', in: 'header', name: 'RequestDate', description: 'RFC 3339 date-time' },
    HMACSignature: {
      type: 'apiKey',
      in: 'header',
      name: 'Signature',
      description: 'Base64 of the chained HMAC-SHA-256 over method and target, date, and body',
    },
  },
};
