/** Reads the input of an operation from a request: parameters, query and body, validated by its contract. */
import type { RouteContract } from '@clew/api';
import { type AnyInput, apiError } from '@clew/common';
import type { Exchange } from './exchange.ts';
import { mediaType, parseForm, parseJson, parseQuery } from './parsing.ts';
import type { RequestBody } from './requestBody.ts';
import type { ContractReader } from './validation.ts';

/** Reads a body once. */
export type BodyReader = Pick<RequestBody, 'read' | 'stream' | 'settle' | 'proven'>;

/** @param params path parameters, decoded @throws ApiError 400 for input that does not fit the contract */
export async function readInput(
  contract: RouteContract,
  reader: ContractReader,
  exchange: Pick<Exchange, 'target' | 'headers'>,
  params: Readonly<Record<string, string>>,
  body: BodyReader,
): Promise<AnyInput> {
  const rawQuery = withoutEmpty(contract, parseQuery(exchange.target));
  const input = { params: reader.readParams(params), query: reader.readQuery(rawQuery), rawQuery };
  const contentType = exchange.headers['content-type'];
  switch (contract.bodyKind ?? 'none') {
    case 'none':
      await body.settle();
      return { ...input, body: undefined };
    case 'stream': {
      const stream = body.stream();
      await body.proven();
      return { ...input, body: undefined, stream };
    }
    case 'json':
      if (contract.takesArchive === true && isArchive(contentType)) {
        const archive = await body.read();
        if (archive.length === 0) throw apiError('emptyBody');
        return { ...input, body: undefined, archive };
      }
      return { ...input, body: reader.checkBody(await readJson(body, contentType)) };
    case 'form': {
      const isJson = mediaType(contentType) === 'application/json';
      const value = isJson
        ? reader.checkBody(await readJson(body, contentType))
        : await parseForm(await body.read(), contentType ?? '');
      return { ...input, body: value };
    }
  }
}

const isArchive = (contentType: string | undefined): boolean =>
  ['application/zip', 'application/x-zip-compressed'].includes(mediaType(contentType));

/** Ignores optional parameters with an empty value, except for operations that refuse them. */
function withoutEmpty({ query, needsFilterValues }: RouteContract, sent: URLSearchParams): URLSearchParams {
  if (needsFilterValues === true) return sent;
  const required = (query?.required ?? []) as readonly string[];
  const isOptional = (name: string) =>
    Object.hasOwn(query?.properties ?? {}, name) && !required.includes(name);
  return new URLSearchParams([...sent].filter(([name, text]) => text !== '' || !isOptional(name)));
}

async function readJson(body: BodyReader, contentType: string | undefined): Promise<unknown> {
  const bytes = await body.read();
  if (bytes.length === 0) throw apiError('emptyBody');
  if (!contentType?.toLowerCase().includes('application/json')) throw apiError('contentTypeNotJson');
  return parseJson(bytes);
}
