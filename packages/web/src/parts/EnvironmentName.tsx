/** The name of an environment; its id with a remark if no collection names it. */
import { Name } from './Name.tsx';

export function EnvironmentName({ name, id }: { readonly name: string; readonly id: string }) {
  if (name !== '' && name !== id) return <Name text={name} id={id} />;
  return (
    <>
      <Name text={id} /> <span className="quiet">(name not collected)</span>
    </>
  );
}
