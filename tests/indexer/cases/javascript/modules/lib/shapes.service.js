// Its name is that of `shapes` and an imported name joined by a dot.
export const service = 1;
