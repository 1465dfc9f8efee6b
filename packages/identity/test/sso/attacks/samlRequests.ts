/** Answers to requests of other browsers than the submitting one. */
import { answerWith, decoded, EVE, encoded, MALLORY, type SamlAttack, signed } from './samlAttack.ts';

export const SAML_REQUESTS: readonly SamlAttack[] = [
  ['an answer to another request', answerWith({ inResponseTo: '_never' }), /request from another browser/],
  ['an answer to no request', ({ idp, metadata }) => idp.answer(MALLORY, metadata), /responds to no request/],
  [
    'an answer whose envelope alone names the request',
    signed((xml) => xml.replace('Recipient="{Recipient}"{Reply}', 'Recipient="{Recipient}"')),
    /responds to no request/,
  ],
  [
    'an answer whose assertion names the request from another browser, and whose envelope none',
    async ({ idp, metadata, begin }) =>
      encoded(
        decoded(await idp.answer(MALLORY, metadata, { inResponseTo: await begin('idp') })).replace(
          /(<samlp:Response[^>]*) InResponseTo="[^"]*"/,
          '$1',
        ),
      ),
    /request from another browser/,
  ],
  [
    'an answer to the request from another browser',
    async ({ idp, metadata, begin }) => idp.answer(MALLORY, metadata, { inResponseTo: await begin('idp') }),
    /request from another browser/,
  ],
  [
    'an assertion for two requests',
    signed((xml) =>
      xml.replace(
        /(<saml:SubjectConfirmation [\s\S]*<\/saml:SubjectConfirmation>)/,
        (one) => one + one.replace('{Reply}', ' InResponseTo="_other"'),
      ),
    ),
    /several requests|confirmation|refused/i,
  ],
  [
    'an answer that was already used',
    async (side) => {
      const answer = await answerWith({}, EVE)(side);
      await side.bring(answer);
      return answer;
    },
    /another browser|already answered|already used/,
  ],
  [
    'an answer to the request of another provider',
    async ({ idp, metadata, begin, browser }) =>
      idp.answer(MALLORY, metadata, { inResponseTo: await begin('other', browser) }),
    /another browser|already answered|too old/,
  ],
];
