/** Adds examples to the operations of an OpenAPI document: of parameters, body and answer. */
import type { RouteContract } from '@clew/api';
import type { Example } from './examples.ts';

type Json = Readonly<Record<string, unknown>>;

/** @param paths of the document, by path and method; not changed */
export function withExamples(
  paths: Json,
  contracts: readonly RouteContract[],
  examples: Readonly<Record<string, Example>>,
): Json {
  const filled = { ...paths } as Record<string, Json>;
  for (const { operationId, method, path } of contracts) {
    const example = examples[operationId];
    if (example === undefined) continue;
    const methods = filled[path];
    const name = method.toLowerCase();
    filled[path] = { ...methods, [name]: operationWith(methods[name] as Operation, example) };
  }
  return filled;
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
}

interface Operation {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Content {
  readonly content?: Readonly<Record<string, Json>>;
}

function operationWith(operation: Operation, { params, query, body, status, answer }: Example): Json {
  const given = { path: params ?? {}, query: query ?? {} };
  const parameters = operation.parameters.map((parameter) => {
    const { name = '', in: place } = parameter;
    const value = place === 'path' || place === 'query' ? given[place][name] : undefined;
    return value === undefined ? parameter : { ...parameter, example: value };
  });
  const { requestBody } = operation;
  return {
    ...operation,
    parameters,
    ...(requestBody === undefined || body === undefined
      ? {}
      : { requestBody: contentWith(requestBody, body) }),
    responses: {
      ...operation.responses,
      [status]:
        answer === undefined ? operation.responses[status] : contentWith(operation.responses[status], answer),
    },
  };
}

function contentWith(part: Content, example: unknown): Content {
  const { content = {} } = part;
  const json = content['application/json'];
  if (json === undefined) return part;
  return { ...part, content: { ...content, 'application/json': { ...json, example } } };
}
