/** Responses that are not responses, hide their content, or report a failure. */
import {
  assertionOf,
  encoded,
  type SamlAttack,
  STATUS,
  signed,
  statusOf,
  tamper,
  tamperBytes,
} from './samlAttack.ts';

export const SAML_DOCUMENTS: readonly SamlAttack[] = [
  // Texts that are not a response.
  ['nothing', async () => '', /refused|SAMLResponse|empty|not XML/i],
  ['a text that is not base64', async () => '%%%', /refused/],
  ['a text that is not XML', async () => encoded('hello'), /not XML|refused/],
  ['an empty element', async () => encoded('<a/>'), /not a response/],
  ['a page', async () => encoded('<!doctype html><p>hello</p>'), /document type/],
  ['half an answer', tamper((xml) => xml.slice(0, xml.length / 2)), /refused/],
  ['two documents', tamper((xml) => xml + xml), /refused/],
  [
    'bytes that are not UTF-8',
    async () => Buffer.from([0xff, 0xfe, 0x3c, 0x61]).toString('base64'),
    /refused/,
  ],
  ['UTF-16', tamperBytes((xml) => Buffer.from(`\ufeff${xml}`, 'utf16le')), /refused/],
  ['a zero byte', tamper((xml) => xml.replace('eve@', 'e\0ve@')), /refused|signature/i],
  ['a deep document', async () => encoded('<a>'.repeat(60_000)), /nested too deeply/],
  [
    'many attributes',
    async () => encoded(`<a ${Array.from({ length: 9_000 }, (_, at) => `b${at}=""`).join(' ')}/>`),
    /not a response/,
  ],
  [
    'a logout response',
    tamper((xml) => xml.replaceAll('samlp:Response', 'samlp:LogoutResponse')),
    /not a response/,
  ],
  ['the assertion alone', tamper(assertionOf), /not a response|refused/],
  [
    'an answer of SAML 1.1',
    tamper((xml) => xml.replaceAll('SAML:2.0:protocol', 'SAML:1.0:protocol')),
    /not a response/,
  ],
  // Document types and entities.
  [
    'an external entity',
    tamper((xml) => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml}`),
    /document type/,
  ],
  [
    'a parameter entity',
    tamper((xml) => `<!DOCTYPE r [<!ENTITY % x SYSTEM "http://127.0.0.1/"> %x;]>${xml}`),
    /document type/,
  ],
  [
    'entities that grow',
    async () =>
      encoded(
        `<!DOCTYPE r [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, at) => `<!ENTITY a${at} "${'&a;'.repeat(50)}">`).join('')}]><r>&a19;</r>`,
      ),
    /document type/,
  ],
  [
    'an entity for a name',
    tamper((xml) =>
      xml
        .replace('<samlp:Response', '<!DOCTYPE a [<!ENTITY n "mal">]><samlp:Response')
        .replaceAll('eve@', '&n;@'),
    ),
    /document type/,
  ],
  ['an unknown entity', tamper((xml) => xml.replace('eve@', '&nobody;eve@')), /refused|signature/i],
  ['a lower-case document type', tamper((xml) => `<!doctype r>${xml}`), /document type/],
  // Status.
  ['a status of failure by the requester', signed(statusOf(`${STATUS}Requester`)), /status is .*Requester/],
  ['a status of failure by the responder', signed(statusOf(`${STATUS}Responder`)), /status is .*Responder/],
  ['a status of failed authentication', signed(statusOf(`${STATUS}AuthnFailed`)), /status is/],
  ['an empty status', signed(statusOf('')), /status is missing/],
  ['no status', signed((xml) => xml.replace(/<samlp:Status>.*<\/samlp:Status>/, '')), /status is missing/],
  [
    'a failure around a success',
    signed((xml) =>
      xml.replace(
        /<samlp:StatusCode [^>]*\/>/,
        `<samlp:StatusCode Value="${STATUS}Responder"><samlp:StatusCode Value="${STATUS}Success"/></samlp:StatusCode>`,
      ),
    ),
    /status is .*Responder/,
  ],
  ['a status that only looks like success', signed(statusOf(`${STATUS}success`)), /status is/],
  // Comments, which signatures ignore.
  [
    'a comment inside of the name',
    tamper((xml) => xml.replaceAll('acme.example.evil', 'acme.example<!---->.evil'), {
      email: 'eve@acme.example.evil.example',
    }),
    /comments/,
  ],
  ['a comment before everything', tamper((xml) => `<!-- -->${xml}`), /comments/],
  [
    'a processing instruction inside of the name',
    tamper((xml) => xml.replaceAll('eve@', 'eve<?x?>@')),
    /signature|refused/i,
  ],
];
