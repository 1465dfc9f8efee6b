/** The actions of security platforms as tools. Off by default: other tools return the same data in smaller answers. */
import { type ActionResult, doesPathExist, fetchAssets, getObjectId } from '@clew/connector';
import Type from 'typebox';
import { type Answer, object, type Tool, ToolError, tool } from './tool.ts';

const MAX_OBJECTS = 20;

const FILLED = { pattern: '\\S', 'x-form': 'a text that is not blank' };

const output = { status: Type.String(), resultValue: Type.String(), message: Type.String() };

/** @param argument that an action refuses, for its error @throws ToolError for a failed action */
function answerOf(argument: string, result: ActionResult<object>): Answer {
  if (result.status === 'failed') throw new ToolError(`${argument}: ${result.message}`);
  return { ...result };
}

export const ACTION_TOOLS: readonly Tool[] = [
  tool({
    name: 'get_object_id',
    title: 'Get Object Id (action)',
    description: 'Object IDs by names, as the action of security platforms returns them.',
    isAction: true,
    input: object({
      object_names: Type.String({ ...FILLED, description: 'Separated by commas, or a JSON array' }),
    }),
    output,
    run: async (client, { object_names }, signal) =>
      answerOf('object_names', await getObjectId(client, object_names, signal)),
  }),
  tool({
    name: 'does_path_exist',
    title: 'Does Path Exist (action)',
    description:
      'Whether each pair has an attack path: event details as JSON, or A -> B, one per line. "Undecided" does not mean "no".',
    isAction: true,
    input: object({ event_details: Type.String(FILLED) }),
    output,
    run: async (client, { event_details }, signal) =>
      answerOf('event_details', await doesPathExist(client, event_details, signal)),
  }),
  tool({
    name: 'fetch_assets',
    title: 'Fetch Assets (action)',
    description: 'Data of objects by their IDs, in the format of the action of security platforms.',
    isAction: true,
    input: object({
      object_ids: Type.String({ ...FILLED, description: 'Separated by commas, or a JSON array; at most 20' }),
    }),
    output,
    async run(client, { object_ids }, signal) {
      if (object_ids.split(',').length > MAX_OBJECTS)
        throw new ToolError(`object_ids: at most ${MAX_OBJECTS} objects at a time`);
      return answerOf('object_ids', await fetchAssets(client, object_ids, { signal }));
    },
  }),
];
