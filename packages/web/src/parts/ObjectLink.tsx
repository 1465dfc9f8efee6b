/** A link to an object, with its mark and name. */
import { Link } from 'wouter';
import { objectPath } from '../address.ts';
import { KindMark } from './KindMark.tsx';
import { Name } from './Name.tsx';

interface ObjectLike {
  readonly object_id: string;
  readonly name: string;
  readonly kind: string;
}

export function ObjectLink({ object }: { readonly object: ObjectLike }) {
  return (
    <Link className="object-link" href={objectPath(object.object_id)}>
      <KindMark kind={object.kind} />
      <Name text={object.name} id={object.object_id} />
    </Link>
  );
}
