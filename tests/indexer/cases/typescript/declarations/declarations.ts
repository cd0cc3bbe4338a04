export enum Color {
  Red,
  Green = 2,
}

export namespace Outer {
  export class Inner {
    go() {}
  }
  export namespace Deep {
    export function call(): Inner { //: references Outer.Inner
      return new Inner(); //: calls Outer.Inner
    }
  }
}

export function use(inner: Outer.Inner, color: Color): void { //: references Outer, Outer.Inner, Color
  inner.go(); //: calls Outer.Inner.go
  Outer.Deep.call().go(); //: calls Outer.Deep.call, Outer.Inner.go
  color === Color.Green; //: references Color, Color.Green
}

export function overloaded(value: string): string;
export function overloaded(value: number): number;
export function overloaded(value: unknown): unknown {
  return value;
}
overloaded('x'); //: calls overloaded

export const first: Later = { name: 'x' }; //: references Later
interface Later {
  name: string;
}

function log(target: unknown) {}

@log //: calls log
export class Decorated {
  @log //: calls log
  method() {}
}

declare function ambient(): Outer.Inner;
ambient().go(); //: calls ambient, Outer.Inner.go
