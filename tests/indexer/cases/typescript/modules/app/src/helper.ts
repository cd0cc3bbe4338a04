export function helper() {}

export interface Shape {}
