/** Who sends the requests: a session, or an API token that signs each of them. Kept in memory only. */
import { byId, element } from './elements.js';

const encoder = new TextEncoder();

/** @type {(method: string, target: string, body: string) => Promise<Record<string, string>>} */
let authorize = async () => ({});

/** @returns headers that authenticate the request */
export function credentialHeaders(method, target, body) {
  return authorize(method, target, body);
}

export function bindCredentialForms() {
  takeOverSession();
  void showProviders();
  byId('login').addEventListener('submit', (event) => take(event, logIn));
  byId('token').addEventListener('submit', (event) => take(event, signWith));
}

/** A sign-in through a provider ends here, with a token in a cookie of a minute, or with what went wrong. */
function takeOverSession() {
  const token = /(?:^|; )token=([\w.-]+)/.exec(document.cookie)?.[1];
  if (token !== undefined) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
    document.cookie = 'token=; Path=/; Max-Age=0';
    authorize = async () => ({ Authorization: `Bearer ${token}` });
    byId('who').textContent = 'signed in';
  }
  const parameters = new URLSearchParams(location.search);
  if (!parameters.has('error')) return;
  byId('refusal').textContent = parameters.get('error');
  byId('credentials').open = true;
  history.replaceState(null, '', location.pathname);
}

async function showProviders() {
  const reply = await fetch('sso-providers');
  const { data = [] } = reply.ok ? await reply.json() : {};
  const links = data.map(({ name, slug }) =>
    element('a', { href: `sso/${encodeURIComponent(slug)}/login`, textContent: `Sign in through ${name}` }),
  );
  byId('providers').replaceChildren(...links);
}

async function take(event, use) {
  event.preventDefault();
  const form = event.currentTarget;
  byId('refusal').textContent = '';
  try {
    byId('who').textContent = await use(Object.fromEntries(new FormData(form)));
    form.reset();
  } catch (error) {
    byId('refusal').textContent = error.message;
  }
}

async function logIn({ username, secret }) {
  const reply = await fetch('login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ login_method: 'secret', username, secret }),
  });
  const body = await reply.json();
  if (!reply.ok) throw new Error(body.errors?.[0]?.message ?? `status ${reply.status}`);
  const token = body.data.session_token;
  authorize = async () => ({ Authorization: `Bearer ${token}` });
  return username;
}

async function signWith({ id, key }) {
  if (globalThis.crypto?.subtle === undefined) {
    throw new Error('The browser signs requests on HTTPS pages and on localhost only.');
  }
  authorize = async (method, target, body) => {
    const date = new Date().toISOString();
    const operation = await hmac(encoder.encode(key), method + target);
    const hour = await hmac(operation, date.slice(0, 13));
    const signature = await hmac(hour, body);
    return {
      Authorization: `svcsignature ${id}`,
      RequestDate: date,
      Signature: btoa(String.fromCharCode(...signature)),
    };
  };
  return `token ${id}`;
}

/** HMAC-SHA-256; each link of the signature is the key of the next. */
async function hmac(keyBytes, text) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyBytes, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}
