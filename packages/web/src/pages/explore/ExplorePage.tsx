export default function ExplorePage() {
  return <p>ExplorePage</p>;
}
