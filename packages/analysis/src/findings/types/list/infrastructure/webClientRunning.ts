import { relay } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const webClientRunning = {
  kind: 'list',
  id: 'WebClientRunning',
  title: 'Computers Running the WebClient Service',
  ...classed({ platform: 'ad', category: 'RL', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: relay,
  remedy: {
    fix: 'Stop the WebClient service on the computer, and disable it.',
    care: 'WebDAV drives, and old document libraries that open as folders, stop working.',
  },
  what: 'The WebClient service runs on a computer, so attackers can coerce the computer to authenticate over HTTP.',
  needs: ['webclientrunning'],
  find: (facts) => facts.computers.and(facts.is('webclientrunning', true)),
} as const satisfies ListFindingType;
