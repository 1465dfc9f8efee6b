/**
 * Validates parameters and bodies against the contract of a route, and converts texts to its types. Handlers see only validated values, and
 * filters, which have a separate grammar (`lists/`).
 */
import {
  type ErrorCode,
  errorMessage,
  type RouteContract,
  sameWord,
  valueFaults,
  type WordSchema,
  withWordsOf,
  wordsOf,
} from '@clew/api';
import { ApiError, apiError } from '@clew/common';
import type { TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { type KeySchema, respellingOf } from './keys.ts';

/** The parts of JSON Schema that the parameters of routes use. */
interface ParameterSchema {
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly const?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly anyOf?: readonly ParameterSchema[];
  readonly 'x-parsed-by'?: string;
}

export interface ContractReader {
  /** Texts, and numbers for integers in the contract. */
  readParams(params: Readonly<Record<string, string>>): Readonly<Record<string, string | number>>;
  readQuery(query: URLSearchParams): Readonly<Record<string, unknown>>;
  /** @param sent parsed JSON with keys in any case */
  checkBody(sent: unknown): unknown;
  /** @returns the error in an answer, for tests; `undefined` if it is valid */
  faultOfAnswer(status: number, json: unknown): string | undefined;
}

/** Keyed by schema. Compiling all of them at the start would delay it by a third of a second. */
const validators = new WeakMap<TSchema, Validator>();

/** @returns the validator of a schema, compiled on demand */
function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}

export function createContractReader(contract: RouteContract): ContractReader {
  const respell = respellingOf((contract.body ?? {}) as KeySchema);
  return {
    readParams: (params) => readParams(contract, params),
    readQuery: (query) => readQuery(contract, query),
    checkBody(sent) {
      const value = respell(sent);
      if (contract.body === undefined) return value;
      const body = validatorOf(contract.body);
      if (body.Check(value)) return value;
      // Enumeration values are case-insensitive; few clients use another case.
      const spelled = withWordsOf(contract.body as WordSchema, value);
      if (body.Check(spelled)) return spelled;
      throw apiError('invalidBody', { reason: firstFault(contract.body, spelled, 'it') });
    },
    faultOfAnswer(status, json) {
      const schema = contract.responses[status];
      if (schema === undefined) return `status ${status} is not in the contract`;
      if (schema === null) return json === undefined ? undefined : 'the contract has no body here';
      const validator = validatorOf(schema);
      return validator.Check(json) ? undefined : firstFault(schema, json, 'the answer');
    },
  };
}

/** @param whole name of the value in sentences */
function firstFault(schema: TSchema, value: unknown, whole: string): string {
  for (const fault of valueFaults(schema, value, whole)) return fault;
  return `${whole} does not match the API description`;
}

function schemasOf(object: TObject | undefined): [string, ParameterSchema][] {
  return Object.entries((object?.properties ?? {}) as Record<string, ParameterSchema>);
}

/** The route's own error for a parameter, or the general one. */
function parameterError(contract: RouteContract, general: ErrorCode, name: string, reason: string): ApiError {
  const code = contract.parameterErrors?.[name] ?? general;
  return new ApiError(code, errorMessage(code, { name, reason }));
}

function readParams(
  contract: RouteContract,
  params: Readonly<Record<string, string>>,
): Readonly<Record<string, string | number>> {
  const values: Record<string, string | number> = {};
  for (const [name, schema] of schemasOf(contract.params)) {
    const text = params[name];
    if (schema.type === 'integer') {
      if (!/^\d{1,19}$/.test(text)) throw parameterError(contract, 'malformedId', name, 'must be an integer');
      // A valid identifier, but too large for a record.
      if (Number(text) > (schema.maximum ?? Number.MAX_SAFE_INTEGER)) throw apiError('resourceNotFound');
    } else if (schema.format === 'uuid' && !UUID.test(text)) {
      throw parameterError(contract, 'malformedId', name, 'must be a UUID');
    } else if (CONTROL.test(text)) {
      throw parameterError(contract, 'malformedPathParameter', name, 'must not contain control characters');
    }
    values[name] = schema.type === 'integer' ? Number(text) : text;
  }
  return values;
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const CONTROL = /[\u0000-\u001f\u007f]/;

function readQuery(contract: RouteContract, query: URLSearchParams): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  const required = new Set<string>(contract.query?.required ?? []);
  for (const [name, schema] of schemasOf(contract.query)) {
    if (schema['x-parsed-by'] !== undefined) continue;
    const texts = query.getAll(name);
    // An empty value counts as missing, because forms send empty fields.
    if (texts.every((text) => text === '')) {
      if (required.has(name)) throw parameterError(contract, 'missingQueryParameter', name, 'is missing');
      if (schema.default !== undefined) values[name] = schema.default;
      continue;
    }
    try {
      values[name] = convert(schema, texts);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      if (texts.length > 1) throw apiError('malformedQueryParameter', { name, reason: error.message });
      throw parameterError(contract, 'malformedQueryParameter', name, error.message);
    }
  }
  return values;
}

class Malformed extends Error {}

/** @throws Malformed */
function convert(schema: ParameterSchema, texts: readonly string[]): unknown {
  if (schema.anyOf?.some(({ type }) => type === 'array')) return texts;
  if (texts.length > 1) throw new Malformed('given more than once');
  const [text] = texts;
  const words = wordsOf(schema);
  if (words !== undefined) {
    const word = sameWord(words, text);
    if (word === undefined) throw new Malformed(`must be one of ${words.join(', ')}`);
    return word;
  }
  if (schema.type === 'boolean') return toBoolean(text);
  if (schema.type === 'integer') return toInteger(text, schema);
  if (schema.type === 'number') return toNumber(text, schema);
  return text;
}

/** Also parses values in filter form: `eq:true`, `neq:False`. */
function toBoolean(text: string): boolean {
  const [, predicate, word] = /^(?:(eq|neq):)?(1|t|true|0|f|false)$/i.exec(text) ?? [];
  if (word === undefined) throw new Malformed('must be true or false');
  return /^(1|t|true)$/i.test(word) !== (predicate?.toLowerCase() === 'neq');
}

/** Maximum number of digits. */
const MAX_NUMBER_LENGTH = 40;

function toInteger(text: string, limits: ParameterSchema): number {
  const number = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new Malformed('must be an integer');
  return within(number, limits);
}

/** A decimal fraction such as `0.25`. */
function toNumber(text: string, limits: ParameterSchema): number {
  if (text.length > MAX_NUMBER_LENGTH || !/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text))
    throw new Malformed('must be a number');
  return within(Number(text), limits);
}

function within(number: number, { minimum, maximum }: ParameterSchema): number {
  if (minimum !== undefined && number < minimum) throw new Malformed(`must be at least ${minimum}`);
  if (maximum !== undefined && number > maximum) throw new Malformed(`must be at most ${maximum}`);
  return number;
}
