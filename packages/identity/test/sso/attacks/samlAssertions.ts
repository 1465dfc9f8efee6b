/** Signed assertions that are not valid now, not for this service, or not for a user. */
import { answerWith, type MakeSamlResponse, PUBLIC, type SamlAttack, signed } from './samlAttack.ts';

/** @param milliseconds relative to the time of the attack */
const issued =
  (milliseconds: number): MakeSamlResponse =>
  (side) =>
    answerWith({ issuedAt: Date.now() + milliseconds })(side);

export const SAML_ASSERTIONS: readonly SamlAttack[] = [
  // Times.
  ['one that is too old', issued(-3_600_000), /expired|too old|NotOnOrAfter|timestamp/i],
  ['one that ended two minutes ago', issued(-420_000), /expired|too old|NotOnOrAfter|timestamp/i],
  ['one of tomorrow', issued(24 * 3_600_000), /not yet valid|NotBefore|timestamp/i],
  ['one of two minutes ahead', issued(130_000), /not yet valid|NotBefore|timestamp/i],
  [
    'a confirmation without an end',
    signed((xml) =>
      xml.replace('SubjectConfirmationData NotOnOrAfter="{NotOnOrAfter}"', 'SubjectConfirmationData'),
    ),
    /no expiry|parsing NotOnOrAfter/,
  ],
  [
    'an end that is not a time',
    signed((xml) => xml.replaceAll('"{NotOnOrAfter}"', '"soon"')),
    /no expiry|expired|NotOnOrAfter|Invalid|parsing/i,
  ],
  // Wrong audiences, recipients and issuers.
  ['another audience', answerWith({ audience: 'https://other.example' }), /audience/i],
  [
    'the audience of another provider of this service',
    answerWith({ audience: `${PUBLIC}/api/v2/sso/other` }),
    /audience/i,
  ],
  [
    'no audience',
    signed((xml) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '')),
    /audience/i,
  ],
  ['another recipient', answerWith({ recipient: 'https://other.example/acs' }), /another recipient/],
  ['no recipient', signed((xml) => xml.replace(' Recipient="{Recipient}"', '')), /another recipient/],
  [
    'no confirmation',
    signed((xml) => xml.replace(/<saml:SubjectConfirmation [\s\S]*<\/saml:SubjectConfirmation>/, '')),
    /recipient|confirmation|subject/i,
  ],
  ['another issuer', answerWith({ issuer: 'https://evil.example' }), /is by https:\/\/evil/],
  [
    'an empty issuer of the assertion',
    signed((xml) =>
      xml.replace(/(ID="\{AssertionID\}"[^>]*>)<saml:Issuer>\{Issuer\}<\/saml:Issuer>/, '$1<saml:Issuer/>'),
    ),
    /is by|issuer/i,
  ],
  [
    'no id of the assertion',
    signed((xml) => xml.replace(' ID="{AssertionID}"', '')),
    /id|signature|reference/i,
  ],
  // Names.
  [
    'no name and no address',
    signed((xml) =>
      xml.replace(/<saml:NameID[^>]*>\{NameID\}<\/saml:NameID>/, '').replace('{Attributes}', ''),
    ),
    /email address|subject|name/i,
  ],
  ['a name that is not an address', answerWith({}, { email: 'mallory', role: 'x' }), /email address/],
  [
    'an address with a line break',
    answerWith({}, { email: 'mal\nlory@acme.example', role: 'x' }),
    /email address/,
  ],
  ['an address with a space', answerWith({}, { email: 'mal lory@acme.example', role: 'x' }), /email address/],
  [
    'an address of 400 characters',
    answerWith({}, { email: `${'m'.repeat(400)}@acme.example`, role: 'x' }),
    /email address/,
  ],
  [
    'the address of a user with a password',
    answerWith({}, { email: 'admin', role: 'x' }),
    /email address|elsewhere/,
  ],
];
