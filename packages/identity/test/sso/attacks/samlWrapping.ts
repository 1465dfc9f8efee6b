/** A signed assertion next to or inside a forged one, so that a weak service might verify one and read the other. */
import { ASSERTION, assertionOf, forgedOf, type SamlAttack, tamper } from './samlAttack.ts';

export const SAML_WRAPPING: readonly SamlAttack[] = [
  // Wrapping.
  [
    'a forged assertion before the signed one',
    tamper((xml) => xml.replace('<saml:Assertion', `${forgedOf(xml)}<saml:Assertion`)),
    /2 assertions/,
  ],
  [
    'a forged assertion behind the signed one',
    tamper((xml) => xml.replace('</samlp:Response>', `${forgedOf(xml)}</samlp:Response>`)),
    /2 assertions/,
  ],
  [
    'the signed assertion in an object of a forged one',
    tamper((xml) =>
      xml.replace(
        ASSERTION,
        forgedOf(xml).replace('</saml:Assertion>', `<Object>${assertionOf(xml)}</Object></saml:Assertion>`),
      ),
    ),
    /2 assertions/,
  ],
  [
    'the signed assertion in the subject of a forged one',
    tamper((xml) =>
      xml.replace(ASSERTION, forgedOf(xml).replace('</saml:Subject>', `${assertionOf(xml)}</saml:Subject>`)),
    ),
    /2 assertions/,
  ],
  [
    'the signed assertion in extensions',
    tamper((xml) =>
      xml.replace(ASSERTION, `<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>${forgedOf(xml)}`),
    ),
    /2 assertions/,
  ],
  [
    'the signed assertion in the signature of a forged one',
    tamper((xml) =>
      xml.replace(
        ASSERTION,
        forgedOf(xml).replace(
          '<saml:Subject>',
          `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:Object>${assertionOf(xml)}</ds:Object></ds:Signature><saml:Subject>`,
        ),
      ),
    ),
    /2 assertions/,
  ],
  [
    'the whole answer in another one',
    tamper((xml) =>
      xml.replace('<samlp:Status>', `<samlp:Extensions>${xml}</samlp:Extensions><samlp:Status>`),
    ),
    /2 assertions|refused/,
  ],
  [
    'a forged assertion with the id of the signed one',
    tamper((xml) => {
      const id = /<saml:Assertion[^>]*ID="([^"]+)"/.exec(xml)?.[1] ?? '';
      return xml.replace('<saml:Assertion', `${forgedOf(xml).replace('_forged', id)}<saml:Assertion`);
    }),
    /2 assertions/,
  ],
  ['the signed assertion twice', tamper((xml) => xml.replace(ASSERTION, (one) => one + one)), /2 assertions/],
  [
    'a forged assertion in another spelling of the namespace',
    tamper((xml) =>
      xml.replace(
        ASSERTION,
        (one) => `${forgedOf(xml).replaceAll('saml:', 'evil:').replaceAll('xmlns:saml', 'xmlns:evil')}${one}`,
      ),
    ),
    /assertions|refused/,
  ],
  ['no assertion', tamper((xml) => xml.replace(ASSERTION, '')), /0 assertions/],
  [
    'an encrypted assertion without a key',
    tamper((xml) => xml.replace(ASSERTION, '<saml:EncryptedAssertion><x/></saml:EncryptedAssertion>')),
    /0 assertions/,
  ],
];
