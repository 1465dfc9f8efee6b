/** A tool: schemas of its arguments and answer, and errors that name the wrong argument and the next step. */
import { type WordSchema, withWordsOf } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { schemaFaults } from '@clew/connector';
import { counted, readTime, TIME_FORMS } from '@clew/model';
import Type, { type Static, type TObject } from 'typebox';

export type Answer = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: TObject;
  readonly outputSchema: TObject;
  /** Made for playbooks of security platforms: offered only on request. */
  readonly isAction: boolean;
  /**
   * @param size maximum number of characters of a list with pages
   * @returns the answer, which is sent as JSON
   * @throws ToolError for invalid input, and errors of the client
   */
  run(client: ClewClient, input: unknown, signal: AbortSignal, size?: number): Promise<Answer>;
}

/** Its message is for the model. */
export class ToolError extends Error {
  override readonly name: string = 'ToolError';
}

/** Exactly one thing should have the given id or name, and none has it, or several have it. */
export class MissingError extends ToolError {
  override readonly name = 'MissingError';
}

type Run<Schema extends TObject> = (
  client: ClewClient,
  input: Static<Schema>,
  signal: AbortSignal,
  size?: number,
) => Promise<Answer>;

export function tool<Schema extends TObject>(definition: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isAction?: boolean;
  readonly input: Schema;
  /** Fields of the answer. */
  readonly output: Parameters<typeof Type.Object>[0];
  readonly run: Run<Schema>;
}): Tool {
  const { input, output, run, isAction = false, ...rest } = definition;
  return {
    ...rest,
    isAction,
    inputSchema: input,
    outputSchema: Type.Object({
      ...output,
      truncated: Type.Optional(
        Type.Boolean({ description: 'Lists or texts are cut: request less data, or page with `next`' }),
      ),
    }),
    async run(client, value, signal, size) {
      // Enumeration values are case-insensitive.
      const given = withWordsOf(input as WordSchema, value ?? {});
      const faults = schemaFaults(input, given);
      if (faults.length === 0) return run(client, given as Static<Schema>, signal, size);
      const known = Object.keys(input.properties).join(', ');
      throw new ToolError(
        `${sentence(faults.join('; '))} ${known === '' ? `${rest.name} takes no arguments` : `Arguments of ${rest.name}: ${known}`}.`,
      );
    },
  };
}

export const object = <Fields extends Parameters<typeof Type.Object>[0]>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

export const limit = (most: number, byDefault: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: most, description: `Maximum number; ${byDefault} by default` }),
  );

/** A limit that may be 0, to get the frame of an answer without rows. */
export const limitOrNone = (most: number, byDefault: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: most,
      description: `Maximum number of rows; ${byDefault} by default, 0 for only the overview`,
    }),
  );

/** The parts that an overview omits. */
export const LeftOut = Type.Optional(
  Type.Array(Type.String(), { description: 'Parts omitted from this answer, and how to get them' }),
);

/** Position of the next part of a list. */
export const next = Type.Optional(
  Type.Integer({ minimum: 0, description: '`next` of the previous answer, for the following rows' }),
);

/** A time in the format of the command line; `readSince` parses it. */
export const since = (further = '') =>
  Type.String({ minLength: 1, maxLength: 500, description: `A time: ${TIME_FORMS}${further}` });

/** @param argument name of the argument, for errors @returns RFC 3339 @throws ToolError */
export function readSince(argument: string, given: string): string {
  const time = readTime(given, new Date());
  if (time === undefined) throw new ToolError(`${argument}: "${given}" is not a time. Write ${TIME_FORMS}.`);
  return time;
}

const sentence = (said: string): string => (/[.?!]$/.test(said) ? said : `${said}.`);

export const text = (description: string) =>
  Type.String({ maxLength: 500, pattern: '\\S', 'x-form': 'a text that is not blank', description });

/** @throws ToolError if the list has no rows after this position: an empty answer would look like an empty list */
export function checkNext(skip: number, count: number): void {
  if (skip > 0 && skip >= count)
    throw new ToolError(
      `next: the list has ${counted(count, 'row')}. Give \`next\` of the previous answer, or omit it.`,
    );
}

export const List = Type.Array(Type.Unknown());
/** Whether the list has more entries than the answer. */
export const HasMore = Type.Boolean({
  description: 'Whether there are more: request them with a higher limit',
});

export const Next = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Position for the next page; null at the end of the list',
});
