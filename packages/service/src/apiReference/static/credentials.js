/** Who sends the requests: a session, or an API token that signs each of them. Kept in memory only. */
import { byId } from './elements.js';

const encoder = new TextEncoder();

/** @type {(method: string, target: string, body: string) => Promise<Record<string, string>>} */
let authorize = async () => ({});

/** @returns headers that authenticate the request */
export function credentialHeaders(method, target, body) {
  return authorize(method, target, body);
}

export function bindCredentialForms() {
  byId('login').addEventListener('submit', (event) => take(event, logIn));
  byId('token').addEventListener('submit', (event) => take(event, signWith));
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
