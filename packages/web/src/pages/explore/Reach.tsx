/**
 * The number of users and computers that can reach an object, and the one with the easiest path. The counts load first; the path
 * takes longer.
 */
import { effortWords, othersReachText, shareOf } from '@clew/model';
import { Link } from 'wouter';
import { pathTo } from '../../address.ts';
import { Name } from '../../parts/Name.tsx';
import { describeError, useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatCount } from '../../text/formats.ts';
import { OUTSIDE_SET } from './endSets.ts';

export function Reach({ objectId }: { readonly objectId: string }) {
  const query = { object_id: objectId };
  const { data, error } = useAnswer('GetReach', { query });
  const easiest = useAnswer('GetReach', { query: { ...query, include_path: true } }).data?.data.easiest_path;
  if (data === undefined && error !== null)
    return (
      <p className="reach quiet">
        The principals that can reach it could not be counted: {describeError(error).text}
      </p>
    );
  if (data === undefined) return <p className="reach quiet">Counting the principals that can reach it…</p>;
  const { reaching_count: reaching, principal_count: all, zone, not_shown: notShown } = data.data;
  if (reaching === null || all === null) return <p className="reach quiet">{notShown}.</p>;
  const outside = `users and computers outside ${cleanText(zone?.name ?? 'Tier Zero')}`;
  const others = othersReachText(data.data, cleanText);
  if (all === 0)
    return (
      <p className="reach quiet">
        Its forest or tenant has no {outside}. {others}
      </p>
    );
  const first = easiest?.nodes[0];
  return (
    <div className="reach">
      <p>
        <strong>{formatCount(reaching)}</strong> of {formatCount(all)} {outside} can reach it (
        {shareOf(reaching, all)}).
      </p>
      <p className="quiet">{others}</p>
      {first !== undefined && easiest != null && (
        <p className="quiet">
          Easiest for <Name text={first.name} id={first.object_id} />, {effortWords(easiest.effort)}.{' '}
          <Link href={pathTo('explore', { mode: 'path', from: OUTSIDE_SET, to: objectId, ways: 'easiest' })}>
            Show the path
          </Link>
        </p>
      )}
    </div>
  );
}
