import { domainDefaults } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** Bit of pwdProperties: passwords must be complex. Source: [MS-SAMR] 2.2.3.5. */
const COMPLEX_PASSWORDS = 0x1;

const BASELINE = 12;

export const weakPasswordPolicy = {
  kind: 'list',
  id: 'WeakPasswordPolicy',
  title: 'Domain Password Policy Below Baseline',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: domainDefaults,
  remedy: {
    risk: 'Attackers find short, repeated or simple passwords by trying common passwords for many accounts.',
    fix: 'In the domain policy, require at least 12 characters and complexity, and remember at least 12 passwords.',
    steps: [
      'Compare the policy of the domain with your baseline (Get-ADDefaultDomainPasswordPolicy).',
      'Announce the change and its date.',
      'Change the policy that is linked to the domain.',
      'Give privileged and service accounts a stricter fine-grained policy.',
    ],
    verify: ['Get-ADDefaultDomainPasswordPolicy shows the new values on every domain controller.'],
    care: 'The policy applies from the next change of each password. Fine-grained policies take precedence.',
    prevent: 'Compare the policy with the baseline after each change to domain policies.',
  },
  what: 'The password policy of the domain allows short, repeated or simple passwords.',
  needs: ['minpwdlength'],
  reads: { nodeProperties: ['pwdhistorylength', 'pwdproperties'] },
  find: (facts) =>
    facts
      .of('Domain')
      .filter(
        (node) =>
          isBelow(facts.number('minpwdlength', node)) ||
          isBelow(facts.number('pwdhistorylength', node)) ||
          ((facts.number('pwdproperties', node) ?? COMPLEX_PASSWORDS) & COMPLEX_PASSWORDS) === 0,
      ),
} as const satisfies ListFindingType;

function isBelow(value: number | undefined): boolean {
  return value !== undefined && value < BASELINE;
}
