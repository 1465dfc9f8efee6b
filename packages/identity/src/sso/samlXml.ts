/** Parses XML of SAML providers: without document types and entities, and of limited size. */
import { DOMParser, type Document, type Element } from '@xmldom/xmldom';

export const NAMESPACE = {
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const;

const MAX_CHARACTERS = 1024 * 1024;
/** Maximum depth, which no SAML document exceeds. */
const MAX_DEPTH = 100;

export class SamlXmlError extends Error {
  override readonly name = 'SamlXmlError';
}

/** @throws SamlXmlError */
export function parseSamlXml(text: string): Document {
  if (text.length > MAX_CHARACTERS) throw new SamlXmlError('it is too large');
  // SAML documents have no document type, which could declare entities that read files, send requests, or expand.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new SamlXmlError('it has a document type');
  requireFlat(text);
  let document: Document;
  try {
    document = new DOMParser({
      onError: (level, message) => {
        if (level !== 'warning') throw new SamlXmlError(message.split('\n')[0]);
      },
    }).parseFromString(text.replace(/^\ufeff/, ''), 'text/xml');
  } catch (error) {
    throw new SamlXmlError(`it is not XML: ${error instanceof Error ? error.message.split('\n')[0] : ''}`);
  }
  if (document.documentElement === null) throw new SamlXmlError('it is empty');
  return document;
}

export function elementsOf(parent: Document | Element, namespace: string, name: string): Element[] {
  return [...parent.getElementsByTagNameNS(namespace, name)];
}

/** Recursion over a deeply nested document would crash the process. */
function requireFlat(text: string): void {
  let depth = 0;
  for (const [tag] of text.matchAll(/<[^!?][^>]*>/g)) {
    if (tag.startsWith('</')) depth--;
    else if (!tag.endsWith('/>')) depth++;
    if (depth > MAX_DEPTH) throw new SamlXmlError('it is nested too deeply');
  }
}
