export const Button = () => <button />;

export function Layout(props: { children: unknown }) {
  return <main>{props.children}</main>;
}
