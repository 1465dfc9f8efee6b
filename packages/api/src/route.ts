/**
 * A route contract: everything the outside may know about one operation. The service registers one handler for
 * each `operationId`; validation, permission checks, limits and the OpenAPI document follow from the contract.
 */
import type { TObject, TSchema } from 'typebox';
import type { ColumnTable } from './columns.ts';
import type { ErrorCode } from './errors.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Edition = 'enterprise' | 'community';

/** `none`: anonymous is welcome; `any`: authenticated, no permission; else `authority/Name`, one of which suffices. */
export type Access = 'none' | 'any' | readonly string[];

/**
 * Which limiter counts the request. `wide`: ten times the limit, for requests that clients repeat often and that are bounded in
 * other ways (uploads: a collector that gets 429 gives up); `static`: a hundred times, for texts that cost next to nothing;
 * `login`: one of its own; `exempt`: none.
 */
export type RateClass = 'standard' | 'wide' | 'static' | 'login' | 'exempt';

/** Limit of queries, and of bodies that list objects or kinds: as much as the public service takes. */
export const LIST_BODY_BYTES = 10 * 1024 * 1024;

/** How the body arrives: parsed and validated JSON, the raw stream (uploads), a form, or nothing. */
export type BodyKind = 'none' | 'json' | 'stream' | 'form';

export interface RouteContract {
  readonly method: HttpMethod;
  /** Path with `{name}` parameters, from `/`. */
  readonly path: string;
  /** Further paths that answer the same (`/api/v2/azure/...` and `/api/v2/cloud/...`). */
  readonly aliases?: readonly string[];
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  /** Editions that serve the route; both when absent. */
  readonly editions?: readonly Edition[];
  readonly rateClass?: RateClass;
  readonly params?: TObject;
  readonly query?: TObject;
  /**
   * Errors of parameters that do not answer the general ones (`missingQueryParameter`, `malformedQueryParameter`;
   * `malformedId` for path parameters), by parameter name.
   */
  readonly parameterErrors?: Readonly<Record<string, ErrorCode>>;
  /** Columns of the list behind this route; its query has `listParameters` of the same table. */
  readonly columns?: ColumnTable;
  /**
   * A filter without a value is refused, which lists ignore. For requests that change all that match their filters, and those that count
   * these: without the filter they would meet more.
   */
  readonly needsFilterValues?: true;
  readonly bodyKind?: BodyKind;
  readonly body?: TSchema;
  /** A zip archive, whose media type says so, may come in the place of the JSON. */
  readonly takesArchive?: true;
  /** Bytes of a JSON body or a form; 64 KiB when absent, and `LIST_BODY_BYTES` where it has a list. Bodies are parsed in one go: 1 MiB takes some 10 ms. */
  readonly maxBodyBytes?: number;
  /** Answers by status: the schema of the JSON body, or `null` for none. */
  readonly responses: Readonly<Record<number, TSchema | null>>;
  /** Error statuses in addition to those that follow from the rest of the contract (`errorStatuses`). */
  readonly errors?: readonly number[];
  /** Answers that are not JSON, by media type (`text/csv`, `text/markdown`, ...). */
  readonly otherMediaTypes?: readonly string[];
  readonly deprecated?: boolean;
}

/**
 * Statuses of the errors an operation may answer, ascending: 400 (a bad `Prefer` header, if nothing else) and 500
 * always, 401 and 403 by its access, 404 in the other edition, 429 where a limiter counts it, and those of its row.
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

/** @returns bytes of a JSON body or a form that the operation takes */
export function bodyBytesOf({ maxBodyBytes, body }: RouteContract): number {
  return maxBodyBytes ?? (body !== undefined && hasList(body as Shape) ? LIST_BODY_BYTES : FEW_BODY_BYTES);
}
