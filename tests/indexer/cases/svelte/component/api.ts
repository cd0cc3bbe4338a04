export function load(name: string) { return name; }
