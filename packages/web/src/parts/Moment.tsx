import { formatMoment, formatSecond } from '../text/formats.ts';

interface MomentProps {
  /** RFC 3339. */
  readonly at: string;
  /** Whether the order within a minute matters, as in logs. */
  readonly withSeconds?: boolean;
}

/** A time of a table; hovering shows it in UTC, as in the API. */
export const Moment = ({ at, withSeconds = false }: MomentProps) => (
  <time dateTime={at} title={at}>
    {withSeconds ? formatSecond(at) : formatMoment(at)}
  </time>
);
