/**
 * A route contract: all public facts about one operation. The service registers one handler for each `operationId`; validation, permission
 * checks, limits and the OpenAPI document follow from the contract.
 */
import type { TObject, TSchema } from 'typebox';
import type { ColumnTable } from './columns.ts';
import type { ErrorCode } from './errors.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Edition = 'enterprise' | 'community';

/** `none`: anonymous requests are allowed; `any`: authenticated, without a permission; else `authority/Name`, one of which suffices. */
export type Access = 'none' | 'any' | readonly string[];

/**
 * The limiter that counts the request. `wide`: ten times the limit, for requests that clients repeat often and that are limited in other
 * ways (uploads: a collector that receives 429 gives up); `static`: a hundred times the limit, for cheap texts; `login`: a separate
 * limiter; `exempt`: none.
 */
export type RateClass = 'standard' | 'wide' | 'static' | 'login' | 'exempt';

/** Maximum size of queries, and of bodies that list objects or kinds: the same as in the public service. */
export const LIST_BODY_BYTES = 10 * 1024 * 1024;

/** The form of the body: parsed and validated JSON, the raw stream (uploads), a form, or none. */
export type BodyKind = 'none' | 'json' | 'stream' | 'form';

export interface RouteContract {
  readonly method: HttpMethod;
  /** Path with `{name}` parameters, starting with `/`. */
  readonly path: string;
  /** Further paths with the same answers (`/api/v2/azure/...` and `/api/v2/cloud/...`). */
  readonly aliases?: readonly string[];
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  /**
   * Whether the operation stores nothing, if the method does not say so: a POST with a question, a GET that begins a sign-in. Administrators may
   * send it as another user, and it is answered while a newer version changes the tables.
   */
  readonly reads?: boolean;
  /** Editions that serve the route; both if absent. */
  readonly editions?: readonly Edition[];
  readonly rateClass?: RateClass;
  readonly params?: TObject;
  readonly query?: TObject;
  /**
   * Errors of parameters that replace the general ones (`missingQueryParameter`, `malformedQueryParameter`; `malformedId` for path
   * parameters), by parameter name.
   */
  readonly parameterErrors?: Readonly<Record<string, ErrorCode>>;
  /** Columns of the list behind this route; its query has `listParameters` of the same table. */
  readonly columns?: ColumnTable;
  /**
   * Rejects a filter without a value, which lists ignore. For requests that change everything that matches their filters, and those that
   * count the matches: without the filter, they would affect more.
   */
  readonly needsFilterValues?: true;
  readonly bodyKind?: BodyKind;
  readonly body?: TSchema;
  /** A zip archive, identified by its media type, may replace the JSON. */
  readonly takesArchive?: true;
  /**
   * Maximum bytes of a JSON body or a form; if absent, 64 KiB, or `LIST_BODY_BYTES` for a body with a list. Bodies are parsed in one go: 1
   * MiB takes about 10 ms.
   */
  readonly maxBodyBytes?: number;
  /** Answers by status: the schema of the JSON body, or `null` for none. */
  readonly responses: Readonly<Record<number, TSchema | null>>;
  /** Error statuses in addition to those that follow from the rest of the contract (`errorStatuses`). */
  readonly errors?: readonly number[];
  /** Answers that are not JSON, by media type (`text/csv`, `text/markdown`, ...). */
  readonly otherMediaTypes?: readonly string[];
  readonly deprecated?: boolean;
}

/** @returns whether the operation stores nothing */
export const isReading = ({ method, reads }: Pick<RouteContract, 'method' | 'reads'>): boolean =>
  reads ?? method === 'GET';

/**
 * Error statuses of an operation, ascending: 400 (at least for a bad `Prefer` header) and 500 always, 401 and 403 by its access, 404 in the
 * other edition, 429 if a limiter counts it, and those of its row.
 */
export function errorStatuses(contract: RouteContract): readonly number[] {
  const { access, rateClass = 'standard', editions, errors = [] } = contract;
  const statuses = [
    400,
    ...(access === 'none' ? [] : [401]),
    ...(typeof access === 'string' ? [] : [403]),
    ...(editions === undefined ? [] : [404]),
    ...(rateClass === 'exempt' ? [] : [429]),
    500,
    ...errors,
  ];
  return [...new Set(statuses)].sort((a, b) => a - b);
}

const FEW_BODY_BYTES = 64 * 1024;

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly anyOf?: readonly Shape[];
}

const hasList = ({ type, properties = {}, anyOf = [] }: Shape, depth = 0): boolean =>
  type === 'array' ||
  (depth < 4 && [...Object.values(properties), ...anyOf].some((part) => hasList(part, depth + 1)));

/** @returns the maximum bytes of a JSON body or a form of the operation */
export function bodyBytesOf({ maxBodyBytes, body }: RouteContract): number {
  return maxBodyBytes ?? (body !== undefined && hasList(body as Shape) ? LIST_BODY_BYTES : FEW_BODY_BYTES);
}
