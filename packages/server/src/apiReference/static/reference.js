/** Reads the description of the API and makes a page of it, with a form for every operation. */
import { bindCredentialForms, credentialHeaders } from './credentials.js';
import { byId, element } from './elements.js';
import { exampleOf, suggestObjects } from './examples.js';

/** Characters of an answer that are shown; more would hold up the browser. */
const SHOWN_CHARACTERS = 200_000;

const description = await (await fetch('spec?format=json&openapi=3.1')).json();

byId('about').textContent = description.info.description;
bindCredentialForms();
showOperations();
byId('filter').addEventListener('input', ({ target }) => filterOperations(target.value.toLowerCase()));
document.getElementById(location.hash.slice(1))?.scrollIntoView();

function showOperations() {
  const byTag = new Map();
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'Other';
      byTag.set(tag, [...(byTag.get(tag) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  }
  for (const [tag, operations] of byTag) {
    byId('contents').append(
      element('section', {}, element('h2', { textContent: tag }), ...operations.map(contentsLine)),
    );
    byId('operations').append(
      element('section', {}, element('h2', { textContent: tag }), ...operations.map(operationArticle)),
    );
  }
}

function contentsLine({ method, path, operation }) {
  return element(
    'a',
    { href: `#${operation.operationId}`, title: operation.summary },
    `${method} ${shortPath(path)}`,
  );
}

function shortPath(path) {
  return path.replace(/^\/api\/v2\//, '');
}

function operationArticle({ method, path, operation }) {
  const answer = element('div');
  return element(
    'article',
    { id: operation.operationId, className: operation.deprecated ? 'deprecated' : '' },
    element('h3', {}, element('span', { className: 'method', textContent: method }), path),
    element('p', { textContent: operation.summary }),
    element('p', { textContent: operation.description ?? '' }),
    requestForm(method, path, operation, answer),
    jsonDetails('Example of an answer', answerOf(operation)?.example),
    jsonDetails('Schema of the answer', answerOf(operation)?.schema),
    answer,
  );
}

function requestForm(method, path, operation, answer) {
  const parameters = (operation.parameters ?? []).map(resolve).filter(({ in: place }) => place !== 'header');
  const body = operation.requestBody?.content?.['application/json'];
  const form = element('form', {}, ...parameters.map(parameterField));
  if (body?.schema !== undefined) form.append(bodyField(body));
  form.append(element('button', { textContent: 'Send' }));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { target, body } = readForm(form, path, parameters);
    answer.replaceChildren(element('p', { textContent: 'Waiting...' }));
    answer.replaceChildren(...(await send(method, target, body)));
  });
  return form;
}

function parameterField(parameter) {
  const { name, schema = {}, required, description: text = '' } = parameter;
  const choices = (schema.anyOf ?? []).map((choice) => choice.const).filter((choice) => choice !== undefined);
  const options = schema.type === 'boolean' ? ['true', 'false'] : choices;
  const input =
    options.length > 0
      ? element(
          'select',
          {},
          ...['', ...options].map((value) => element('option', { value, textContent: value })),
        )
      : element('input', { placeholder: String(schema.default ?? parameter.example ?? '') });
  Object.assign(input, { name: `${parameter.in} ${name}`, required: required === true });
  const label = element('label', {}, required === true ? `${name} *` : name, input);
  if (text !== '') label.append(element('small', { textContent: text }));
  label.append(...suggestObjects(input, name));
  return label;
}

function bodyField({ schema, example = exampleOf(inline(schema)) }) {
  const value = JSON.stringify(example, null, 2);
  return element('label', { className: 'wide' }, 'Body', element('textarea', { name: 'body', value }));
}

/** A blank parameter is not sent; several values of one are separated by blanks. */
function readForm(form, path, parameters) {
  const values = new FormData(form);
  const query = new URLSearchParams();
  let target = path;
  for (const { in: place, name, schema } of parameters) {
    const value = String(values.get(`${place} ${name}`) ?? '');
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '') {
      const isRepeatable = schema?.anyOf?.some(({ type }) => type === 'array') === true;
      for (const one of isRepeatable ? value.split(/\s+/) : [value]) query.append(name, one);
    }
  }
  const text = query.toString();
  return { target: text === '' ? target : `${target}?${text}`, body: values.get('body') ?? '' };
}

async function send(method, target, body) {
  const started = performance.now();
  try {
    // The description may name a public address; requests of this page go to where it came from.
    const url = new URL(target, location.origin);
    const reply = await fetch(url, {
      method,
      headers: {
        ...(await credentialHeaders(method, url.pathname + url.search, body)),
        ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === '' ? undefined : body,
    });
    const text = await reply.text();
    const took = Math.round(performance.now() - started);
    return [
      element('p', {
        textContent: `${reply.status} ${reply.statusText}, ${took} ms, ${text.length} characters`,
      }),
      element('pre', { textContent: shown(text) }),
      element('pre', { textContent: curlCommand(method, url, body) }),
    ];
  } catch (error) {
    return [element('p', { role: 'alert', textContent: error.message })];
  }
}

function shown(text) {
  let pretty = text;
  try {
    pretty = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: shown as it came.
  }
  return pretty.length > SHOWN_CHARACTERS ? `${pretty.slice(0, SHOWN_CHARACTERS)}\n...` : pretty;
}

function curlCommand(method, url, body) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const data = body === '' ? '' : ` -H 'Content-Type: application/json' --data ${quoted(body)}`;
  return `curl -X ${method} -H "Authorization: Bearer $CLEW_TOKEN"${data} ${quoted(url.href)}`;
}

function answerOf({ responses }) {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  return success?.[1].content?.['application/json'];
}

/** Made when it is opened: all at once would take seconds. */
function jsonDetails(title, value) {
  if (value === undefined) return '';
  const details = element('details', {}, element('summary', { textContent: title }));
  const fill = () => details.append(element('pre', { textContent: JSON.stringify(inline(value), null, 2) }));
  details.addEventListener('toggle', fill, { once: true });
  return details;
}

function resolve(value) {
  if (value.$ref === undefined) return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((part, name) => part[name], description);
}

/** The schema with what it refers to in place: no schema holds itself. */
function inline(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inline);
  const { $ref: _, ...own } = value;
  const parts = Object.entries({ ...(value.$ref === undefined ? {} : resolve(value)), ...own });
  return Object.fromEntries(parts.map(([key, part]) => [key, inline(part)]));
}

function filterOperations(text) {
  for (const id of ['contents', 'operations']) {
    for (const section of byId(id).children) {
      let isEmpty = true;
      for (const entry of section.querySelectorAll(':scope > a, :scope > article')) {
        entry.hidden = !`${entry.id} ${entry.title} ${entry.textContent}`.toLowerCase().includes(text);
        if (!entry.hidden) isEmpty = false;
      }
      section.hidden = isEmpty;
    }
  }
}
