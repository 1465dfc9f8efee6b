/** Next to the form, where there is room: an attack path and its cut. It stands for no data. */
import { Scissors } from 'lucide';
import { Icon } from '../../parts/Icon.tsx';
import { KindMark } from '../../parts/KindMark.tsx';

const KINDS = ['User', 'Group', 'Computer', 'User', 'Domain'] as const;
/** The relationship after this object is cut. */
const CUT = 1;

export function SignInPicture() {
  return (
    <div className="sign-in-picture" aria-hidden="true">
      <ol>
        {KINDS.flatMap((kind, at) => [
          // biome-ignore lint/suspicious/noArrayIndexKey: the picture never changes
          <li key={at}>
            <KindMark kind={kind} size={48} />
          </li>,
          at < KINDS.length - 1 && (
            <li key={`${at} to the next`} className={at === CUT ? 'way cut' : 'way'}>
              {at === CUT && <Icon of={Scissors} size={18} />}
            </li>
          ),
        ])}
      </ol>
      <p>Every attack path, and the one cut that closes most of them.</p>
    </div>
  );
}
