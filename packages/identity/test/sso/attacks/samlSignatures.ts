/** Invalid signatures, and content that they do not cover. */
import {
  answerWith,
  decoded,
  encoded,
  MALLORY,
  method,
  type SamlAttack,
  SIGNATURE,
  tamper,
} from './samlAttack.ts';

export const SAML_SIGNATURES: readonly SamlAttack[] = [
  // Signatures.
  ['no signature', tamper((xml) => xml.replace(SIGNATURE, '')), /signature/i],
  [
    'an empty signature',
    tamper((xml) => xml.replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>')),
    /signature/i,
  ],
  [
    'another signature value',
    tamper((xml) =>
      xml.replace(/<ds:SignatureValue>(.)/, (_, first) => `<ds:SignatureValue>${first === 'A' ? 'B' : 'A'}`),
    ),
    /signature/i,
  ],
  [
    'another digest',
    tamper((xml) =>
      xml.replace(/<ds:DigestValue>(.)/, (_, first) => `<ds:DigestValue>${first === 'A' ? 'B' : 'A'}`),
    ),
    /signature/i,
  ],
  [
    'no digest',
    tamper((xml) => xml.replace(/<ds:DigestValue>.*?<\/ds:DigestValue>/, '')),
    /signature|digest/i,
  ],
  [
    'no reference',
    tamper((xml) => xml.replace(/<ds:Reference[\s\S]*<\/ds:Reference>/, '')),
    /signature|reference/i,
  ],
  [
    'a reference to nothing',
    tamper((xml) => xml.replace(/<ds:Reference URI="[^"]*"/, '<ds:Reference URI=""')),
    /signature|reference/i,
  ],
  [
    'a reference to another element',
    tamper((xml) => xml.replace(/<ds:Reference URI="[^"]*"/, '<ds:Reference URI="#_other"')),
    /signature|reference/i,
  ],
  [
    'a reference to a file',
    tamper((xml) => xml.replace(/<ds:Reference URI="[^"]*"/, '<ds:Reference URI="file:///etc/passwd"')),
    /signature|reference/i,
  ],
  [
    'two references',
    tamper((xml) => xml.replace(/<ds:Reference[\s\S]*<\/ds:Reference>/, (one) => one + one)),
    /signature|reference/i,
  ],
  [
    'a signature with SHA-1',
    tamper(method('SignatureMethod', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1')),
    /signed with .*sha1/,
  ],
  [
    'a digest with SHA-1',
    tamper(method('DigestMethod', 'http://www.w3.org/2000/09/xmldsig#sha1')),
    /signed with .*sha1/,
  ],
  [
    'a digest with MD5',
    tamper(method('DigestMethod', 'http://www.w3.org/2001/04/xmldsig-more#md5')),
    /signed with .*md5/,
  ],
  [
    'a signature with a shared secret',
    tamper(method('SignatureMethod', 'http://www.w3.org/2000/09/xmldsig#hmac-sha1')),
    /signed with .*hmac/,
  ],
  [
    'a signature with HMAC-SHA-256',
    tamper(method('SignatureMethod', 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256')),
    /signed with .*hmac/,
  ],
  ['an unknown algorithm', tamper(method('SignatureMethod', 'urn:none')), /signed with urn:none/],
  ['an algorithm without a name', tamper(method('SignatureMethod', ' ')), /signed with/],
  [
    'a stylesheet as a transformation',
    tamper((xml) =>
      xml.replace(
        /<ds:Transform Algorithm="[^"]*"/,
        '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"',
      ),
    ),
    /signature|transform/i,
  ],
  [
    'an XPath filter as a transformation',
    tamper((xml) =>
      xml.replace(
        /<ds:Transform Algorithm="[^"]*"/,
        '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"',
      ),
    ),
    /signature|transform/i,
  ],
  [
    'another canonical form',
    tamper((xml) =>
      xml.replace(
        /<ds:CanonicalizationMethod Algorithm="[^"]*"/,
        '<ds:CanonicalizationMethod Algorithm="urn:none"',
      ),
    ),
    /signature|canonical/i,
  ],
  ['the key of another provider', answerWith({}, MALLORY, 'evil'), /signature/i],
  [
    'a key that the answer brings along',
    async (side) =>
      encoded(
        decoded(await answerWith({}, MALLORY, 'evil')(side)).replace(
          '</ds:Signature>',
          `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${side.evil.certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature>`,
        ),
      ),
    /signature/i,
  ],
  [
    'a signature that was moved to the answer',
    tamper((xml) => {
      const signature = SIGNATURE.exec(xml)?.[0] ?? '';
      return xml.replace(SIGNATURE, '').replace('<samlp:Status>', `${signature}<samlp:Status>`);
    }),
    /signature/i,
  ],
  // Content that differs from the signed one.
  ['another user than was signed', tamper((xml) => xml.replaceAll('eve@', 'mal@')), /signature/i],
  [
    'a role that was not signed',
    tamper((xml) =>
      xml.replace(
        '</saml:AttributeStatement>',
        '<saml:Attribute Name="http://schemas.microsoft.com/ws/2008/06/identity/claims/role"><saml:AttributeValue>bh-administrator</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>',
      ),
    ),
    /signature/i,
  ],
  [
    'a longer life than was signed',
    tamper((xml) => xml.replaceAll(/NotOnOrAfter="\d{4}/g, 'NotOnOrAfter="2999')),
    /signature/i,
  ],
  [
    'another audience than was signed',
    tamper((xml) => xml.replace(/<saml:Audience>[^<]*/, '<saml:Audience>x')),
    /signature/i,
  ],
  [
    'no conditions where some were signed',
    tamper((xml) => xml.replace(/<saml:Conditions[\s\S]*<\/saml:Conditions>/, '')),
    /signature/i,
  ],
  [
    'an attribute in another place',
    tamper((xml) => xml.replace(/(<saml:NameID[^>]*>)[^<]*/, '$1mal@acme.example')),
    /signature/i,
  ],
];
