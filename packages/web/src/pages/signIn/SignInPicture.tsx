/** A picture next to the form, if there is space: an attack path and its cut. It contains no real data. */
import { Scissors } from 'lucide';
import { Icon } from '../../parts/Icon.tsx';
import { KindMark } from '../../parts/KindMark.tsx';

const OBJECTS = [
  ['Group', 'Any user'],
  ['Group', 'Help desk'],
  ['Computer', 'Server'],
  ['User', 'Administrator'],
  ['Domain', 'Domain'],
] as const;
/** The relationship after this object is cut. */
const CUT = 1;

export function SignInPicture() {
  return (
    <div className="sign-in-picture" aria-hidden="true">
      <ol>
        {OBJECTS.flatMap(([kind, name], at) => [
          <li key={at}>
            <span className="tile">
              <KindMark kind={kind} size={48} />
              {at === OBJECTS.length - 1 && <span className="zone-mark">T0</span>}
            </span>
            <small>{name}</small>
          </li>,
          at < OBJECTS.length - 1 && (
            <li key={`${at} to the next`} className={at === CUT ? 'way cut' : 'way'}>
              {at === CUT && <Icon of={Scissors} size={18} />}
            </li>
          ),
        ])}
      </ol>
      <p>Every attack path, and the cut that closes most of them.</p>
    </div>
  );
}
