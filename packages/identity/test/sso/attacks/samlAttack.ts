/** The parts of attacks on a SAML sign-in: a valid response, changed before or after the provider signs it. */
import { expect } from 'vitest';
import type { Browser } from '../browser.ts';
import type { AnswerOptions, SamlPeer, SamlUser } from '../samlPeer.ts';

/** Address of the service. */
export const PUBLIC = 'https://clew.test';
export const MALLORY = { email: 'mallory@acme.example', role: 'bh-administrator' };
export const EVE = { email: 'eve@acme.example' };

/** The parts of a test that an attack uses. */
export interface SamlSide {
  /** The browser that will send the response, and the id of its request. */
  readonly browser: Browser;
  readonly inResponseTo: string;
  /** The trusted provider. */
  readonly idp: SamlPeer;
  /** A provider with the same name and another key. */
  readonly evil: SamlPeer;
  /** Metadata of the service. */
  readonly metadata: string;
  /** Starts a sign-in at a provider in a new browser, or in the given one. @returns the id of the request */
  begin(provider: string, browser?: Browser): Promise<string>;
  /** Sends a response from the same browser that will send the attack. */
  bring(response: string): Promise<void>;
}

/** @returns the value of `SAMLResponse` */
export type MakeSamlResponse = (side: SamlSide) => Promise<string>;

export type SamlAttack = readonly [name: string, make: MakeSamlResponse, reason: RegExp];

export const decoded = (response: string): string => Buffer.from(response, 'base64').toString();
export const encoded = (xml: string): string => Buffer.from(xml).toString('base64');

export const answerWith =
  (options: AnswerOptions, user: SamlUser = MALLORY, by: 'idp' | 'evil' = 'idp'): MakeSamlResponse =>
  ({ inResponseTo, metadata, ...peers }) =>
    peers[by].answer(user, metadata, { inResponseTo, ...options });

/** Ensures that the attack changes something. */
function changed(text: string, change: (text: string) => string): string {
  const after = change(text);
  expect(after, 'the attack changes something').not.toBe(text);
  return after;
}

/** Changes the signed part. */
export const tamper =
  (change: (xml: string) => string, user: SamlUser = EVE): MakeSamlResponse =>
  async (side) =>
    encoded(changed(decoded(await answerWith({}, user)(side)), change));

export const tamperBytes =
  (change: (xml: string) => Buffer): MakeSamlResponse =>
  async (side) =>
    change(decoded(await answerWith({}, EVE)(side))).toString('base64');

/** The provider itself signs the changed response. */
export const signed = (change: (template: string) => string): MakeSamlResponse =>
  answerWith({ change: (template) => changed(template, change) });

export const SIGNATURE = /<ds:Signature[\s\S]*<\/ds:Signature>/;
export const ASSERTION = /<saml:Assertion[\s\S]*<\/saml:Assertion>/;
export const assertionOf = (xml: string): string => ASSERTION.exec(xml)?.[0] ?? '';
export const forgedOf = (xml: string): string =>
  assertionOf(xml)
    .replace(SIGNATURE, '')
    .replace(/ID="[^"]+"/, 'ID="_forged"')
    .replaceAll('eve@', 'mal@');

export const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';
export const statusOf = (value: string) => (xml: string) => xml.replace(`${STATUS}Success`, value);
export const method = (name: 'SignatureMethod' | 'DigestMethod', algorithm: string) => (xml: string) =>
  xml.replace(new RegExp(`(<ds:${name} Algorithm=")[^"]+`), `$1${algorithm}`);
