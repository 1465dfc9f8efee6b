/** A tool: its arguments and answer by schema, and errors that say which argument is wrong and what to do next. */
import type { ClewClient } from '@clew/client';
import { schemaFaults } from '@clew/connector';
import Type, { type Static, type TObject } from 'typebox';

export type Answer = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: TObject;
  readonly outputSchema: TObject;
  /** Made for playbooks of security platforms: offered only where they are asked for. */
  readonly isAction: boolean;
  /** @returns the answer, which is sent as JSON @throws ToolError for input that does not fit, and errors of the client */
  run(client: ClewClient, input: unknown, signal: AbortSignal): Promise<Answer>;
}

/** Its message is for the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

type Run<Schema extends TObject> = (
  client: ClewClient,
  input: Static<Schema>,
  signal: AbortSignal,
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
        Type.Boolean({ description: 'Lists or texts are cut: ask for less, or page with `next`' }),
      ),
    }),
    async run(client, value, signal) {
      const given = value ?? {};
      const faults = schemaFaults(input, given);
      if (faults.length === 0) return run(client, given as Static<Schema>, signal);
      const known = Object.keys(input.properties).join(', ') || 'none';
      throw new ToolError(`${faults.join('; ')}. Arguments of ${rest.name}: ${known}`);
    },
  };
}

export const object = <Fields extends Parameters<typeof Type.Object>[0]>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

export const limit = (most: number, byDefault: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: most, description: `At most so many; ${byDefault} when absent` }),
  );

/** Where a list goes on. */
export const next = Type.Optional(
  Type.Integer({ minimum: 0, description: '`next` of the answer before, for the rows after it' }),
);

export const text = (description: string) => Type.String({ minLength: 1, maxLength: 500, description });

export const List = Type.Array(Type.Unknown());
export const Next = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Where the list goes on; null at its end',
});
