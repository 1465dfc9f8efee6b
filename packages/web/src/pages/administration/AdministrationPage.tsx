export default function AdministrationPage() {
  return <p>AdministrationPage</p>;
}
