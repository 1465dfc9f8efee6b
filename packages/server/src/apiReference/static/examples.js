/** Values to begin with: bodies made from their schema, and objects of the graph that is there. */
import { credentialHeaders } from './credentials.js';
import { element } from './elements.js';

/** Parameters that name an object by its id. */
const OBJECT_PARAMETERS = new Set(['object_id', 'start_node', 'end_node', 'q', 'query']);

/** @returns a value that fits the schema, as far as it says anything */
export function exampleOf(schema = {}) {
  if (schema.examples?.length > 0) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return exampleOf(choices[0]);
  if (schema.type === 'object') {
    const entries = Object.entries(schema.properties ?? {});
    return Object.fromEntries(entries.map(([name, property]) => [name, exampleOf(property)]));
  }
  if (schema.type === 'array') return [exampleOf(schema.items)];
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0;
  if (schema.type === 'boolean') return false;
  return schema.type === 'null' ? null : '';
}

let lists = 0;

/** Offers objects of the graph while a name or an id is typed. */
export function suggestObjects(input, parameter) {
  if (!OBJECT_PARAMETERS.has(parameter)) return [];
  const list = element('datalist', { id: `objects-${++lists}` });
  input.setAttribute('list', list.id);
  input.placeholder = 'type a name';
  let last = '';
  input.addEventListener('input', async () => {
    last = input.value;
    if (last.length < 2) return;
    const target = `search?q=${encodeURIComponent(last)}`;
    const path = new URL(target, location.href).pathname + new URL(target, location.href).search;
    const reply = await fetch(target, { headers: await credentialHeaders('GET', path, '') });
    if (!reply.ok || last !== input.value) return;
    const { data } = await reply.json();
    list.replaceChildren(
      ...data.map(({ objectid, name, type }) =>
        element('option', { value: objectid, label: `${name} (${type})` }),
      ),
    );
  });
  return [list];
}
