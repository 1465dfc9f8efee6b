/** Placeholder for an attack path that is loading: objects and the lines between them. */
const OBJECTS = [0, 1, 2, 3];

export const PathSkeleton = () => (
  <div className="path-skeleton" aria-hidden="true">
    {OBJECTS.map((at) => (
      <span key={at} />
    ))}
  </div>
);
